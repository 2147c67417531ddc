// SPDX-License-Identifier: MIT
// Reports; JSON is written by toml++, so that nobody has to escape a text by hand.
#include "pipeline/report.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "pipeline/section.hpp"

namespace orrery::pipeline {
namespace {

void insert(toml::table& table, const std::string& key, const Value& value);

template <class Entry>
void append(toml::array& array, const Entry& entry) {
  array.push_back(entry);
}
void append(toml::array& array, const Arguments& record) {
  toml::table table;
  for (const auto& [key, value] : record) insert(table, key, value);
  array.push_back(std::move(table));
}

void insert(toml::table& table, const std::string& key, const Value& value) {
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, double>) {
          if (std::isfinite(held)) table.insert(key, held);  // JSON has no infinity: the key stays away
        } else if constexpr (std::is_arithmetic_v<Held> || std::is_same_v<Held, std::string>) {
          table.insert(key, held);
        } else {
          toml::array array;
          for (const auto& entry : held) append(array, entry);
          table.insert(key, std::move(array));
        }
      },
      value);
}

}  // namespace

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
    if (fact.text.empty()) continue;  // no title, say
    std::string label = fact.key;
    std::ranges::replace(label, '_', ' ');
    all += fmt::format("{:<{}}  {}\n", label, width, fact.text);
  }
  return all;
}

std::string Report::json() const {
  toml::table table;
  for (const Fact& fact : facts_) insert(table, fact.key, fact.value);
  std::ostringstream out;
  out << toml::json_formatter(table) << '\n';
  return out.str();
}

}  // namespace orrery::pipeline
