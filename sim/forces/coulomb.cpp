// SPDX-License-Identifier: MIT
#include "sim/forces/coulomb.hpp"
#include "sim/body_error.hpp"

#include "sim/forces/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    softening_key,
    {.name = "k",
     .fallback = "1.0",
     .meaning = "Coulomb's constant; given by units \"si\" and \"nbody\", required with others",
     .range = not_negative},
};

}  // namespace

std::vector<double> response_by_charge(const Bodies& bodies, double k) {
  if (bodies.charge.empty()) {
    throw ArgumentError("kind", "no body has a charge: give `charge` in [[initial]], to a random-cube or in a table");
  }
  std::vector<double> s;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double q = bodies.charge[i], m = bodies.mass[i];
    if (q != 0 && m == 0) {
      throw BodyArgumentError(
          "kind", i, bodies.label(i) + " has a charge and no mass: its acceleration would be infinite; give it a mass");
    }
    s.push_back(q == 0 ? 0.0 : -(k * q) / m);
  }
  return s;
}

const ForceLaw Coulomb::law{
    .name = "coulomb",
    .meaning = "electric force of all pairs, a_i = −k q_i/m_i Σ q_j (x_j − x_i) / (r² + ε²)^(3/2)",
    .references = {softening_citation},
    .parameters = keys,
    .coupling = Coupling::electric,
    .coupling_key = "k",
    .attracts_by_mass = false,
    .parameters_of = [](const Arguments&) { return LawParameters(); },
    .force_over_r = scalar_force_over_r<Gravity>,
    .force_over_r_slope = scalar_force_over_r_slope<Gravity>,
    .u = scalar_u<Gravity>,
    .rescaled = no_lengths,
    .degree = [](const LawParameters&) { return std::optional(-1); },
    .potential_power = [](const LawParameters&) { return std::optional(-1); },
    .min_r2 = [](const LawParameters&) { return min_r2_of_power(2); },
    .source = [](const Bodies& bodies) { return bodies.charge; },
    .target_factor = response_by_charge,
    .expansion = [](const LawParameters&) { return 2; },
};

}  // namespace orrery::sim
