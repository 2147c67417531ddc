// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace orrery::pipeline {

enum class Lines { one, several };

/// Returns `text` with everything escaped that could control a terminal: control characters, line separators and
/// bidirectional controls (U+202E, …) as in TOML (\u001b, \n), invalid UTF-8 as \x9b. With Lines::several, line ends
/// and tabs are kept.
std::string printable(std::string_view text, Lines lines = Lines::one);

/// Returns a text made printable on one line, or a number unchanged.
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

/// Formats texts, each made printable on one line, and numbers.
template <class... Values>
std::string format_printable(fmt::format_string<Values...> format, const Values&... values) {
  const auto formatted = [&](const auto&... shown) { return fmt::vformat(format, fmt::make_format_args(shown...)); };
  return formatted(printable_value(values)...);
}

}  // namespace orrery::pipeline
