// SPDX-License-Identifier: MIT
#include "sim/forces/gravity.hpp"

#include "sim/forces/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    softening_key,
    {.name = "G",
     .fallback = "1.0",
     .meaning = "gravitational constant; only if no units are named",
     .range = not_negative},
};

}  // namespace

const ForceLaw Gravity::law{
    .name = "gravity",
    .meaning = "Newtonian gravity of all pairs, a_i = G Σ m_j (x_j − x_i) / (r² + ε²)^(3/2)",
    .references = {softening_citation},
    .parameters = keys,
    .coupling = Coupling::gravitational,
    .coupling_key = "G",
    .attracts_by_mass = true,
    .parameters_of = [](const Arguments&) { return LawParameters(); },
    .force_over_r = scalar_force_over_r<Gravity>,
    .force_over_r_slope = scalar_force_over_r_slope<Gravity>,
    .u = scalar_u<Gravity>,
    .rescaled = no_lengths,
    .degree = [](const LawParameters&) { return std::optional(-1); },
    .potential_power = [](const LawParameters&) { return std::optional(-1); },
    .min_r2 = [](const LawParameters&) { return min_r2_of_power(2); },
    .source = [](const Bodies& bodies) { return bodies.mass; },
    .target_factor = [](const Bodies& bodies, double coupling) { return std::vector<double>(bodies.size(), coupling); },
    .expansion = [](const LawParameters&) { return 2; },
};

}  // namespace orrery::sim
