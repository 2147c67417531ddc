// SPDX-License-Identifier: MIT
#include "sim/forces/wca.hpp"

#include "sim/forces/short_range.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr double sixth_root_of_two = 1.122462048309373;

constexpr Parameter keys[] = {
    {.name = "sigma",
     .fallback = "1.0",
     .meaning = "σ, the diameter of a particle; no force beyond 2^(1/6) σ",
     .unit = "length",
     .range = positive},
    {.name = "epsilon",
     .fallback = "1.0",
     .meaning = "ε, the well depth of the full potential",
     .unit = "energy",
     .range = not_negative},
};

}  // namespace

constinit const ForceLaw Wca::law = short_range_law<Wca, 1>(
    "wca",
    "the repulsive part of Lennard-Jones, U = 4ε((σ/r)¹² − (σ/r)⁶) + ε up to 2^(1/6) σ of Weeks, Chandler "
    "and Andersen",
    keys, "epsilon",
    [](const Arguments& arguments) {
      const double sigma = arguments.number("sigma");
      return LawParameters{{sigma * sigma, sixth_root_of_two * sigma}};
    },
    [](const LawParameters& parameters, double length) {
      return LawParameters{{length * length * parameters.at[0], length * parameters.at[1]}};
    },
    {literature::weeks1971});

}  // namespace orrery::sim
