// SPDX-License-Identifier: MIT
#include "pipeline/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "pipeline/printable.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

using Json = nlohmann::json;

Json json_of(const Value& value);
Json json_of(const Arguments& values);

/// JSON has no infinity and no NaN: such a fact is left out.
void insert(Json& object, const std::string& key, const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || std::isfinite(*number)) object[key] = json_of(value);
}

Json json_of(const Value& value) {
  return std::visit(
      [](const auto& content) -> Json {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, SharedColumns>) {
          throw std::logic_error("columns are no fact of a report");
        } else if constexpr (std::is_same_v<Content, std::vector<Arguments>>) {
          Json records = Json::array();
          for (const Arguments& record : content) records.push_back(json_of(record));
          return records;
        } else {
          return content;
        }
      },
      value);
}

Json json_of(const Arguments& values) {
  Json object = Json::object();
  for (const auto& [key, value] : values) insert(object, key, value);
  return object;
}

std::string text_of(const Json& json) {
  // \u009b is valid JSON, but steers terminals.
  return printable(json.dump(2, ' ', false, Json::error_handler_t::replace), Lines::several);
}

/// Indents all lines but the first by `width`.
std::string indented(std::string_view text, std::size_t width) {
  std::string result;
  for (const char c : text.substr(0, text.find_last_not_of('\n') + 1)) {
    result += c;
    if (c == '\n') result.append(width, ' ');
  }
  return result;
}

}  // namespace

std::string to_json(const Value& value) {
  return text_of(json_of(value));
}

std::string to_json(const Arguments& values) {
  return text_of(json_of(values));
}

void Report::add(std::string key, Value value, std::string text) {
  if (text.empty()) {
    const auto* plain = std::get_if<std::string>(&value);
    text = plain != nullptr ? *plain : to_toml(value);
  }
  facts_.push_back({std::move(key), std::move(value), std::move(text)});
}

std::string Report::table() const {
  std::size_t width = 0;
  for (const Fact& fact : facts_) width = std::max(width, fact.key.size());
  std::string all;
  for (const Fact& fact : facts_) {
    if (fact.text.empty()) continue;  // e.g. no title
    std::string label = printable(fact.key);
    std::ranges::replace(label, '_', ' ');
    all += fmt::format("{:<{}}  {}\n", label, width, indented(fact.text, width + 2));
  }
  return all;
}

std::string Report::json() const {
  Json object = Json::object();
  for (const Fact& fact : facts_) insert(object, fact.key, fact.value);
  return text_of(object) + "\n";
}

}  // namespace orrery::pipeline
