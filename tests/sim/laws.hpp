// SPDX-License-Identifier: MIT
// What the tests of force laws share: every law with every exponent, and bodies with charges.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/sim/support.hpp"

namespace orrery::sim::testing {

/// A force law with the number of its own.
struct NumberedLaw {
  const ForceLaw* law;
  double number = 0;

  [[nodiscard]] std::string name() const {
    std::string name(law->name);
    if (number != 0) name.append(1, ' ').append(std::to_string(static_cast<int>(number)));
    return name;
  }
  /// n, where the force falls as r⁻ⁿ.
  [[nodiscard]] int exponent() const { return number == 0 ? 2 : static_cast<int>(number); }
};

inline NumberedLaw law(std::string_view name, double number = 0) {
  return {*std::ranges::find(force_laws(), name, &ForceLaw::name), number};
}

/// Every law of the list, with every exponent where it has one.
inline std::vector<NumberedLaw> every_law() {
  std::vector<NumberedLaw> all;
  for (const ForceLaw* law : force_laws()) {
    const auto exponent = std::ranges::find(law->parameters, "exponent", &Parameter::name);
    if (exponent == law->parameters.end()) {
      all.push_back({law});
      continue;
    }
    for (double n = exponent->range.low; n <= exponent->range.high; ++n) {
      all.push_back({law, law->number({{"exponent", static_cast<std::int64_t>(n)}})});
    }
  }
  return all;
}

/// cloud(n) with charges of both signs and without, none on what has no mass.
inline Bodies charged_cloud(std::size_t n) {
  Bodies bodies = cloud(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double q = (0.5 + 0.03 * static_cast<double>(i % 17)) / static_cast<double>(n);
    bodies.charge.push_back(bodies.mass[i] == 0 || i % 3 == 2 ? 0 : i % 3 == 0 ? q : -q);
  }
  return bodies;
}

inline System system_of(const NumberedLaw& force, const Bodies& bodies, double softening, double coupling = 1) {
  System system;
  system.bodies = bodies;
  system.forces.push_back(make_pair_force(*force.law, bodies, softening, coupling, force.number));
  return system;
}

}  // namespace orrery::sim::testing
