// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace orrery {

/// "10⁻¹²" for -12.
inline std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

}  // namespace orrery
