// SPDX-License-Identifier: MIT
// Formulas of force laws and external fields, independent of those of the other backends.
#pragma once

#include <array>
#include <string_view>

namespace orrery::sim::reference {

/// The effect of a field on one body: acceleration, potential, and the derivative of the acceleration.
using Sums = std::array<double, 7>;

/// LawParameters of a law or field.
using Numbers = double[8];

/// c(r²); c′(r)/r, null for laws with a cutoff; and u(r²): see ForceLaw.
struct Law {
  std::string_view name;
  double (*force_over_r)(double r2, const Numbers& numbers);
  double (*force_over_r_slope)(double r2, const Numbers& numbers);
  double (*u)(double r2, const Numbers& numbers);
};

/// The effect of a field on a body at x with velocity v.
struct Field {
  std::string_view name;
  Sums (*act)(const Numbers& numbers, const std::array<double, 3>& x, const std::array<double, 3>& v);
};

/// By name. Throws Error if there are no formulas.
const Law& law(std::string_view name);
const Field& field(std::string_view name);

/// d(c·d)/dt for a difference d that changes at the rate v.
std::array<double, 3> rate_of_change(const std::array<double, 3>& d, const std::array<double, 3>& v, double c,
                                     double slope);

}  // namespace orrery::sim::reference
