// SPDX-License-Identifier: MIT
#include "sim/fields/miyamoto_nagai.hpp"

#include "sim/fields/shared.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "total mass", .unit = "mass", .range = not_negative},
    {.name = "scale_length",
     .fallback = "1.0",
     .meaning = "a: of the disk in its plane; 0 is Plummer's sphere",
     .unit = "length",
     .range = not_negative},
    {.name = "scale_height",
     .fallback = "0.1",
     .meaning = "b: of the disk across its plane, z = 0",
     .unit = "length",
     .range = positive},
    field_center,
};

}  // namespace

const FieldLaw MiyamotoNagai::law{
    .name = "miyamoto-nagai",
    .meaning = "external field: a disk about the axis z, φ = −G mass / √(R² + (scale_length + √(z² + scale_height²))²)",
    .references = {literature::miyamoto1975},
    .parameters = keys,
    .parameters_of =
        [](const Arguments& arguments, double G) {
          const double b = arguments.number("scale_height");
          LawParameters numbers = numbers_of(G * arguments.number("mass"), arguments.number("scale_length"), arguments);
          numbers.at[5] = b * b;
          return numbers;
        },
    .acceleration = scalar_acceleration<MiyamotoNagai>,
    .jerk = scalar_jerk<MiyamotoNagai>,
    .potential = scalar_potential<MiyamotoNagai>,
};

}  // namespace orrery::sim
