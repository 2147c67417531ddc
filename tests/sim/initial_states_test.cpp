// SPDX-License-Identifier: MIT
// Initial states have the energies, shapes and timescales of theory; random numbers are those of the paper.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/orbit.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

double distance(const Vectors& x, std::size_t i, std::size_t j) {
  return std::hypot(x.x[j] - x.x[i], x.y[j] - x.y[i], x.z[j] - x.z[i]);
}

/// Known answers of Philox, published by its authors with Random123.
TEST(Random, IsPhilox) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsUniform) {
  const Random random(7, 3);
  double sum = 0, square = 0;
  const int n = 100000;
  for (int k = 0; k < n; ++k) {
    const double u = random.uniform(static_cast<std::uint64_t>(k));
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u, square += u * u;
  }
  EXPECT_NEAR(sum / n, 1.0 / 2, 0.003);
  EXPECT_NEAR(square / n, 1.0 / 3, 0.003);
  EXPECT_NE(random.uniform(5), Random(7, 4).uniform(5));
  EXPECT_NE(random.uniform(5), Random(8, 3).uniform(5));
  EXPECT_NE(Random(1, 0).uniform(0), Random(1ULL << 32 | 1, 0).uniform(0));
}

TEST(TwoBody, StartsAtPericentreAndReturnsAfterAPeriod) {
  double period = 0;
  const Bodies bodies = kepler(0.6, &period);
  EXPECT_NEAR(distance(bodies.position, 0, 1), 1.3 * 0.4, 1e-15);
  EXPECT_NEAR(period, 2 * pi * std::sqrt(1.3 * 1.3 * 1.3 / 1.25), 1e-14);
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  const Snapshot half = run(*cpu, integrator("yoshida4"), period / 20000, 10000);
  EXPECT_NEAR(distance(half.position, 0, 1), 1.3 * 1.6, 1e-9);
}

TEST(TwoBody, WithoutMassIsRefused) {
  const Arguments none{{"masses", std::vector<double>{0, 0}}, {"semi_major_axis", 1.0}, {"eccentricity", 0.0}};
  EXPECT_THROW((void)two_body.make(none, {}), ArgumentError);
}

/// Lagrange's solution: at any time the triangle is equilateral, and its side is the distance on a Kepler orbit.
TEST(LagrangeTriangle, KeepsItsShapeForAnyMassesAndEccentricity) {
  const std::vector<double> all[] = {{1.0, 0.02, 0.005}, {3, 4, 5}, {1, 0, 0}, {0, 2, 1e-9}};
  for (const auto& masses : all) {
    for (const double e : {0.0, 0.3, 0.9, 0.96}) {
      const Arguments arguments{{"masses", masses}, {"side", 2.0}, {"eccentricity", e}};
      const auto made = lagrange_triangle.make(arguments, {.G = 3, .random = Random(0, 0)});
      const auto cpu = make_cpu_backend(system_of(made.bodies, 0, 3), 1, 0);
      Simulation simulation(*cpu, integrator("yoshida4"), made.timescale / (e > 0.5 ? 1'000'000 : 4000));
      const Observables start = simulation.observe().observables;
      EXPECT_NEAR(start.momentum.x, 0, 1e-13);
      EXPECT_NEAR(start.center_of_mass.y, 0, 1e-15);
      simulation.advance(e > 0.5 ? 325'000 : 1300);  // no special time
      const Snapshot s = simulation.observe();
      const double side = distance(s.position, 0, 1);
      EXPECT_NEAR(distance(s.position, 1, 2), side, 1e-9) << e;
      EXPECT_NEAR(distance(s.position, 2, 0), side, 1e-9) << e;
      const Vec3 x = kepler_orbit(3 * (masses[0] + masses[1] + masses[2]), 2.0, e, s.time).position;
      EXPECT_NEAR(side, std::hypot(x.x, x.y), 1e-8) << e << ", " << masses[0];
    }
  }
}

TEST(RandomCube, IsBoundedAndPrefixDoesNotDependOnN) {
  const auto make = [](std::int64_t n) {
    return random_cube
        .make(Arguments{{"n", n},
                        {"half_width", 2.0},
                        {"mass", std::vector<double>{1, 3}},
                        {"velocity", std::vector<double>{-1, 0}}},
              {.G = 1, .random = Random(5, 0)})
        .bodies;
  };
  const Bodies small = make(10), large = make(1000);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(small.position.z[i], large.position.z[i]);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_LE(std::abs(large.position.x[i]), 2);
    EXPECT_TRUE(large.mass[i] >= 1 && large.mass[i] <= 3);
    EXPECT_TRUE(large.velocity.y[i] >= -1 && large.velocity.y[i] <= 0);
  }
  const Arguments backwards{{"n", std::int64_t{2}},
                            {"half_width", 2.0},
                            {"mass", std::vector<double>{3, 1}},
                            {"velocity", std::vector<double>{0, 0}}};
  EXPECT_THROW((void)random_cube.make(backwards, {}), ArgumentError);
}

TEST(Table, KeepsOrderAndNames) {
  auto columns = std::make_shared<Columns>();
  columns->rows = 2;
  columns->numbers = {{"mass", {1, 0}}, {"position", {1, 0, 0, 0, 0, 0}}, {"velocity", {0, 1, 0, 0, 0, 0}}};
  columns->texts = {{"name", {"Sun", ""}}};
  const Arguments arguments{{"bodies", SharedColumns(columns)}};
  const Bodies bodies = table.make(arguments, {}).bodies;
  EXPECT_EQ(bodies.names, (std::vector<std::string>{"Sun", ""}));
  EXPECT_EQ(bodies.velocity.y[0], 1.0);
  EXPECT_EQ(bodies.mass[1], 0.0);
  EXPECT_EQ(bodies.position.x[0], 1.0);
  EXPECT_TRUE(bodies.charge.empty());
  EXPECT_THROW((void)table.make(Arguments{}, {}), ArgumentError);
  EXPECT_THROW((void)table.make({{"bodies", std::make_shared<const Columns>()}}, {}), ArgumentError);
}

}  // namespace
}  // namespace orrery::sim::testing
