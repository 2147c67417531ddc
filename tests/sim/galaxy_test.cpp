// SPDX-License-Identifier: MIT
// The initial galaxy: its shape, equilibrium, the requested Q, and the same bits everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/backends/cpu.hpp"
#include "sim/initial_states/galaxy_model.hpp"
#include "sim/initial_states/list.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

using ::testing::ElementsAre;

constexpr double softening = 0.05;

ExternalField halo() {
  const FieldLaw& law = **std::ranges::find(field_laws(), "logarithmic-halo", &FieldLaw::name);
  return {&law,
          law.parameters_of(Arguments{{"v0", 0.7}, {"core_radius", 0.5}, {"center", std::vector<double>{0, 0, 0}}}, 1)};
}

Arguments arguments(std::int64_t n, const std::map<std::string, double>& others = {}) {
  Arguments values{{"n", n},      {"mass", 1.0},   {"bulge_fraction", 0.15}, {"scale_length", 1.0},
                   {"edge", 5.0}, {"height", 0.1}, {"bulge_length", 0.2},    {"toomre_q", 1.2}};
  for (const auto& [name, value] : others) values.set(name, value);
  return values;
}

Environment environment(double G = 1) {
  return {.G = G, .random = Random(3, 0), .softening = softening, .fields = {halo()}};
}

Snapshot at_rest(const Bodies& bodies) {
  Snapshot s;
  s.position = bodies.position, s.velocity = bodies.velocity;
  return s;
}

System system_in_halo(const Bodies& bodies) {
  System system = system_of(bodies, softening);
  system.fields.push_back(halo());
  return system;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Radius, radial and azimuthal speed of body i in the plane.
struct InPlane {
  double R, vR, vphi;
};
InPlane in_plane(const Bodies& b, std::size_t i) {
  const double x = b.position.x[i], y = b.position.y[i], vx = b.velocity.x[i], vy = b.velocity.y[i],
               R = std::hypot(x, y);
  return {R, (x * vx + y * vy) / R, (x * vy - y * vx) / R};
}

/// Committed bits, the same on every machine and compiler.
TEST(Galaxy, HasTheCommittedBits) {
  EXPECT_EQ(fingerprint(at_rest(galaxy.make(arguments(1000), environment()).bodies)), 0xa6b3dc67e8044b25ULL);
}

TEST(Galaxy, IsValidForAnyN) {
  for (const std::int64_t n : {1, 2, 3, 257}) {
    for (const double share : {0.0, 0.15, 1.0}) {
      const auto made = galaxy.make(arguments(n, {{"bulge_fraction", share}}), environment());
      const Bodies& b = made.bodies;
      ASSERT_EQ(b.size(), static_cast<std::size_t>(n));
      EXPECT_EQ(b.species.size(), b.size());
      EXPECT_NEAR(total(b.mass), 1, 1e-14);
      for (const Vectors* v : {&b.position, &b.velocity}) {
        for (const auto* axis : {&v->x, &v->y, &v->z}) {
          EXPECT_NEAR(total(*axis), 0, 1e-12) << n;  // the centre of mass rests at the origin
          for (const double value : *axis) EXPECT_LT(std::abs(value), 10);
        }
      }
      EXPECT_EQ(static_cast<std::size_t>(*std::ranges::max_element(b.species)) + 1, made.components.size());
    }
  }
  EXPECT_THAT(galaxy.make(arguments(257), environment()).components, ElementsAre("disk", "bulge"));
  EXPECT_THAT(galaxy.make(arguments(257, {{"bulge_fraction", 1}}), environment()).components, ElementsAre("bulge"));
}

TEST(Galaxy, IsValidAtExtremeParameters) {
  for (const auto& odd : std::vector<std::map<std::string, double>>{{{"toomre_q", 0}},
                                                                    {{"mass", 0}},
                                                                    {{"edge", 500}},
                                                                    {{"edge", 0.01}},
                                                                    {{"height", 3}},
                                                                    {{"bulge_length", 4}},
                                                                    {{"toomre_q", 9}}}) {
    for (const Environment& around : {environment(), environment(0), Environment{}}) {
      const Bodies b = galaxy.make(arguments(33, odd), around).bodies;
      for (const Vectors* v : {&b.position, &b.velocity}) {
        for (const auto* axis : {&v->x, &v->y, &v->z}) EXPECT_TRUE(std::isfinite(total(*axis))) << odd.begin()->first;
      }
    }
  }
}

TEST(Galaxy, HasTheProfilesOfItsModel) {
  const auto made = galaxy.make(arguments(20000), environment());
  const Bodies& b = made.bodies;
  double R_sum = 0, z2 = 0, disk = 0, inner = 0, half = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double R = in_plane(b, i).R, z = b.position.z[i], r = std::hypot(R, z);
    if (b.species[i] == 0) {
      R_sum += R, z2 += z * z, ++disk;
      inner += R < 1;
      EXPECT_LT(R, 5.01);
    } else {
      half += r < 0.36388;  // of ρ ∝ sech(r/2)/(r (r + 0.2)³), by numerical integration
    }
  }
  const auto share = [](double x) { return 1 - (1 + x) * std::exp(-x); };
  EXPECT_EQ(disk, 17000);
  EXPECT_NEAR(R_sum / disk, (2 - std::exp(-5) * (25 + 10 + 2)) / share(5), 0.01);
  EXPECT_NEAR(inner / disk, share(1) / share(5), 0.002);
  EXPECT_NEAR(std::sqrt(z2 / disk), 0.1 * pi / std::sqrt(12.0), 0.001);
  EXPECT_NEAR(half / 3000, 0.5, 0.002);
  EXPECT_EQ(made.timescale_name, "rotation");
}

/// The force of the smooth model agrees with that of its bodies, including softening, thickness and halo.
TEST(Galaxy, ModelForceEqualsForceOfBodies) {
  const Bodies b = galaxy.make(arguments(20000), environment()).bodies;
  const GalaxyModel model({0.85, 1, 0.1, 5, 0.15, 0.2, 1.2}, environment());
  const auto cpu = make_cpu_backend(system_in_halo(b), 2, 0);
  cpu->accelerate();
  const Vectors a = cpu->download(Column::acceleration);
  for (const double R0 : {0.3, 0.6, 1.0, 2.0, 3.5}) {
    double found = 0, expected = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double R = in_plane(b, i).R;
      if (b.species[i] != 0 || std::abs(R - R0) > 0.1) continue;
      found -= b.position.x[i] * a.x[i] + b.position.y[i] * a.y[i];
      expected += model.circular_speed2(R);
    }
    EXPECT_NEAR(found / expected, 1, 0.03) << R0;
  }
  const double omega2 = model.circular_speed2(2) / 4;
  EXPECT_NEAR(galaxy.make(arguments(3), environment()).timescale, 2 * pi / std::sqrt(omega2), 1e-12);
}

/// 2T/|Σ m x·a| of the bodies from `first` to before `last`.
double virial_ratio(const System& system, std::size_t first, std::size_t last) {
  const auto cpu = make_cpu_backend(system, 2, 0);
  cpu->accelerate();
  const Vectors a = cpu->download(Column::acceleration);
  const Bodies& b = system.bodies;
  double motion = 0, pull = 0;
  for (std::size_t i = first; i < last; ++i) {
    const auto &x = b.position, &v = b.velocity;
    motion += b.mass[i] * (v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i]);
    pull -= b.mass[i] * (x.x[i] * a.x[i] + x.y[i] * a.y[i] + x.z[i] * a.z[i]);
  }
  return motion / pull;
}

/// Disk and bulge, of any shares: in a halo that is a field, alone, and in a live halo.
TEST(Galaxy, IsInEquilibrium) {
  const std::size_t n = 6000;
  for (const double share : {0.0, 0.15, 1.0}) {
    const Arguments values = arguments(n, {{"bulge_fraction", share}});
    EXPECT_NEAR(virial_ratio(system_in_halo(galaxy.make(values, environment()).bodies), 0, n), 1, 0.03) << share;
    Environment empty = environment();
    empty.fields.clear();
    EXPECT_NEAR(virial_ratio(system_of(galaxy.make(values, empty).bodies, softening), 0, n), 1, 0.04) << share;

    const Arguments of_halo{{"n", std::int64_t{n}}, {"mass", 5.0}, {"virial_radius", 6.0}, {"virial_ratio", 0.5}};
    Environment in_galaxy = empty, in_halo = empty;
    in_galaxy.random = Random(3, 1);
    in_galaxy.companions = {galaxy.enclosed_mass(values, empty)};
    in_halo.companions = {plummer.enclosed_mass(of_halo, empty)};
    Bodies all = galaxy.make(values, in_halo).bodies;
    const double alone = virial_ratio(system_of(all, softening), 0, n);
    EXPECT_GT(alone, share < 1 ? 1.2 : 1.03) << "too fast without the halo";
    const Bodies halo = plummer.make(of_halo, in_galaxy).bodies;
    for (const auto& [to, from] : {std::pair{&all.position, &halo.position}, {&all.velocity, &halo.velocity}}) {
      for (std::size_t i = 0; i < n; ++i) to->push_back(from->x[i], from->y[i], from->z[i]);
    }
    all.mass.insert(all.mass.end(), halo.mass.begin(), halo.mass.end());
    all.species.insert(all.species.end(), n, 2);
    EXPECT_NEAR(virial_ratio(system_of(all, softening), 0, n), 1, 0.03) << share;
  }
}

/// The mass that other components reckon with is that of the bodies.
TEST(Galaxy, EnclosesTheMassOfItsBodies) {
  const Bodies b = galaxy.make(arguments(5000), environment()).bodies;
  const MassProfile mass = galaxy.enclosed_mass(arguments(5000), environment());
  for (const double r : {0.1, 0.5, 1.0, 2.0, 4.0, 9.0}) {
    double within = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      within += std::hypot(b.position.x[i], b.position.y[i], b.position.z[i]) < r ? b.mass[i] : 0;
    EXPECT_NEAR(mass(r), within, 0.012) << r;
  }
}

TEST(Galaxy, HasTheRequestedToomreQ) {
  for (const double Q : {1.2, 2.0}) {
    const Bodies b = galaxy.make(arguments(40000, {{"toomre_q", Q}}), environment()).bodies;
    const GalaxyModel model({0.85, 1, 0.1, 5, 0.15, 0.2, Q}, environment());
    for (const double R0 : {1.0, 2.0, 3.0}) {
      double count = 0, square = 0, mean = 0, turn2 = 0;
      for (std::size_t i = 0; i < b.size(); ++i) {
        const InPlane body = in_plane(b, i);
        if (b.species[i] != 0 || std::abs(body.R - R0) > 0.15) continue;
        ++count, square += body.vR * body.vR, mean += body.vphi, turn2 += body.vphi * body.vphi;
      }
      const double density = count / 40000 / (4 * pi * R0 * 0.15), sigma = std::sqrt(square / count);
      const double kappa = std::sqrt(model.epicyclic_frequency2(R0)), omega = std::sqrt(model.circular_speed2(R0)) / R0;
      EXPECT_NEAR(sigma * kappa / (3.36 * density) / Q, 1, 0.06) << R0;
      mean /= count;
      EXPECT_NEAR(std::sqrt(turn2 / count - mean * mean) / sigma, kappa / (2 * omega), 0.06) << R0;
      EXPECT_LT(mean, omega * R0);  // asymmetric drift
      EXPECT_GT(mean, 0.7 * omega * R0);
    }
  }
}

}  // namespace
}  // namespace orrery::sim::testing
