// SPDX-License-Identifier: MIT
// How gravity describes itself.
#include "sim/forces/gravity.hpp"

#include "sim/scalar.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "softening",
     .fallback = "0.0",
     .meaning = "Plummer softening ε: r² + ε² takes the place of r²",
     .unit = "length",
     .range = not_negative},
    {.name = "G",
     .fallback = "1.0",
     .meaning = "gravitational constant; only where no units are named",
     .range = not_negative},
};

}  // namespace

const ForceLaw Gravity::law{
    .name = "gravity",
    .meaning = "Newtonian gravity of all pairs, a_i = G Σ m_j (x_j − x_i) / (r² + ε²)^(3/2)",
    .parameters = parameters,
    .c = [](double r2, double) { return c(Scalar(r2)).value; },
    .u = [](double r2, double) { return u(Scalar(r2)).value; },
    .falloff = [](double) { return 2; },
    .source = [](const Bodies& bodies) { return bodies.mass; },
    .response = [](const Bodies& bodies, double coupling) { return std::vector<double>(bodies.size(), coupling); },
};

}  // namespace orrery::sim
