// SPDX-License-Identifier: MIT
#include "sim/angles.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/stumpff.hpp"

namespace orrery::sim {
namespace {

/// Turned by `quarter` quarters of a turn.
template <class Pair>
Pair turned(const Pair& d, std::int64_t quarter) {
  switch (quarter & 3) {
    case 0:
      return d;
    case 1:
      return {-d.sine, d.cosine};
    case 2:
      return {-d.cosine, -d.sine};
    default:
      return {d.sine, -d.cosine};
  }
}

/// Of an angle in radians up to a bit more than π/4.
PreciseDirection small_direction(TwoDoubles angle) {
  const auto [c0, c1, c2, c3] = stumpff(angle * angle);
  return {c0, angle * c1};
}

}  // namespace

PreciseDirection precise_direction_of_degrees(double degrees) {
  const double within = std::remainder(degrees, 360.0);  // exact, as IEEE 754 requires
  const double quarter = std::floor(within / 90 + 0.5);
  const TwoDoubles angle = TwoDoubles(within - 90 * quarter) * (precise_pi / 180.0);  // the difference is exact
  return turned(small_direction(angle), static_cast<std::int64_t>(quarter));
}

PreciseDirection precise_direction(TwoDoubles radians) {
  const double quarter = std::floor(radians.high * (2 / precise_pi.high) + 0.5);
  return turned(small_direction(radians - TwoDoubles(quarter) * (precise_pi * 0.5)),
                static_cast<std::int64_t>(quarter));
}

Direction direction_of_degrees(double degrees) {
  const auto [cosine, sine] = precise_direction_of_degrees(degrees);
  return {cosine.high, sine.high};
}

Direction direction_of_radians(double radians) {
  const auto [cosine, sine] = precise_direction(radians);
  return {cosine.high, sine.high};
}

TwoDoubles arc_tangent(TwoDoubles y, TwoDoubles x) {
  const bool left = x.high < 0, down = y.high < 0;
  if (left) x = -x;
  if (down) y = -y;
  const bool steep = y.high > x.high;
  if (steep) std::swap(x, y);
  if (!(x.high > 0)) return 0.0;
  const TwoDoubles t = y / x;
  // From within 0.005, sin(θ − angle) = (t cos − sin)/√(1 + t²) leaves a third of a cube of the error, twice with
  // doubles and once with two.
  const double length = std::sqrt(1 + t.high * t.high);
  TwoDoubles angle = t.high / (1 + 0.28 * t.high * t.high);
  for (int k = 0; k < 2; ++k) {
    const auto [c0, c1, c2, c3] = stumpff(angle.high * angle.high);
    angle = angle.high + (t.high * c0 - angle.high * c1) / length;
  }
  const auto [cosine, sine] = small_direction(angle);
  angle = angle + (t * cosine - sine).high / length;
  if (steep) angle = precise_pi * 0.5 - angle;
  if (left) angle = precise_pi - angle;
  return down ? -angle : angle;
}

double arc_tangent(double y, double x) {
  return arc_tangent(TwoDoubles(y), TwoDoubles(x)).high;
}

}  // namespace orrery::sim
