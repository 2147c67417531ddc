// SPDX-License-Identifier: MIT
// The force laws and external fields of the reference, said once more; shares no code with other backends.
#pragma once

#include <array>
#include <string_view>

namespace orrery::sim::reference {

/// What acts on one body: three accelerations, a potential, and three derivatives of the accelerations.
using Sums = std::array<double, 7>;

/// c(r²), its slope c′(r)/r and u(r²), with the law's own number.
struct Law {
  std::string_view name;
  double (*c)(double r2, double number);
  double (*slope)(double r2, double number);
  double (*u)(double r2, double number);
};

/// What a field does to a body at x that moves with v.
struct Field {
  std::string_view name;
  Sums (*act)(const double (&number)[8], const std::array<double, 3>& x, const std::array<double, 3>& v);
};

/// By their names in sim/forces/ and sim/fields/.
const Law& law(std::string_view name);
const Field& field(std::string_view name);

/// d(c·d)/dt, where d changes at the rate v.
std::array<double, 3> rate_of_change(const std::array<double, 3>& d, const std::array<double, 3>& v, double c,
                                     double slope);

}  // namespace orrery::sim::reference
