// SPDX-License-Identifier: MIT
#include "sim/fields/point_mass.hpp"

#include "sim/fields/shared.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "its mass", .unit = "mass", .range = not_negative},
    {.name = "softening",
     .fallback = "0.0",
     .meaning = "Plummer softening ε: r² + ε² takes the place of r²",
     .unit = "length",
     .range = not_negative},
    field_center,
};

}  // namespace

const FieldLaw PointMass::law{
    .name = "point-mass",
    .meaning = "external field: a point mass that does not move, φ = −G mass / √(r² + softening²)",
    .parameters = keys,
    .parameters_of =
        [](const Arguments& arguments, double G) {
          const double epsilon = arguments.number("softening");
          return numbers_of(G * arguments.number("mass"), epsilon * epsilon, arguments);
        },
    .acceleration = scalar_acceleration<PointMass>,
    .jerk = scalar_jerk<PointMass>,
    .potential = scalar_potential<PointMass>,
};

}  // namespace orrery::sim
