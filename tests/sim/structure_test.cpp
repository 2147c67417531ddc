// SPDX-License-Identifier: MIT
// Radii, densities and speeds of models with known formulas; few, massless and non-finite bodies.
#include "sim/analysis/structure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "sim/initial_states/list.hpp"

namespace orrery::sim {
namespace {

ParticleState moment_of(const Bodies& bodies) {
  return {bodies.mass, bodies.position, bodies.velocity};
}

Bodies plummer_of(std::int64_t n) {
  return plummer
      .make({{"n", n}, {"mass", 2.0}, {"virial_radius", 1.5}, {"virial_ratio", 0.5}}, {.G = 1, .random = Random(5, 0)})
      .bodies;
}

Bodies at(std::initializer_list<Vec3> places) {
  Bodies bodies;
  for (const Vec3& p : places) {
    bodies.position.push_back(p.x, p.y, p.z);
    bodies.velocity.push_back(0, 0, 0);
  }
  bodies.mass.assign(places.size(), 1.0);
  return bodies;
}

TEST(Structure, LagrangianRadiiOfPlummersSphere) {
  const Bodies bodies = plummer_of(40'009);
  const std::array shares{0.01, 0.1, 0.5, 0.75, 0.9};
  const auto radii = lagrangian_radii(moment_of(bodies), {}, shares);
  const double a = 3 * pi / 16 * 1.5;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    // M(r)/M = s³, s = r/√(r² + a²), truncated at the outermost thousandth.
    const double s = std::cbrt(0.999 * shares[k]), r = a * s / std::sqrt(1 - s * s);
    EXPECT_NEAR(radii[k] / r, 1, 4 / std::sqrt(40'009 * shares[k])) << shares[k];
  }
}

TEST(Structure, ProfilesFollowTheFormulas) {
  const auto misfit = [](const std::vector<Shell>& shells, auto density, double from, double to) {
    double sum = 0;
    int n = 0;
    for (const Shell& shell : shells) {
      if (shell.radius < from || shell.radius > to) continue;
      // The statistical error of the number of bodies, and the width of the shell.
      const double chance = 4 / std::sqrt(static_cast<double>(shell.bodies));
      EXPECT_NEAR(std::log(shell.density / density(shell.radius)), 0, chance + 0.05) << shell.radius;
      sum += std::log(shell.density / density(shell.radius));
      ++n;
    }
    EXPECT_GE(n, 8);
    return sum / n;
  };
  for (const std::int64_t n : {257, 10'007}) {
    const Arguments keys{{"n", n}, {"mass", 2.0}, {"virial_radius", 1.5}, {"virial_ratio", 0.5}};
    const auto shells = radial_profile(moment_of(plummer_of(n)), {});
    EXPECT_NEAR(misfit(shells, density_of(plummer.density(keys)), 0.2, n < 300 ? 2 : 6), 0, 0.15) << n;
    const Arguments ball{{"n", n}, {"mass", 3.0}, {"radius", 2.0}, {"virial_ratio", 0.0}};
    const auto even = uniform_sphere.make(ball, {.G = 1, .random = Random(6, 0)}).bodies;
    EXPECT_NEAR(misfit(radial_profile(moment_of(even), {}), density_of(uniform_sphere.density(ball)), 0.3, 1.9), 0,
                0.15)
        << n;
  }
}

TEST(Structure, ShellsHaveAllMassOnce) {
  const Bodies bodies = plummer_of(1003);
  const auto shells = radial_profile(moment_of(bodies), {});
  EXPECT_GT(shells.size(), 12U);
  std::size_t all = 0;
  for (std::size_t k = 0; k < shells.size(); ++k) {
    all += shells[k].bodies;
    EXPECT_GT(shells[k].radius, k > 0 ? shells[k - 1].radius : 0);
  }
  EXPECT_EQ(all, 1003U);
}

TEST(Structure, DensityCentreIsAtTheDensestPart) {
  Bodies bodies = plummer_of(1003);
  for (double& x : bodies.position.x) x += 7;
  for (int i = 0; i < 60; ++i) {  // thrown out, all to one side
    bodies.position.push_back(1e4 + i, 3, 0);
    bodies.velocity.push_back(0, 0, 0);
    bodies.mass.push_back(bodies.mass.front());
  }
  EXPECT_GT(center_of_mass(moment_of(bodies)).x, 400);
  const Vec3 center = center_of_density(moment_of(bodies));
  EXPECT_NEAR(center.x, 7, 0.12);
  EXPECT_NEAR(center.y, 0, 0.12);
  EXPECT_NEAR(center.z, 0, 0.12);
}

TEST(Structure, SolidBodyHasALinearRotationCurve) {
  const Arguments ball{{"n", std::int64_t{2003}}, {"mass", 1.0}, {"radius", 2.0}, {"virial_ratio", 0.0}};
  Bodies bodies = uniform_sphere.make(ball, {.G = 1, .random = Random(6, 0)}).bodies;
  const double omega = 0.7;
  Vectors &p = bodies.position, &v = bodies.velocity;
  for (std::size_t i = 0; i < p.size(); ++i) {  // about the y axis through (0.3, ·, 0.1), drifting along z
    v.x[i] = omega * (p.z[i] - 0.1);
    v.y[i] = 0.01 * static_cast<double>(i);
    v.z[i] = -omega * (p.x[i] - 0.3) + 5;
  }
  const auto rings = rotation_curve(moment_of(bodies), {0.3, 0, 0.1}, {0, 0, 5}, 1);
  EXPECT_GE(rings.size(), 12U);
  std::size_t all = 0;
  for (const Ring& ring : rings) {
    all += ring.bodies;
    // The innermost is a disc: its mean distance is 2/3 of its edge, the median 1/√2, the deviation √(1/2 − 4/9).
    EXPECT_NEAR(ring.speed / (omega * ring.radius), 1, 0.1) << ring.radius;
    EXPECT_LT(ring.dispersion, 0.4 * ring.speed) << ring.radius;
  }
  EXPECT_EQ(all, 2003U);
  // Seen from the other side the sense of rotation is opposite.
  for (double& w : v.z) w = 10 - w;
  for (double& u : v.x) u = -u;
  EXPECT_LT(rotation_curve(moment_of(bodies), {0.3, 0, 0.1}, {0, 0, 5}, 1).back().speed, 0);
}

TEST(Structure, TwoStreamsHaveADispersion) {
  Bodies bodies;
  for (int i = 0; i < 400; ++i) {
    const double angle = 2.4 * i, speed = i % 2 == 0 ? 3 : 1;
    bodies.position.push_back(std::cos(angle), std::sin(angle), 0.01 * i);
    bodies.velocity.push_back(-speed * std::sin(angle), speed * std::cos(angle), 9);
    bodies.mass.push_back(i % 2 == 0 ? 3 : 1);  // which does not count: 2 ± 1
  }
  for (const Ring& ring : rotation_curve(moment_of(bodies), {}, {}, 2)) {
    EXPECT_NEAR(ring.radius, 1, 1e-12);
    EXPECT_NEAR(ring.speed, 2, 0.1);
    EXPECT_NEAR(ring.dispersion, 1, 0.05);
  }
}

TEST(Structure, DispersionsOfPlummersSphereAreThoseOfItsFormula) {
  const Bodies bodies = plummer_of(40'009);  // isotropic: σ² = G M/(6 √(r² + a²))
  const double a = 3 * pi / 16 * 1.5;
  const auto shells = dispersion_profile(moment_of(bodies), {}, {});
  EXPECT_EQ(shells.size(), 40U);
  std::size_t all = 0;
  for (const Dispersion& shell : shells) {
    all += shell.bodies;
    const double sigma = std::sqrt(2 / (6 * std::hypot(shell.radius, a))), noise = 4 / std::sqrt(2.0 * 1000);
    EXPECT_NEAR(shell.radial / sigma, 1, noise + (shell.radius > 5 ? 0.1 : 0.02)) << shell.radius;
    EXPECT_NEAR(shell.tangential / sigma, 1, noise + (shell.radius > 5 ? 0.1 : 0.02)) << shell.radius;
    EXPECT_NEAR(shell.anisotropy(), 0, 3 * noise) << shell.radius;
  }
  EXPECT_EQ(all, 40'009U);
  EXPECT_TRUE(dispersion_profile(moment_of(plummer_of(15)), {}, {}).empty());
}

TEST(Structure, AnisotropyOfRadialAndOfCircularOrbits) {
  Bodies bodies = plummer_of(257);
  for (std::size_t i = 0; i < 257; ++i) {
    const Vectors& p = bodies.position;
    const double r = std::hypot(p.x[i], p.y[i], p.z[i]), speed = i % 2 == 0 ? 1 : -1;
    bodies.velocity.x[i] = 3 + speed * p.x[i] / r, bodies.velocity.y[i] = speed * p.y[i] / r;
    bodies.velocity.z[i] = speed * p.z[i] / r;
  }
  for (const Dispersion& shell : dispersion_profile(moment_of(bodies), {}, {3, 0, 0}))
    EXPECT_NEAR(shell.anisotropy(), 1, 1e-12);
  for (std::size_t i = 0; i < 257; ++i) {
    const Vectors& p = bodies.position;
    bodies.velocity.x[i] = -p.y[i], bodies.velocity.y[i] = p.x[i], bodies.velocity.z[i] = 0;
  }
  for (const Dispersion& shell : dispersion_profile(moment_of(bodies), {}, {})) EXPECT_LT(shell.radial, 1e-9);
}

TEST(Structure, UnboundBodiesAreThoseAboveTheEscapeSpeed) {
  Bodies bodies = plummer_of(2003);
  EXPECT_EQ(unbound_share(moment_of(bodies), {}, {}, 1), 0);
  EXPECT_EQ(unbound_share(moment_of(bodies), {}, {}, 1e-9), 1);
  for (int i = 0; i < 3; ++i) {  // far beyond all, at 0.99, 1 and 1.01 times the speed of escape from them
    bodies.position.push_back(100, 0, 0);
    bodies.velocity.push_back(0, std::sqrt(2 * 2.0 / 100) * (0.99 + 0.01 * i), 0);
    bodies.mass.push_back(1e-6);
  }
  EXPECT_NEAR(unbound_share(moment_of(bodies), {}, {}, 1), 1e-6 / 2, 1e-12);
}

/// A star at rest at the origin and `n` bodies of 1e-7 of its mass, or massless, evenly spread over a thin disk of
/// radius 1 with a hole of 0.1, on circular orbits.
Bodies star_with_disk(int n, double mass) {
  Bodies bodies = at({{0, 0, 0}});
  for (int i = 0; i < n; ++i) {
    const double r = std::sqrt(0.01 + 0.99 * (i + 0.5) / n), angle = 2.4 * i, v = 1 / std::sqrt(r);
    bodies.position.push_back(r * std::cos(angle), r * std::sin(angle), 0);
    bodies.velocity.push_back(-v * std::sin(angle), v * std::cos(angle), 0);
    bodies.mass.push_back(mass);
  }
  return bodies;
}

TEST(Structure, StarDoesNotDistortTheRotationOfItsDisk) {
  for (const double mass : {1e-7, 0.0}) {
    Bodies bodies = star_with_disk(2000, mass);
    bodies.position.x[0] = 1e-9;  // and it is never quite where the centre is
    const auto rings = rotation_curve(moment_of(bodies), {}, {}, 2);
    EXPECT_GE(rings.size(), 12U);
    for (const Ring& ring : rings) EXPECT_NEAR(ring.speed * std::sqrt(ring.radius), 1, 0.05) << ring.radius;
  }
}

TEST(Structure, DominantMassIsNotSpreadOverItsShell) {
  Bodies bodies = star_with_disk(2000, 1e-7);
  bodies.mass.back() = 1e-4;  // a planet at the edge
  const auto shells = radial_profile(moment_of(bodies), {});
  EXPECT_EQ(shells.front().apart, std::vector<std::size_t>{0});
  EXPECT_EQ(shells.back().apart, std::vector<std::size_t>{2000});
  for (const Shell& shell : shells) EXPECT_LT(shell.density, 2e-4) << shell.radius;
  EXPECT_LT(shells.back().density, 1e-4) << "the planet alone would be as much";
  for (const double companion : {0.9, 1.0, 1e-3}) {  // stars of a pair do not hide each other
    bodies.mass[1] = companion;
    const auto two = radial_profile(moment_of(bodies), {});
    EXPECT_EQ(two.front().apart, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(two.front().bodies + 2, shells.front().bodies + 1);
  }
  for (const Shell& shell : radial_profile(moment_of(plummer_of(300)), {})) EXPECT_TRUE(shell.apart.empty());
}

TEST(Structure, FewBodies) {
  const std::array shares{0.3, 0.5, 1.0};
  const Bodies none = at({});
  EXPECT_EQ(lagrangian_radii(moment_of(none), {}, shares), (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(radial_profile(moment_of(none), {}).empty());
  EXPECT_TRUE(rotation_curve(moment_of(none), {}, {}, 2).empty());
  const Bodies one = at({{1, 2, 3}});
  EXPECT_EQ(center_of_density(moment_of(one)), (Vec3{1, 2, 3}));
  EXPECT_TRUE(radial_profile(moment_of(one), {1, 2, 3}).empty());
  EXPECT_TRUE(rotation_curve(moment_of(one), {1, 2, 3}, {}, 2).empty());
  const Bodies two = at({{1, 0, 0}, {-2, 0, 0}});
  EXPECT_EQ(lagrangian_radii(moment_of(two), {}, shares), (std::vector<double>{1, 1, 2}));
  EXPECT_EQ(radial_profile(moment_of(two), {}).size(), 2U);
  EXPECT_EQ(rotation_curve(moment_of(two), {}, {}, 2).size(), 2U);
  const Bodies three = at({{1, 0, 0}, {0, 2, 0}, {0, 0, 4}});
  EXPECT_EQ(lagrangian_radii(moment_of(three), {}, shares), (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(rotation_curve(moment_of(three), {}, {}, 2).size(), 2U) << "one is on the axis";
  EXPECT_EQ(rotation_curve(moment_of(three), {}, {}, 2)[1].dispersion, 0);
}

TEST(Structure, MasslessBodiesCountIfAllAreMassless) {
  const std::array half{0.5};
  Bodies bodies = at({{1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  bodies.mass = {0, 1, 1};
  EXPECT_EQ(lagrangian_radii(moment_of(bodies), {}, half).front(), 2);
  EXPECT_EQ(radial_profile(moment_of(bodies), {}).size(), 2U);
  bodies.mass = {0, 0, 0};
  EXPECT_EQ(lagrangian_radii(moment_of(bodies), {}, half).front(), 2);
  EXPECT_EQ(radial_profile(moment_of(bodies), {}).size(), 3U);
  bodies.position.x[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(center_of_mass(moment_of(bodies)), (Vec3{2.5, 0, 0}));
}

}  // namespace
}  // namespace orrery::sim
