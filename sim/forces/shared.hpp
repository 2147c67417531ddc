// SPDX-License-Identifier: MIT
// What the descriptions of the force laws share: the softening, and their formulas for one double.
#pragma once

#include "sim/force.hpp"
#include "sim/scalar.hpp"

namespace orrery::sim {

inline constexpr Parameter softening_key{.name = "softening",
                                         .fallback = "0.0",
                                         .meaning = "Plummer softening ε: r² + ε² takes the place of r²",
                                         .unit = "length",
                                         .range = not_negative};

template <class Law>
double scalar_c(double r2, double number) {
  return Law(number).c(Scalar(r2)).value;
}

template <class Law>
double scalar_slope(double r2, double number) {
  return Law(number).slope(Scalar(r2)).value;
}

template <class Law>
double scalar_u(double r2, double number) {
  return Law(number).u(Scalar(r2)).value;
}

}  // namespace orrery::sim
