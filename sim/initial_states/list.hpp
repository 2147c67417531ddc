// SPDX-License-Identifier: MIT
// All initial states, one source file each, and what they share.
#pragma once

#include <array>

#include "sim/initial_state.hpp"

namespace orrery::sim {

/// A parameter that is a positive length.
constexpr Parameter length_key(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return {.name = name, .fallback = fallback, .meaning = meaning, .unit = "length", .range = positive};
}

/// The parameter `n`.
constexpr Parameter count_key(std::string_view fallback, std::string_view meaning) {
  return {
      .name = "n", .kind = Kind::integer, .fallback = fallback, .meaning = meaning, .range = {.low = 1, .high = 1e8}};
}

/// Throws ArgumentError for `key` unless mu = G·mass is positive.
inline void require_attraction(double mu, std::string_view key) {
  if (!(mu > 0))
    throw ArgumentError(
        key, "no orbit: these masses do not attract each other (they or G are 0, or the force is one of charges)");
}

extern const InitialState arenstorf, dehnen, galaxy, galaxy_pair, hernquist, isochrone, king, lagrange_triangle,
    lattice, nfw, outer_solar_system, plummer, pythagorean, random_cube, short_range_box, solar_system, table, two_body,
    uniform_sphere;
extern const std::array<InitialState, 9> collinear_orbits;

}  // namespace orrery::sim
