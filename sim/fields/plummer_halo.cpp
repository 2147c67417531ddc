// SPDX-License-Identifier: MIT
#include "sim/fields/plummer_halo.hpp"

#include "sim/fields/shared.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "total mass", .unit = "mass", .range = not_negative},
    {.name = "scale_length",
     .fallback = "1.0",
     .meaning = "a: half the mass lies within 1.305 a",
     .unit = "length",
     .range = positive},
    field_center,
};

}  // namespace

const FieldLaw PlummerHalo::law{
    .name = "plummer-halo",
    .meaning = "external field: a fixed Plummer sphere, φ = −G mass / √(r² + scale_length²)",
    .references = {literature::plummer1911},
    .parameters = keys,
    .parameters_of =
        [](const Arguments& arguments, double G) {
          const double a = arguments.number("scale_length");
          return numbers_of(G * arguments.number("mass"), a * a, arguments);
        },
    .acceleration = scalar_acceleration<PlummerHalo>,
    .jerk = scalar_jerk<PlummerHalo>,
    .potential = scalar_potential<PlummerHalo>,
};

}  // namespace orrery::sim
