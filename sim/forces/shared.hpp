// SPDX-License-Identifier: MIT
// Common parts of the descriptions of force laws.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/force.hpp"
#include "sim/literature.hpp"
#include "sim/scalar.hpp"

namespace orrery::sim {

inline constexpr Parameter softening_key{.name = "softening",
                                         .fallback = "0.0",
                                         .meaning = "Plummer softening ε: r² + ε² takes the place of r²",
                                         .unit = "length",
                                         .range = not_negative};
/// Cited by laws that have this key.
inline constexpr Citation softening_citation{literature::aarseth1963, softening_place};

/// ForceLaw::rescaled of a law without lengths.
inline LawParameters no_lengths(const LawParameters& parameters, double /*length*/) {
  return parameters;
}

/// For c = r^−(n + 1): keeps c below 2¹⁰²⁰ in double and 2¹²⁶ in float, and r² above 2⁻¹²⁴ in float, where the root
/// fails.
inline MinR2 min_r2_of_power(int n) {
  return {.in_doubles = std::exp2(-2040.0 / (n + 1)), .in_floats = std::exp2(std::max(-252.0 / (n + 1), -124.0))};
}

template <class Law>
double scalar_force_over_r(double r2, const LawParameters& parameters) {
  return Law(parameters).force_over_r(Scalar(r2)).value;
}

template <class Law>
double scalar_force_over_r_slope(double r2, const LawParameters& parameters) {
  return Law(parameters).force_over_r_slope(Scalar(r2)).value;
}

template <class Law>
double scalar_u(double r2, const LawParameters& parameters) {
  return Law(parameters).u(Scalar(r2)).value;
}

}  // namespace orrery::sim
