// SPDX-License-Identifier: MIT
// Vectors rather than angles: nothing is divided by that vanishes on a circle or in the plane.
#include "sim/analysis/orbital_elements.hpp"

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
