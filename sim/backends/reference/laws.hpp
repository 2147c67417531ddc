// SPDX-License-Identifier: MIT
// The force laws and external fields of the reference, said once more; shares no code with other backends.
#pragma once

#include <array>
#include <string_view>

namespace orrery::sim::reference {

/// What acts on one body: three accelerations, a potential, and three derivatives of the accelerations.
using Sums = std::array<double, 7>;

/// A law's or a field's own, as sim/forces/ and sim/fields/ order them.
using Numbers = double[8];

/// c(r²), its slope c′(r)/r, which laws with a cutoff do not have, and u(r²), with the law's own numbers.
struct Law {
  std::string_view name;
  double (*c)(double r2, const Numbers& numbers);
  double (*slope)(double r2, const Numbers& numbers);
  double (*u)(double r2, const Numbers& numbers);
};

/// What a field does to a body at x that moves with v.
struct Field {
  std::string_view name;
  Sums (*act)(const Numbers& numbers, const std::array<double, 3>& x, const std::array<double, 3>& v);
};

/// By their names in sim/forces/ and sim/fields/. Throws Error where they are not said here.
const Law& law(std::string_view name);
const Field& field(std::string_view name);

/// d(c·d)/dt, where d changes at the rate v.
std::array<double, 3> rate_of_change(const std::array<double, 3>& d, const std::array<double, 3>& v, double c,
                                     double slope);

}  // namespace orrery::sim::reference
