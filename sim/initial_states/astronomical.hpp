// SPDX-License-Identifier: MIT
// Numbers in au, days and masses of the Sun, in the units of a scenario.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/initial_state.hpp"

namespace orrery::sim {

/// Factors from au, M☉ and au/d to the units of a scenario; without units lengths and masses stay.
struct AstronomicalScale {
  double length, mass, speed;

  /// `their_G`: G with which the numbers are meant, in au³/(M☉ d²). Another G means another unit of time for the same orbits.
  AstronomicalScale(const Environment& environment, double their_G) {
    constexpr SystemOfUnits theirs{.length = 149597870700.0, .mass = 1.988409870698051e30, .time = 86400.0};
    const SystemOfUnits& units = environment.units.value_or(theirs);
    length = theirs.length / units.length;
    mass = theirs.mass / units.mass;
    speed = std::sqrt(std::max(environment.G, 0.0) / their_G) * std::sqrt(mass / length);
  }
};

}  // namespace orrery::sim
