// SPDX-License-Identifier: MIT
#include "sim/forces/soft.hpp"

#include "sim/forces/short_range.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "cutoff", .fallback = "1.0", .meaning = "r_c: no force beyond it", .unit = "length", .range = positive},
    {.name = "strength", .fallback = "1.0", .meaning = "force at distance 0", .range = not_negative},
};

}  // namespace

constinit const ForceLaw Soft::law = short_range_law<Soft, 0>(
    "soft", "soft spheres, a repulsion of strength (1 − r/r_c) up to r_c", keys, "strength",
    [](const Arguments& arguments) {
      const double cutoff = arguments.number("cutoff");
      return LawParameters{{cutoff, 1 / cutoff}};
    },
    [](const LawParameters& parameters, double length) {
      return LawParameters{{length * parameters.at[0], parameters.at[1] / length}};
    },
    {literature::groot1997});

}  // namespace orrery::sim
