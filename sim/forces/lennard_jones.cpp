// SPDX-License-Identifier: MIT
#include "sim/forces/lennard_jones.hpp"

#include "sim/forces/short_range.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr std::string_view truncations[] = {"cut", "shifted", "force-shifted"};

constexpr Parameter keys[] = {
    {.name = "sigma",
     .fallback = "1.0",
     .meaning = "σ, the distance at which the potential is 0",
     .unit = "length",
     .range = positive},
    {.name = "epsilon",
     .fallback = "1.0",
     .meaning = "ε, the depth of the well",
     .unit = "energy",
     .range = not_negative},
    {.name = "cutoff", .fallback = "2.5", .meaning = "r_c: no force beyond it", .unit = "length", .range = positive},
    {.name = "truncation",
     .kind = Kind::text,
     .fallback = "\"force-shifted\"",
     .meaning = "what is 0 at the cutoff: nothing, the potential, or potential and force",
     .choices = truncations},
};

/// Includes the slope and the potential to be subtracted, for ε = 1.
LawParameters parameters_of(const Arguments& arguments) {
  const double sigma = arguments.number("sigma"), cutoff = arguments.number("cutoff");
  const std::string& truncation = arguments.text("truncation");
  const double q = (sigma * sigma) / (cutoff * cutoff), s = q * q * q;
  const double slope = truncation == truncations[2] ? (24 - 48 * s) * s / cutoff : 0.0;
  const double potential = truncation == truncations[0] ? 0.0 : 4 * s * (s - 1);
  // u(r) − u(r_c) − f·(r − r_c)
  return {{sigma * sigma, cutoff, slope, potential - slope * cutoff}};
}

LawParameters rescaled(const LawParameters& parameters, double length) {
  return {{length * length * parameters.at[0], length * parameters.at[1], parameters.at[2] / length, parameters.at[3]}};
}

}  // namespace

constinit const ForceLaw LennardJones::law = short_range_law<LennardJones, 1>(
    "lennard-jones", "Lennard-Jones, U = 4ε((σ/r)¹² − (σ/r)⁶) up to a cutoff, cut, shifted or force-shifted", keys,
    "epsilon", parameters_of, rescaled, {literature::lennardjones1931, literature::allen2017});

}  // namespace orrery::sim
