// SPDX-License-Identifier: MIT
#include "pipeline/scenario/value_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

[[noreturn]] void complain(const Where& at, const std::string& what) {
  throw Error(at() + ": " + what, 2);
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

/// Whether a value has the type of its key.
bool fits(const Value& value, Kind kind) {
  using Numbers = std::vector<double>;
  using Texts = std::vector<std::string>;
  const auto is = [&]<class... Types>(const Types&...) { return (std::holds_alternative<Types>(value) || ...); };
  switch (kind) {
    case Kind::boolean:
      return is(bool());
    case Kind::integer:
      return is(std::int64_t());
    case Kind::number:
      return is(double());
    case Kind::text:
      return is(std::string());
    case Kind::number_or_text:
      return is(double(), std::string());
    case Kind::numbers:
      return is(Numbers());
    case Kind::texts:
    case Kind::text_or_texts:
      return is(Texts());
    case Kind::numbers_or_texts:
      return is(Numbers(), Texts());
    case Kind::records:
      return is(std::vector<Arguments>());
    case Kind::columns:
      return is(SharedColumns());
  }
  return false;
}

}  // namespace

bool is_vector(const Parameter& parameter) {
  return parameter.kind == Kind::numbers && parameter.count == 3 &&
         (parameter.unit == "length" || parameter.unit == "length/time");
}

void check(double value, const Parameter& parameter, const Where& at) {
  if (!std::isfinite(value)) complain(at, fmt::format("`{}` must be finite", parameter.name));
  if (!parameter.range.contains(value)) {
    complain(at, fmt::format("`{}` = {} must be {}", parameter.name, shortest_text(value), to_text(parameter.range)));
  }
}

void check(const std::string& value, const Parameter& parameter, const Where& at) {
  if (value.find('\0') != std::string::npos)
    complain(at, fmt::format("`{}` has a zero byte, which ends a text in files", parameter.name));
  const auto& choices = parameter.choices;
  if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
    complain(at, fmt::format("`{}` = \"{}\" must be one of {}{}", parameter.name, value, fmt::join(choices, ", "),
                             suggestion(value, choices)));
  }
}

void check_count(std::size_t entries, const Parameter& parameter, const Where& at) {
  if (parameter.count == 0 || entries == parameter.count) return;
  complain(
      at, fmt::format(
              "`{}` must have {} entries, it has {}{}", parameter.name, parameter.count, entries,
              is_vector(parameter) && entries == 2 ? "; two are enough in a plane, `dimensions = 2` in [domain]" : ""));
}

Value checked(Value value, const Parameter& parameter, const std::string& place) {
  const Where at = [&] { return place; };
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (whole != nullptr && fits(0.0, parameter.kind)) value = static_cast<double>(*whole);
  const auto* one = std::get_if<std::string>(&value);
  if (one != nullptr && parameter.kind == Kind::text_or_texts) value = std::vector{*one};
  if (!fits(value, parameter.kind))
    complain(at, fmt::format("`{}` = {} has another type: {}", parameter.name, to_toml(value), parameter.meaning));
  if (const auto* number = std::get_if<double>(&value)) check(*number, parameter, at);
  if (const auto* text = std::get_if<std::string>(&value)) check(*text, parameter, at);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) check(static_cast<double>(*integer), parameter, at);
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
      record =
          section_of({std::move(record), place}, fmt::format("this entry of `{}`", parameter.name), fields).values();
  }
  return value;
}

}  // namespace orrery::pipeline
