// SPDX-License-Identifier: MIT
#include "pipeline/scenario/value_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "pipeline/quantity.hpp"
#include "pipeline/scenario/key_error.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

[[noreturn]] void complain(const Where& at, const Parameter& parameter, const std::string& what) {
  throw KeyError(at(), parameter.name, what);
}

std::string to_text(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high) {
    return fmt::format("in {}{}, {}{}", range.low_open ? '(' : '[', shortest_text(range.low), shortest_text(range.high),
                       range.high_open ? ')' : ']');
  }
  if (low) return fmt::format("{} {}", range.low_open ? "greater than" : "at least", shortest_text(range.low));
  return fmt::format("{} {}", range.high_open ? "less than" : "at most", shortest_text(range.high));
}

template <class... Types>
bool is(const Value& value) {
  return (std::holds_alternative<Types>(value) || ...);
}

/// The type of the values of a kind, and its name.
struct Type {
  Kind kind;
  std::string_view name;
  bool (*fits)(const Value&);
};
constexpr Type types[] = {
    {Kind::boolean, "true or false", is<bool>},
    {Kind::integer, "a number", is<std::int64_t>},
    {Kind::number, "a number", is<double>},
    {Kind::text, "a text in quotes", is<std::string>},
    {Kind::number_or_text, "a number or a text in quotes", is<double, std::string>},
    {Kind::text_or_texts, "an array of texts: [ … ]", is<std::vector<std::string>>},
    {Kind::numbers, "an array of numbers: [ … ]", is<std::vector<double>>},
    {Kind::texts, "an array of texts: [ … ]", is<std::vector<std::string>>},
    {Kind::numbers_or_texts, "an array: [ … ]", is<std::vector<double>, std::vector<std::string>>},
    {Kind::records, "an array of tables: [ … ]", is<std::vector<Arguments>>},
    {Kind::columns, "an array of tables: [ … ]", is<SharedColumns>}};

const Type& type_of(Kind kind) {
  return *std::ranges::find(types, kind, &Type::kind);
}

/// Checks a number against the range of its key.
void check(double value, const Parameter& parameter, const Where& at) {
  if (!std::isfinite(value)) complain(at, parameter, fmt::format("`{}` must be finite", parameter.name));
  if (!parameter.range.contains(value)) {
    complain(at, parameter,
             fmt::format("`{}` = {} must be {}", parameter.name, shortest_text(value), to_text(parameter.range)));
  }
}

/// Checks a text against the choices of its key.
void check(const std::string& value, const Parameter& parameter, const Where& at) {
  if (value.find('\0') != std::string::npos)
    complain(at, parameter, fmt::format("`{}` has a zero byte, which ends a text in files", parameter.name));
  const auto& choices = parameter.choices;
  if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
    complain(at, parameter,
             fmt::format("`{}` = \"{}\" must be one of {}{}", parameter.name, value, fmt::join(choices, ", "),
                         suggestion(value, choices)));
  }
}

/// The number of a text with a unit.
double quantity(const std::string& text, const Parameter& parameter, const Where& at, const sim::Units& units) {
  try {
    return quantity_in(text, parameter.unit, units);
  } catch (const std::invalid_argument& error) {
    complain(at, parameter, fmt::format("`{}` {}", parameter.name, error.what()));
  }
}

/// Texts with units as numbers, where the kind wants numbers.
Value without_units(Value value, Kind kind, const Parameter& parameter, const Where& at, const sim::Units& units) {
  if (!has_dimension(parameter.unit)) return value;
  if (const auto* one = std::get_if<std::string>(&value); one != nullptr && kind == Kind::number) {
    if (looks_like_quantity(*one)) return quantity(*one, parameter, at, units);
  }
  if (const auto* several = std::get_if<std::vector<std::string>>(&value);
      several != nullptr && kind == Kind::numbers) {
    std::vector<double> numbers;
    for (const std::string& one : *several) numbers.push_back(quantity(one, parameter, at, units));
    return numbers;
  }
  return value;
}

/// A number as an integer or a double, a text as a list of one, as the kind wants them.
Value converted(Value value, Kind kind, const Parameter& parameter, const Where& at) {
  if (const auto* one = std::get_if<std::string>(&value); one != nullptr && kind == Kind::text_or_texts)
    return std::vector{*one};
  const auto number = number_in(value);
  const bool any = type_of(kind).fits(0.0);
  if (!number || (!any && kind != Kind::integer)) return value;
  check(*number, parameter, at);
  if (any) return *number;
  if (is<std::int64_t>(value)) return value;
  if (*number != std::floor(*number) || std::abs(*number) > 0x1p53)  // 5e6 is a float in TOML
    complain(at, parameter, fmt::format("`{}` must be a whole number", parameter.name));
  return static_cast<std::int64_t>(*number);
}

}  // namespace

bool is_vector(const Parameter& parameter) {
  return parameter.kind == Kind::numbers && parameter.count == 3 &&
         (parameter.unit == "length" || parameter.unit == "length/time" || parameter.unit == "length/time²");
}

void refuse_type(Kind kind, const Parameter& parameter, const Where& at) {
  const bool shows = kind == Kind::text && parameter.example.starts_with('"');
  const bool takes_units = kind == Kind::number && has_dimension(parameter.unit);
  complain(at, parameter,
           fmt::format("`{}` must be {}{}", parameter.name, type_of(kind).name,
                       shows         ? fmt::format(", as {}", parameter.example)
                       : takes_units ? fmt::format(", or with a unit, \"{}\"", example_of(parameter.unit))
                                     : ""));
}

void check_count(std::size_t entries, const Parameter& parameter, const Where& at) {
  if (parameter.count == 0 || entries == parameter.count) return;
  complain(
      at, parameter,
      fmt::format(
          "`{}` must have {} entries, it has {}{}", parameter.name, parameter.count, entries,
          is_vector(parameter) && entries == 2 ? "; two are enough in a plane, `dimensions = 2` in [domain]" : ""));
}

Value checked(Value value, Kind kind, const Parameter& parameter, const Where& at, const sim::Units& units) {
  value = converted(without_units(std::move(value), kind, parameter, at, units), kind, parameter, at);
  if (!type_of(kind).fits(value)) refuse_type(kind, parameter, at);
  if (const auto* text = std::get_if<std::string>(&value)) check(*text, parameter, at);
  const auto check_all = [&](const auto* entries) {
    if (entries == nullptr) return;
    for (const auto& entry : *entries) check(entry, parameter, at);
    check_count(entries->size(), parameter, at);
  };
  check_all(std::get_if<std::vector<double>>(&value));
  check_all(std::get_if<std::vector<std::string>>(&value));
  if (auto* records = std::get_if<std::vector<Arguments>>(&value)) {
    const std::vector<Parameter> fields(parameter.fields.begin(), parameter.fields.end());
    for (Arguments& record : *records)
      record = section_of({std::move(record), at(), &units}, fmt::format("this entry of `{}`", parameter.name), fields)
                   .values();
  }
  return value;
}

}  // namespace orrery::pipeline
