// SPDX-License-Identifier: MIT
// How the attraction as a power of the distance describes itself.
#include "sim/forces/inverse_power.hpp"

#include "sim/forces/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    softening_key,
    {.name = "exponent",
     .kind = Kind::integer,
     .fallback = "2",
     .meaning = "n: with 2 it is gravity, with 1 the potential is a logarithm",
     .range = {.low = 1, .high = 8}},
    {.name = "strength",
     .fallback = "1.0",
     .meaning = "the attraction of two unit masses at distance 1; units other than \"nbody\" need it here",
     .range = not_negative},
};

}  // namespace

const ForceLaw InversePower::law{
    .name = "inverse-power",
    .meaning = "attraction as r⁻ⁿ of all pairs, a_i = strength Σ m_j (x_j − x_i) / (r² + ε²)^((n+1)/2)",
    .parameters = parameters,
    .coupling = "strength",
    .number = [](const Arguments& arguments) { return static_cast<double>(arguments.integer("exponent")); },
    .c = scalar_c<InversePower>,
    .slope = scalar_slope<InversePower>,
    .u = scalar_u<InversePower>,
    .falloff = [](double n) { return static_cast<int>(n); },
    .source = [](const Bodies& bodies) { return bodies.mass; },
    .response = [](const Bodies& bodies, double coupling) { return std::vector<double>(bodies.size(), coupling); },
};

}  // namespace orrery::sim
