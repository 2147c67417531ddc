// SPDX-License-Identifier: MIT
// Shared by the tests of force laws: every law with every exponent and truncation, a toy law, and bodies with charges.
#pragma once

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/support.hpp"
#include "tests/sim/toys/yukawa.hpp"

namespace orrery::sim::testing {

/// A force law with its parameters.
struct NumberedLaw {
  const ForceLaw* law;
  LawParameters parameters;

  [[nodiscard]] std::string name() const {
    std::ostringstream name;
    name << law->name;
    for (const double number : parameters.at) {
      if (number != 0) name << ' ' << number;
    }
    return name.str();
  }
  /// n if the force falls as r⁻ⁿ; empty if it is no power.
  [[nodiscard]] std::optional<int> exponent() const {
    if (!law->degree(parameters)) return 1;
    const auto power = law->potential_power(parameters);
    return power ? std::optional(1 - *power) : std::nullopt;
  }
  [[nodiscard]] double force_over_r(double r2) const { return law->force_over_r(r2, parameters); }
  [[nodiscard]] double force_over_r_slope(double r2) const { return law->force_over_r_slope(r2, parameters); }
  [[nodiscard]] double u(double r2) const { return law->u(r2, parameters); }
  /// Of a law with a cutoff.
  [[nodiscard]] double cutoff() const { return law->cutoff(parameters); }
};

inline NumberedLaw law(std::string_view name, double number = 0) {
  return {*std::ranges::find(force_laws(), name, &ForceLaw::name), {{number}}};
}

/// The arguments that the scenario reader passes if no key is given.
inline Arguments defaults(const ForceLaw& law) {
  Arguments arguments;
  for (const Parameter& p : law.parameters) {
    if (p.kind == Kind::number) arguments.set(p.name, std::stod(std::string(p.fallback)));
    if (p.kind == Kind::integer) arguments.set(p.name, std::int64_t{std::stoi(std::string(p.fallback))});
    if (p.kind == Kind::text) arguments.set(p.name, std::string(p.fallback.substr(1, p.fallback.size() - 2)));
  }
  return arguments;
}

/// Laws, with every exponent and every truncation if they have such keys.
inline std::vector<NumberedLaw> with_numbers(std::span<const ForceLaw* const> laws) {
  std::vector<NumberedLaw> all;
  for (const ForceLaw* law : laws) {
    Arguments arguments = defaults(*law);
    const auto add = [&] { all.push_back({law, law->parameters_of(arguments)}); };
    const auto find = [&](std::string_view key) { return std::ranges::find(law->parameters, key, &Parameter::name); };
    if (const auto exponent = find("exponent"); exponent != law->parameters.end()) {
      const auto last = static_cast<std::int64_t>(exponent->range.high);
      for (auto n = static_cast<std::int64_t>(exponent->range.low); n <= last; ++n) {
        arguments.set("exponent", n);
        add();
      }
    } else if (const auto truncation = find("truncation"); truncation != law->parameters.end()) {
      for (const std::string_view choice : truncation->choices) {
        arguments.set("truncation", std::string(choice));
        add();
      }
    } else {
      add();
    }
  }
  return all;
}

inline std::vector<NumberedLaw> of_the_list(bool with_cutoff) {
  std::vector<const ForceLaw*> laws;
  for (const ForceLaw* law : force_laws()) {
    if ((law->cutoff != nullptr) == with_cutoff) laws.push_back(law);
  }
  return with_numbers(laws);
}

/// Every law of the list without a cutoff.
inline std::vector<NumberedLaw> every_law() {
  return of_the_list(false);
}

/// Every law of the list with a cutoff.
inline std::vector<NumberedLaw> every_short_range_law() {
  return of_the_list(true);
}

/// The laws without a cutoff and a toy law, which no backend has.
inline std::vector<NumberedLaw> every_formula() {
  auto all = every_law();
  const ForceLaw* const toys[] = {&Yukawa::law};
  for (const NumberedLaw& toy : with_numbers(toys)) all.push_back(toy);
  return all;
}

/// cloud(n) with positive, negative and zero charges, zero for massless bodies.
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
  system.forces.push_back(make_pair_force(*force.law, bodies, softening, coupling, force.parameters));
  return system;
}

}  // namespace orrery::sim::testing
