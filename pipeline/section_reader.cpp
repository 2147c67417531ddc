// SPDX-License-Identifier: MIT
// Every check that a description makes possible: unknown keys, types, lengths, choices, ranges, NaN.
#include "pipeline/section_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::pipeline {
namespace {

[[noreturn]] void complain(const toml::node& node, const std::string& what) {
  throw Error(place(node.source()) + ": " + what, 2);
}

std::string in_words(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high) {
    return fmt::format("in {}{}, {}{}", range.low_open ? '(' : '[', range.low, range.high, range.high_open ? ')' : ']');
  }
  if (low) return fmt::format("{} {}", range.low_open ? "greater than" : "at least", range.low);
  return fmt::format("{} {}", range.high_open ? "less than" : "at most", range.high);
}

double number(const toml::node& node, const Parameter& parameter) {
  const auto value = node.value<double>();
  if (!value || node.is_boolean()) complain(node, fmt::format("`{}` must be a number", parameter.name));
  if (!std::isfinite(*value)) complain(node, fmt::format("`{}` must be finite", parameter.name));
  if (!parameter.range.contains(*value)) {
    complain(node, fmt::format("`{}` = {} must be {}", parameter.name, *value, in_words(parameter.range)));
  }
  return *value;
}

std::int64_t integer(const toml::node& node, const Parameter& parameter) {
  const double value = number(node, parameter);
  if (node.is_integer()) return *node.value<std::int64_t>();
  if (value != std::floor(value) || std::abs(value) > 0x1p53) {  // 5e6 is a float in TOML, and welcome
    complain(node, fmt::format("`{}` must be a whole number", parameter.name));
  }
  return static_cast<std::int64_t>(value);
}

std::string text(const toml::node& node, const Parameter& parameter) {
  const auto value = node.value<std::string>();
  if (!value) complain(node, fmt::format("`{}` must be a text in quotes", parameter.name));
  const auto& choices = parameter.choices;
  if (!choices.empty() && std::ranges::find(choices, *value) == choices.end()) {
    complain(node, fmt::format("`{}` = \"{}\" must be one of {}{}", parameter.name, *value, fmt::join(choices, ", "),
                               suggestion(*value, choices)));
  }
  return *value;
}

/// Numbers of an array, arrays within it written out one after the other: [[0, 1], [2, 3]] gives 0, 1, 2, 3.
void flatten(const toml::node& node, const Parameter& parameter, std::vector<double>& values) {
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    values.push_back(number(node, parameter));
    return;
  }
  for (const toml::node& entry : *array) flatten(entry, parameter, values);
}

template <class Entries>
void check_count(const toml::node& node, const Parameter& parameter, const Entries& entries) {
  if (!node.is_array()) complain(node, fmt::format("`{}` must be an array: [ … ]", parameter.name));
  if (parameter.count != 0 && entries.size() != parameter.count) {
    complain(node, fmt::format("`{}` must have {} entries, it has {}", parameter.name, parameter.count, entries.size()));
  }
}

Value read(const toml::node& node, const Parameter& parameter) {
  switch (parameter.kind) {
    case Kind::boolean: {
      const auto value = node.value<bool>();
      if (!node.is_boolean()) complain(node, fmt::format("`{}` must be true or false", parameter.name));
      return *value;
    }
    case Kind::integer: return integer(node, parameter);
    case Kind::number: return number(node, parameter);
    case Kind::text: return text(node, parameter);
    case Kind::number_or_text:
      if (node.is_string()) return text(node, parameter);
      return number(node, parameter);
    case Kind::numbers: {
      std::vector<double> values;
      if (node.is_array()) flatten(node, parameter, values);
      check_count(node, parameter, values);
      return values;
    }
    case Kind::texts: {
      std::vector<std::string> values;
      if (const toml::array* array = node.as_array()) {
        for (const toml::node& entry : *array) values.push_back(text(entry, parameter));
      }
      check_count(node, parameter, values);
      return values;
    }
    case Kind::records: {
      std::vector<Arguments> values;
      if (const toml::array* array = node.as_array()) {
        for (const toml::node& entry : *array) {
          if (!entry.is_table()) complain(entry, fmt::format("each entry of `{}` must be a table: {{ … }}", parameter.name));
          const std::vector<Parameter> fields(parameter.fields.begin(), parameter.fields.end());
          values.push_back(read_section(entry.as_table(), place(entry.source()), fields, {}).values());
        }
      }
      check_count(node, parameter, values);
      return values;
    }
  }
  throw std::logic_error("a kind of value without a reader");
}

/// The default, which is TOML itself.
Value read_fallback(const Parameter& parameter) {
  const std::string text = "value = " + std::string(parameter.fallback);
  const toml::table parsed = toml::parse(std::string_view(text), std::string_view("default"));
  return read(*parsed.get("value"), parameter);
}

/// The number of edits that turn one word into the other (Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    // A word cut short, or drawn out, is a slip of one kind however many letters it has.
    const bool prefix = word.size() >= 3 && (candidate.starts_with(word) || word.starts_with(candidate));
    const std::size_t d = prefix ? 1 : distance(word, candidate);
    if (d < least && d < candidate.size()) {
      least = d;
      best = candidate;
    }
  }
  return best.empty() ? "" : fmt::format("; did you mean `{}`?", best);
}

void refuse_unknown(const toml::key& key, std::span<const std::string_view> known, NotYet not_yet,
                    const toml::source_region& value) {
  const std::string_view name = key.str();
  if (std::ranges::find(known, name) != known.end()) return;
  // A key that --set brought in has no place of its own; its value has.
  const std::string where = place(key.source().begin.line == 0 ? value : key.source());
  if (std::ranges::find(not_yet, name) != not_yet.end()) {
    throw Error(fmt::format("{}: `{}` is not available yet", where, name), 2);
  }
  throw Error(fmt::format("{}: unknown key `{}`{}", where, name, suggestion(name, known)), 2);
}

Section read_section(const toml::table* table, std::string here, std::vector<Parameter> parameters, NotYet not_yet) {
  std::vector<std::string_view> known;
  for (const Parameter& parameter : parameters) known.push_back(parameter.name);
  std::map<std::string, std::string, std::less<>> where;
  Arguments values;
  if (table != nullptr) {
    for (const auto& [key, node] : *table) {
      refuse_unknown(key, known, not_yet, node.source());
      const Parameter& parameter = *std::ranges::find(parameters, key.str(), &Parameter::name);
      if (parameter.optional && node.value<std::string>() == "auto") continue;  // as if it were not there
      values.set(key.str(), read(node, parameter));
      where.emplace(key.str(), place(node.source()));
    }
  }
  for (const Parameter& parameter : parameters) {
    if (values.has(parameter.name) || (parameter.optional && parameter.fallback.empty())) continue;
    if (parameter.fallback.empty()) {
      throw Error(fmt::format("{}: `{}` is missing: {}", here, parameter.name, parameter.meaning), 2);
    }
    values.set(parameter.name, read_fallback(parameter));
  }
  return {std::move(values), std::move(here), std::move(where), std::move(parameters)};
}

const std::string& Section::where(std::string_view name) const {
  const auto found = where_.find(name);
  return found == where_.end() ? here_ : found->second;
}

void Section::complain(std::string_view name, const std::string& what) const {
  throw Error(where(name) + ": " + what, 2);
}

std::vector<std::string> Section::lines() const {
  std::vector<std::string> lines;
  for (const Parameter& parameter : parameters_) {
    for (const auto& [name, value] : values_) {
      if (name == parameter.name) lines.push_back(name + " = " + to_toml(value));
    }
  }
  return lines;
}

}  // namespace orrery::pipeline
