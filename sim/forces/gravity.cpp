// SPDX-License-Identifier: MIT
#include "sim/forces/gravity.hpp"

#include "sim/forces/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
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
    .parameters = parameters,
    .coupling = Coupling::gravitational,
    .coupling_key = "G",
    .attracts_by_mass = true,
    .numbers = [](const Arguments&) { return LawNumbers(); },
    .c = scalar_c<Gravity>,
    .slope = scalar_slope<Gravity>,
    .u = scalar_u<Gravity>,
    .rescaled = no_lengths,
    .degree = [](const LawNumbers&) { return std::optional(-1); },
    .potential_power = [](const LawNumbers&) { return std::optional(-1); },
    .least_r2 = [](const LawNumbers&) { return least_r2_of_power(2); },
    .source = [](const Bodies& bodies) { return bodies.mass; },
    .response = [](const Bodies& bodies, double coupling) { return std::vector<double>(bodies.size(), coupling); },
    .expansion = [](const LawNumbers&) { return 2; },
};

}  // namespace orrery::sim
