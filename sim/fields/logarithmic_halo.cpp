// SPDX-License-Identifier: MIT
#include "sim/fields/logarithmic_halo.hpp"

#include "sim/fields/shared.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "v0",
     .fallback = "1.0",
     .meaning = "circular speed far outside the core",
     .unit = "length/time",
     .range = not_negative},
    {.name = "core_radius",
     .fallback = "1.0",
     .meaning = "radius at which the circular speed is v0/√2",
     .unit = "length",
     .range = positive},
    field_center,
};

}  // namespace

const FieldLaw LogarithmicHalo::law{
    .name = "logarithmic-halo",
    .meaning = "external field: a dark halo with a flat rotation curve, φ = ½ v0² ln(1 + r²/core_radius²)",
    .references = {{literature::binney2008, "2.3.2"}},
    .parameters = keys,
    .parameters_of =
        [](const Arguments& arguments, double) {
          const double v0 = arguments.number("v0"), core = arguments.number("core_radius");
          return numbers_of(v0 * v0, core * core, arguments);
        },
    .acceleration = scalar_acceleration<LogarithmicHalo>,
    .jerk = scalar_jerk<LogarithmicHalo>,
    .potential = scalar_potential<LogarithmicHalo>,
};

}  // namespace orrery::sim
