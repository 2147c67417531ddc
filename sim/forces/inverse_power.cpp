// SPDX-License-Identifier: MIT
#include "sim/forces/inverse_power.hpp"

#include "sim/forces/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    softening_key,
    {.name = "exponent",
     .kind = Kind::integer,
     .fallback = "2",
     .meaning = "n: 2 is gravity, 1 has a logarithmic potential",
     .range = {.low = 1, .high = 8}},
    {.name = "strength",
     .fallback = "1.0",
     .meaning = "attraction of two unit masses at distance 1; required with units other than \"nbody\"",
     .range = not_negative},
};

int exponent(const LawParameters& parameters) {
  return static_cast<int>(parameters.at[0]);
}

/// 1 − n; empty for n = 1, a logarithm, which changes by a constant when lengths are rescaled.
std::optional<int> power_of_potential(const LawParameters& parameters) {
  return exponent(parameters) == 1 ? std::nullopt : std::optional(1 - exponent(parameters));
}

}  // namespace

const ForceLaw InversePower::law{
    .name = "inverse-power",
    .meaning = "attraction as r⁻ⁿ of all pairs, a_i = strength Σ m_j (x_j − x_i) / (r² + ε²)^((n+1)/2)",
    .references = {softening_citation},
    .parameters = keys,
    .coupling = Coupling::own,
    .coupling_key = "strength",
    .attracts_by_mass = true,
    .parameters_of =
        [](const Arguments& arguments) { return LawParameters{{static_cast<double>(arguments.integer("exponent"))}}; },
    .force_over_r = scalar_force_over_r<InversePower>,
    .force_over_r_slope = scalar_force_over_r_slope<InversePower>,
    .u = scalar_u<InversePower>,
    .rescaled = no_lengths,
    .degree = power_of_potential,
    .potential_power = power_of_potential,
    .min_r2 = [](const LawParameters& parameters) { return min_r2_of_power(exponent(parameters)); },
    .source = [](const Bodies& bodies) { return bodies.mass; },
    .target_factor = [](const Bodies& bodies, double coupling) { return std::vector<double>(bodies.size(), coupling); },
    .expansion = exponent,
};

}  // namespace orrery::sim
