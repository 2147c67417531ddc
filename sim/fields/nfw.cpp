// SPDX-License-Identifier: MIT
#include "sim/fields/nfw.hpp"

#include "sim/fields/shared.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "mass",
     .fallback = "1.0",
     .meaning = "within concentration·scale_length, where nothing ends",
     .unit = "mass",
     .range = not_negative},
    {.name = "scale_length",
     .fallback = "1.0",
     .meaning = "r_s, where the density falls as r⁻²",
     .unit = "length",
     .range = positive},
    {.name = "concentration",
     .fallback = "10.0",
     .meaning = "radius that contains `mass`, over r_s",
     .range = positive},
    field_center,
};

}  // namespace

const FieldLaw Nfw::law{
    .name = "nfw",
    .meaning = "external field: the halo of Navarro, Frenk & White, density ∝ 1/(r (1 + r/scale_length)²)",
    .references = {literature::navarro1997},
    .parameters = keys,
    .parameters_of =
        [](const Arguments& arguments, double G) {
          const double rs = arguments.number("scale_length"), c = arguments.number("concentration");
          const double share = c * c * c * shape(Scalar(c * c)).pull.value;
          return numbers_of(G * arguments.number("mass") / (share * rs * rs * rs), rs * rs, arguments);
        },
    .acceleration = scalar_acceleration<Nfw>,
    .jerk = scalar_jerk<Nfw>,
    .potential = scalar_potential<Nfw>,
};

}  // namespace orrery::sim
