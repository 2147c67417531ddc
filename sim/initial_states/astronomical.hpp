// SPDX-License-Identifier: MIT
// Numbers in au, days and masses of the Sun, in other units and axes.
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

/// From axes of the mean equator and equinox J2000 to those of the ecliptic, whose obliquity is 84381.448″ (IAU 1976), as in
/// most ephemerides.
constexpr Vec3 ecliptic_of(const Vec3& equatorial) {
  constexpr double cosine = 0.91748206206918181, sine = 0.39777715593191371;
  return {equatorial.x, cosine * equatorial.y + sine * equatorial.z, cosine * equatorial.z - sine * equatorial.y};
}

}  // namespace orrery::sim
