// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "common/power_of_ten.hpp"

namespace orrery::pipeline {

/// Parses the whole text as a number, independently of the locale; nullopt if it is none. Accepts infinities and NaN.
inline std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// A number as texts have it: "10⁻⁶" for "1e-06", "2.5·10¹²" for "2.5e+12", "−0.5" for "-0.5".
inline std::string typeset(std::string number) {
  const std::string sign = number.starts_with('-') ? "−" : "";
  if (!sign.empty()) number.erase(0, 1);
  const std::size_t e = number.find('e');
  if (e == std::string::npos) return sign + number;
  const std::string lead = number.substr(0, e);
  return sign + (lead == "1" ? "" : lead + "·") + power_of_ten(std::stoi(number.substr(e + 1)));
}

}  // namespace orrery::pipeline
