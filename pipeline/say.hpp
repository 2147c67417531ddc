// SPDX-License-Identifier: MIT
// Everything that the program prints for people goes through here: what others wrote cannot steer their terminal.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace orrery::pipeline {

enum class Lines { one, several };

/// `text` as it can be shown: escaped as TOML has it are control characters (\u001b, \n), line separators and the letters
/// that turn the direction of writing (U+202E and its like); bytes that are no UTF-8 as \x9b. Of several lines, line ends and
/// tabs stay. All else stays as it is.
std::string printable(std::string_view text, Lines lines = Lines::one);

/// A value as it is said: a text on one line.
template <class Value>
decltype(auto) as_said(const Value& value) {
  constexpr bool text = std::is_convertible_v<const Value&, std::string_view>;
  static_assert(text || std::is_arithmetic_v<Value>, "say takes texts and numbers: others might hold a text");
  if constexpr (text) {
    return printable(value);
  } else {
    return (value);
  }
}

/// `text`, of several lines, to a stream. Throws std::system_error where it cannot be written.
void say_lines(std::FILE* stream, std::string_view text);
void say_lines(std::string_view text);

/// As fmt::print, of texts and numbers; each text on one line, so that only `format` ends lines. Throws std::system_error.
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, const Values&... values) {
  const auto said = [&](const auto&... shown) { return fmt::vformat(format, fmt::make_format_args(shown...)); };
  say_lines(stream, said(as_said(values)...));
}
template <class... Values>
void say(fmt::format_string<Values...> format, const Values&... values) {
  say<Values...>(stdout, format, values...);
}

}  // namespace orrery::pipeline
