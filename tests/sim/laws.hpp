// SPDX-License-Identifier: MIT
// What the tests of force laws share: every law with every exponent, a toy among them, and bodies with charges.
#pragma once

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/support.hpp"
#include "tests/sim/toys/yukawa.hpp"

namespace orrery::sim::testing {

/// A force law with the numbers of its own.
struct NumberedLaw {
  const ForceLaw* law;
  LawNumbers numbers;

  [[nodiscard]] std::string name() const {
    std::ostringstream name;
    name << law->name;
    if (numbers.at[0] != 0) name << ' ' << numbers.at[0];
    return name.str();
  }
  /// n, where the force falls as r⁻ⁿ; nothing where it is no power.
  [[nodiscard]] std::optional<int> exponent() const {
    if (!law->degree(numbers)) return 1;
    const auto power = law->potential_power(numbers);
    return power ? std::optional(1 - *power) : std::nullopt;
  }
  [[nodiscard]] double c(double r2) const { return law->c(r2, numbers); }
  [[nodiscard]] double slope(double r2) const { return law->slope(r2, numbers); }
  [[nodiscard]] double u(double r2) const { return law->u(r2, numbers); }
};

inline NumberedLaw law(std::string_view name, double number = 0) {
  return {*std::ranges::find(force_laws(), name, &ForceLaw::name), {{number}}};
}

/// What the scenario reader would hand over where no key was written.
inline Arguments defaults(const ForceLaw& law) {
  Arguments arguments;
  for (const Parameter& p : law.parameters) {
    if (p.kind == Kind::number) arguments.set(p.name, std::stod(std::string(p.fallback)));
    if (p.kind == Kind::integer) arguments.set(p.name, std::int64_t{std::stoi(std::string(p.fallback))});
  }
  return arguments;
}

/// Laws with every exponent where they have one.
inline std::vector<NumberedLaw> with_numbers(std::span<const ForceLaw* const> laws) {
  std::vector<NumberedLaw> all;
  for (const ForceLaw* law : laws) {
    Arguments arguments = defaults(*law);
    const auto exponent = std::ranges::find(law->parameters, "exponent", &Parameter::name);
    if (exponent == law->parameters.end()) {
      all.push_back({law, law->numbers(arguments)});
      continue;
    }
    for (double n = exponent->range.low; n <= exponent->range.high; ++n) {
      arguments.set("exponent", static_cast<std::int64_t>(n));
      all.push_back({law, law->numbers(arguments)});
    }
  }
  return all;
}

/// Every law of the list.
inline std::vector<NumberedLaw> every_law() {
  return with_numbers(force_laws());
}

/// And a toy, which no backend knows.
inline std::vector<NumberedLaw> every_formula() {
  auto all = every_law();
  const ForceLaw* const toys[] = {&Yukawa::law};
  for (const NumberedLaw& toy : with_numbers(toys)) all.push_back(toy);
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
  system.forces.push_back(make_pair_force(*force.law, bodies, softening, coupling, force.numbers));
  return system;
}

}  // namespace orrery::sim::testing
