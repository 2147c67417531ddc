// SPDX-License-Identifier: MIT
// Osculating elements of known orbits, for every kind of conic section and any orientation.

#include <gtest/gtest.h>

#include <cmath>

#include "sim/orbit.hpp"

namespace orrery::sim {
namespace {

/// Turned about z by `about`, then tilted about x by `tilt`.
Vec3 turned(const Vec3& v, double about, double tilt) {
  const double x = v.x * std::cos(about) - v.y * std::sin(about), y = v.x * std::sin(about) + v.y * std::cos(about);
  return {x, y * std::cos(tilt) - v.z * std::sin(tilt), y * std::sin(tilt) + v.z * std::cos(tilt)};
}

TEST(OrbitalElements, AreConstantOnAnEllipse) {
  for (const double e : {0.0, 1e-9, 0.3, 0.9, 0.999}) {
    for (const double tilt : {0.0, 1e-6, 0.7, M_PI / 2, 3.0}) {
      for (const double t : {0.0, 0.37, 2.9, 5.1}) {
        SCOPED_TRACE(::testing::Message() << e << " " << tilt << " " << t);
        constexpr double mu = 3.7, a = 1.3;
        const RelativeState at = kepler_orbit(mu, a, e, t);
        const auto found = elements_of(mu, turned(at.position, 0.4, tilt), turned(at.velocity, 0.4, tilt));
        EXPECT_NEAR(found.semi_major_axis, a, 1e-11);
        EXPECT_NEAR(found.eccentricity, e, 1e-13);
        EXPECT_NEAR(found.inclination * M_PI / 180, tilt, 1e-13);
      }
    }
  }
}

TEST(OrbitalElements, CircleInThePlane) {
  const auto circle = elements_of(4, {2, 0, 0}, {0, std::sqrt(2), 0});
  EXPECT_DOUBLE_EQ(circle.semi_major_axis, 2);
  EXPECT_NEAR(circle.eccentricity, 0, 3e-16);
  EXPECT_EQ(circle.inclination, 0);
  const auto backward = elements_of(4, {2, 0, 0}, {0, -std::sqrt(2), 0});
  EXPECT_EQ(backward.inclination, 180);
}

TEST(OrbitalElements, AHyperbolaAndAParabola) {
  // From the pericentre q = a (1 − e), where v² = μ (1 + e)/q.
  const double mu = 2.5, q = 0.8;
  for (const double e : {1.2, 3.0, 50.0}) {
    const double v = std::sqrt(mu * (1 + e) / q);
    const auto found = elements_of(mu, {0, q, 0}, {-v * std::cos(0.3), 0, v * std::sin(0.3)});
    EXPECT_NEAR(found.semi_major_axis, q / (1 - e), 1e-13);
    EXPECT_NEAR(found.eccentricity, e, 1e-13 * e);
    EXPECT_NEAR(found.inclination * M_PI / 180, 0.3, 1e-14);
  }
  const auto parabola = elements_of(2, {1, 0, 0}, {0, 2, 0});
  EXPECT_TRUE(std::isinf(parabola.semi_major_axis));
  EXPECT_DOUBLE_EQ(parabola.eccentricity, 1);
}

TEST(OrbitalElements, RadialOrbitHasNoPlane) {
  const auto fall = elements_of(1, {1, 2, 2}, {0, 0, 0});
  EXPECT_DOUBLE_EQ(fall.semi_major_axis, 1.5);
  EXPECT_DOUBLE_EQ(fall.eccentricity, 1);
  EXPECT_TRUE(std::isnan(fall.inclination));
}

}  // namespace
}  // namespace orrery::sim
