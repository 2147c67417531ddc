// SPDX-License-Identifier: MIT
// Text that others wrote, made safe to show: it cannot steer the terminal.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace orrery::pipeline {

enum class Lines { one, several };

/// `text` as it can be shown: escaped as TOML has it are control characters (\u001b, \n), line separators and the letters
/// that turn the direction of writing (U+202E and its like); bytes that are no UTF-8 as \x9b. Of several lines, line ends and
/// tabs stay. All else stays as it is.
std::string printable(std::string_view text, Lines lines = Lines::one);

/// A text made printable on one line; a number as it is.
template <class Value>
decltype(auto) printable_value(const Value& value) {
  constexpr bool text = std::is_convertible_v<const Value&, std::string_view>;
  static_assert(text || std::is_arithmetic_v<Value>, "texts and numbers only: others might hold a text");
  if constexpr (text) {
    return printable(value);
  } else {
    return (value);
  }
}

/// As fmt::format, of texts and numbers; each text is made printable, so that only `format` itself ends lines.
template <class... Values>
std::string format_printable(fmt::format_string<Values...> format, const Values&... values) {
  const auto formatted = [&](const auto&... shown) { return fmt::vformat(format, fmt::make_format_args(shown...)); };
  return formatted(printable_value(values)...);
}

}  // namespace orrery::pipeline
