// SPDX-License-Identifier: MIT
// JSON is written by toml++, which escapes texts.
#include "pipeline/report.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "pipeline/printable.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

toml::table table_of(const Arguments& values);

void insert(toml::table& table, const std::string& key, const Value& value) {
  std::visit(
      [&](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, double>) {
          if (std::isfinite(content)) table.insert(key, content);  // JSON has no infinity: leave out the key
        } else if constexpr (std::is_arithmetic_v<Content> || std::is_same_v<Content, std::string>) {
          table.insert(key, content);
        } else if constexpr (std::is_same_v<Content, SharedColumns>) {
          throw std::logic_error("columns are no fact of a report: " + key);
        } else {
          toml::array array;
          for (const auto& entry : content) {
            if constexpr (std::is_same_v<std::decay_t<decltype(entry)>, Arguments>) {
              array.push_back(table_of(entry));
            } else {
              array.push_back(entry);
            }
          }
          table.insert(key, std::move(array));
        }
      },
      value);
}

std::string in_json(const toml::node& node) {
  std::ostringstream out;
  out << toml::json_formatter(node);
  return printable(out.str(), Lines::several);  // \u009b is valid JSON; toml++ has escaped invalid UTF-8
}

toml::table table_of(const Arguments& values) {
  toml::table table;
  for (const auto& [key, value] : values) insert(table, key, value);
  return table;
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
  toml::table table;
  insert(table, "value", value);
  const toml::node* node = table.get("value");
  return node != nullptr ? in_json(*node) : "null";
}

std::string to_json(const Arguments& values) {
  return in_json(table_of(values));
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
  toml::table table;
  for (const Fact& fact : facts_) insert(table, fact.key, fact.value);
  return in_json(table) + "\n";
}

}  // namespace orrery::pipeline
