// SPDX-License-Identifier: MIT
#include "sim/forces/repulsive.hpp"

#include "sim/forces/short_range.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter keys[] = {
    {.name = "cutoff", .fallback = "0.01", .meaning = "r_c: no force beyond it", .unit = "length", .range = positive},
    {.name = "strength", .fallback = "1.0", .meaning = "of the force", .range = not_negative},
};

LawParameters parameters_of(const Arguments& arguments) {
  const double cutoff = arguments.number("cutoff"), least = cutoff / 100;
  return {{cutoff, least * least}};
}

LawParameters rescaled(const LawParameters& parameters, double length) {
  return {{length * parameters.at[0], length * length * parameters.at[1]}};
}

}  // namespace

constinit const ForceLaw Repulsive::law = short_range_law<Repulsive, 0>(
    "repulsive", "short-range repulsion of strength (r_c/r − 1)/r up to r_c, as in courses on parallel computing", keys,
    "strength", parameters_of, rescaled);

}  // namespace orrery::sim
