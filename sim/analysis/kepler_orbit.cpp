// SPDX-License-Identifier: MIT
#include "sim/analysis/kepler_orbit.hpp"

#include <cmath>
#include <limits>

namespace orrery::sim {
namespace {

double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace

/// Solves M = E − e sin E by Newton's method.
RelativeOrbit kepler_orbit(double mu, double semi_major_axis, double eccentricity, double t) {
  using std::cos, std::sin, std::sqrt;
  const long double a = semi_major_axis, e = eccentricity, n = sqrt(static_cast<long double>(mu) / (a * a * a));
  const long double turn = 2 * std::acos(-1.0L), mean = std::remainder(n * t, turn);
  long double E = mean + e * (mean < 0 ? -1 : 1);  // on the side from which Newton's steps never overshoot far
  for (int k = 0; k < 60; ++k) E -= (E - e * sin(E) - mean) / (1 - e * cos(E));
  const long double b = a * sqrt(1 - e * e), rate = n / (1 - e * cos(E));
  return {{static_cast<double>(a * (cos(E) - e)), static_cast<double>(b * sin(E)), 0},
          {static_cast<double>(-a * sin(E) * rate), static_cast<double>(b * cos(E) * rate), 0}};
}

OrbitalElements orbital_elements(double mu, const Vec3& position, const Vec3& velocity) {
  const double r = std::sqrt(dot(position, position));
  const Vec3 h = cross(position, velocity), vh = cross(velocity, h);
  const Vec3 e{vh.x / mu - position.x / r, vh.y / mu - position.y / r, vh.z / mu - position.z / r};
  const bool straight = h == Vec3{};
  return {.semi_major_axis = 1 / (2 / r - dot(velocity, velocity) / mu),
          .eccentricity = std::sqrt(dot(e, e)),
          .inclination = straight ? std::numeric_limits<double>::quiet_NaN() : std::atan2(std::hypot(h.x, h.y), h.z)};
}

}  // namespace orrery::sim
