// SPDX-License-Identifier: MIT
#include "sim/forces/repulsive.hpp"

#include "sim/forces/short_range.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "cutoff", .fallback = "0.01", .meaning = "r_c: no force beyond it", .unit = "length", .range = positive},
    {.name = "strength", .fallback = "1.0", .meaning = "of the force", .range = not_negative},
};

LawNumbers numbers(const Arguments& arguments) {
  const double cutoff = arguments.number("cutoff"), least = cutoff / 100;
  return {{cutoff, least * least}};
}

LawNumbers rescaled(const LawNumbers& numbers, double length) {
  return {{length * numbers.at[0], length * length * numbers.at[1]}};
}

}  // namespace

constinit const ForceLaw Repulsive::law = short_range_law<Repulsive, 0>(
    "repulsive", "short-range repulsion of strength (r_c/r − 1)/r up to r_c, as in courses on parallel computing",
    parameters, "strength", numbers, rescaled);

}  // namespace orrery::sim
