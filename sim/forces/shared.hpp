// SPDX-License-Identifier: MIT
// What the descriptions of the force laws share: the softening, the facts of powers, and their formulas for one double.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/force.hpp"
#include "sim/scalar.hpp"

namespace orrery::sim {

inline constexpr Parameter softening_key{.name = "softening",
                                         .fallback = "0.0",
                                         .meaning = "Plummer softening ε: r² + ε² takes the place of r²",
                                         .unit = "length",
                                         .range = not_negative};

/// Of a law none of whose numbers is a length.
inline LawNumbers no_lengths(const LawNumbers& numbers, double /*length*/) {
  return numbers;
}

/// Of c = r^−(n + 1): it stays below 2¹⁰²⁰ in doubles and 2¹²⁶ in floats, where the root of what lies below 2⁻¹²⁴ is
/// not to be had either.
inline LeastR2 least_r2_of_power(int n) {
  return {.in_doubles = std::exp2(-2040.0 / (n + 1)), .in_floats = std::exp2(std::max(-252.0 / (n + 1), -124.0))};
}

template <class Law>
double scalar_c(double r2, const LawNumbers& numbers) {
  return Law(numbers).c(Scalar(r2)).value;
}

template <class Law>
double scalar_slope(double r2, const LawNumbers& numbers) {
  return Law(numbers).slope(Scalar(r2)).value;
}

template <class Law>
double scalar_u(double r2, const LawNumbers& numbers) {
  return Law(numbers).u(Scalar(r2)).value;
}

}  // namespace orrery::sim
