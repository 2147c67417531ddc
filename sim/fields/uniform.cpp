// SPDX-License-Identifier: MIT
#include "sim/fields/uniform.hpp"

#include "sim/fields/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "acceleration",
     .kind = Kind::numbers,
     .fallback = "[0.0, 0.0, -1.0]",
     .meaning = "the acceleration of every body",
     .unit = "length/time²",
     .count = 3},
};

}  // namespace

const FieldLaw Uniform::law{
    .name = "uniform",
    .meaning = "external field: the same acceleration everywhere, φ = −acceleration·x",
    .parameters = keys,
    .parameters_of =
        [](const Arguments& arguments, double) {
          const auto& g = arguments.numbers("acceleration");
          return LawParameters{{g[0], g[1], g[2]}};
        },
    .acceleration = scalar_acceleration<Uniform>,
    .jerk = scalar_jerk<Uniform>,
    .potential = scalar_potential<Uniform>,
};

}  // namespace orrery::sim
