// SPDX-License-Identifier: MIT
// Sine, cosine and arc tangent made of IEEE 754 basic operations, which give the same bits everywhere.
#pragma once

#include "sim/elementary.hpp"
#include "sim/two_doubles.hpp"

namespace orrery::sim {

/// The direction at an angle in degrees, which is reduced exactly, or in radians, |angle| < 10⁶; errors below one unit in the
/// last place.
Direction direction_of_degrees(double degrees);
Direction direction_of_radians(double radians);
/// The angle of the vector (x, y) from the x axis in radians, −π … π; error below one unit in the last place. 0 for a
/// vector without length.
double arc_tangent(double y, double x);

/// The same in two doubles, with relative errors below 10⁻²⁸ (of radians, below 10⁻³⁰·|angle|).
struct PreciseDirection {
  TwoDoubles cosine, sine;
};
PreciseDirection precise_direction_of_degrees(double degrees);
PreciseDirection precise_direction(TwoDoubles radians);
TwoDoubles arc_tangent(TwoDoubles y, TwoDoubles x);
inline constexpr TwoDoubles precise_pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

}  // namespace orrery::sim
