// SPDX-License-Identifier: MIT
// Lattices have the right density, neighbours and temperature, in boxes and in balls.
#include "sim/initial_states/list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "support.hpp"

namespace orrery::sim::testing {
namespace {

struct Crystal {
  std::string kind = "cubic";
  std::int64_t n = 0;  ///< 0: not given
  double radius = 0;   ///< 0: not given
  double density = 1, mass = 1, temperature = 0;

  [[nodiscard]] Bodies bodies(std::uint64_t seed = 3, std::uint32_t stream = 0) const {
    Arguments arguments{{"lattice", kind}, {"density", density}, {"mass", mass}, {"temperature", temperature}};
    if (n > 0) arguments.set("n", n);
    if (radius > 0) arguments.set("radius", radius);
    return sim::lattice.make(arguments, {.random = Random(seed, stream)}).bodies;
  }
  [[nodiscard]] int dimensions() const { return kind == "square" ? 2 : 3; }
  /// The edge of a box of n bodies.
  [[nodiscard]] double edge() const { return std::pow(static_cast<double>(n) / density, 1.0 / dimensions()); }
};

/// The distance to the nearest neighbour, and the number of bodies at that distance; periodic if `edge` > 0.
std::pair<double, int> neighbours(const Vectors& x, std::size_t i, double edge, int dimensions) {
  double nearest = std::numeric_limits<double>::infinity();
  int count = 0;
  const auto between = [&](double a, double b) { return edge > 0 ? std::remainder(a - b, edge) : a - b; };
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (j == i) continue;
    const double dz = dimensions == 3 ? between(x.z[j], x.z[i]) : 0;
    const double r = std::hypot(between(x.x[j], x.x[i]), between(x.y[j], x.y[i]), dz);
    if (r < nearest * (1 - 1e-9)) nearest = r, count = 0;
    if (r < nearest * (1 + 1e-9)) ++count;
  }
  return {nearest, count};
}

/// In a periodic box of that edge every body has the neighbours of the infinite crystal, and none is on a wall.
TEST(Lattice, FillsAPeriodicBoxWithItsDensity) {
  const struct {
    Crystal crystal;
    double spacing;  ///< between neighbours, in a crystal of density 1
    int count;
  } all[] = {{{.kind = "square", .n = 289}, 1, 4},
             {{.kind = "square", .n = 9}, 1, 4},
             {{.kind = "cubic", .n = 343}, 1, 6},
             {{.kind = "cubic", .n = 27}, 1, 6},
             {{.kind = "fcc", .n = 500}, std::pow(2, 1.0 / 6), 12},
             {{.kind = "fcc", .n = 32}, std::pow(2, 1.0 / 6), 12}};
  for (const auto& [unit, spacing, count] : all) {
    for (const double density : {1.0, 0.8442, 37.0}) {
      Crystal crystal = unit;
      crystal.density = density;
      const Bodies bodies = crystal.bodies();
      const double expected = spacing * std::pow(density, -1.0 / crystal.dimensions()), edge = crystal.edge();
      ASSERT_EQ(bodies.size(), static_cast<std::size_t>(crystal.n));
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto [distance, number] = neighbours(bodies.position, i, edge, crystal.dimensions());
        ASSERT_NEAR(distance, expected, 1e-12 * edge) << crystal.kind << ", body " << i;
        ASSERT_EQ(number, count) << crystal.kind << ", body " << i;
      }
      for (const auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
        if (axis == &bodies.position.z && crystal.dimensions() == 2) {
          EXPECT_EQ(*axis, std::vector<double>(bodies.size()));
          continue;
        }
        const auto [least, most] = std::ranges::minmax(*axis);
        EXPECT_GT(least, 0.2 * expected);
        EXPECT_NEAR(least + most, edge, 1e-12 * edge);  // as far from one end as from the other
      }
    }
  }
}

/// HOOMD-blue's benchmark: 40³ bodies of density 1, in a box of edge 40 to the last bit.
TEST(Lattice, IsExactAtDensityOne) {
  const Vectors x = Crystal{.n = 64000}.bodies().position;
  EXPECT_EQ(std::ranges::min(x.y), 0.5);
  EXPECT_EQ(std::ranges::max(x.z), 39.5);
  EXPECT_EQ(x.x[1], 1.5);  // x changes first
  EXPECT_EQ(x.y[40], 1.5);
  EXPECT_EQ(x.z[1600], 1.5);
}

TEST(Lattice, HasTenCellsPerAxisByDefault) {
  EXPECT_EQ(Crystal{.kind = "square"}.bodies().size(), 100U);
  EXPECT_EQ(Crystal{.kind = "cubic"}.bodies().size(), 1000U);
  EXPECT_EQ(Crystal{.kind = "fcc"}.bodies().size(), 4000U);
}

/// The temperature is exact to the last few bits, with masses and without common motion.
TEST(Lattice, HasTheRequestedTemperature) {
  for (const Crystal& crystal : {Crystal{.kind = "square", .n = 4, .mass = 3, .temperature = 0.7},
                                 Crystal{.kind = "square", .n = 10000, .mass = 0.01, .temperature = 1e-7},
                                 Crystal{.kind = "cubic", .n = 8, .mass = 1e-20, .temperature = 2},
                                 Crystal{.kind = "fcc", .n = 4, .temperature = 1},
                                 Crystal{.kind = "fcc", .n = 6912, .mass = 7, .temperature = 1.5},
                                 Crystal{.kind = "fcc", .radius = 2.1, .temperature = 1.5}}) {
    const Bodies bodies = crystal.bodies();
    const auto& [vx, vy, vz] = bodies.velocity;
    double energy = 0, px = 0, py = 0, pz = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      energy += crystal.mass * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) / 2;
      px += vx[i], py += vy[i], pz += vz[i];
    }
    const auto n = static_cast<double>(bodies.size());
    EXPECT_NEAR(2 * energy / (crystal.dimensions() * (n - 1)) / crystal.temperature, 1, 1e-15 * std::sqrt(n) + 1e-15);
    const double fast = std::sqrt(crystal.temperature / crystal.mass);
    EXPECT_LT(std::hypot(px, py, pz), 1e-14 * n * fast);
    EXPECT_TRUE(crystal.dimensions() == 3 || vz == std::vector<double>(bodies.size()));
    EXPECT_EQ(bodies.mass, std::vector<double>(bodies.size(), crystal.mass));
  }
  EXPECT_EQ(Crystal{.n = 27}.bodies().velocity, Vectors(27));
}

/// Cells along an axis, seed and fingerprint, of mass 2 and temperature 1.5 where neighbours along an axis of the grid are 1 apart;
/// tests/initial_states.py reads these lines and computes the same numbers independently.
constexpr struct {
  const char* kind;
  std::int64_t cells;
  std::uint64_t seed, fingerprint;
} crystals[] = {
    {"square", 3, 3, 0x52e487436f564729}, {"square", 100, 1, 0xceeed08dc373a80e},
    {"cubic", 10, 1, 0x517c2b41ed95a8d9}, {"cubic", 2, 4294967298, 0x5fc3813964ff3331},
    {"fcc", 1, 3, 0xf0749d358f6f833a},    {"fcc", 14, 2, 0xd4a058b11188e7b6},
};

TEST(Lattice, HasTheCommittedBits) {
  for (const auto& [kind, cells, seed, expected] : crystals) {
    Crystal crystal{.kind = kind, .n = cells * cells, .mass = 2, .temperature = 1.5};
    if (crystal.dimensions() == 3) crystal.n *= cells;
    if (crystal.kind == "fcc") crystal.n *= 4, crystal.density = 0.5;
    const Bodies bodies = crystal.bodies(seed);
    const auto &x = bodies.position, &v = bodies.velocity;
    EXPECT_EQ(fingerprint({&x.x, &x.y, &x.z, &v.x, &v.y, &v.z}), expected) << kind << ", " << cells;
  }
}

/// Values of a Python program that uses the mathematical library's logarithm and cosine.
TEST(Lattice, DrawsItsVelocitiesByBoxAndMuller) {
  const Vectors cube = Crystal{.n = 8, .mass = 2, .temperature = 1.5}.bodies().velocity;
  EXPECT_NEAR(cube.x[0], -0.41058135256863121, 1e-14);
  EXPECT_NEAR(cube.y[0], 1.3632888415695283, 1e-14);
  EXPECT_NEAR(cube.z[0], 0.60273318679109866, 1e-14);
  EXPECT_NEAR(cube.z[7], -0.2673075046875622, 1e-14);
  const Vectors square = Crystal{.kind = "square", .n = 9, .temperature = 0.7}.bodies(3, 1).velocity;
  EXPECT_NEAR(square.x[0], -0.19937970010152534, 1e-14);
  EXPECT_NEAR(square.y[8], 0.37689488949648409, 1e-14);
}

/// A fraction of 0.6827 within one standard deviation and 0.9545 within two, along each axis; the axes are independent.
TEST(Lattice, HasNormalVelocities) {
  const Bodies bodies = Crystal{.kind = "fcc", .n = 32000, .mass = 4, .temperature = 9}.bodies();
  for (const auto* axis : {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z}) {
    const auto within = [&](double most) {
      return static_cast<double>(std::ranges::count_if(*axis, [&](double v) { return std::abs(v) < most; })) / 32000;
    };
    EXPECT_NEAR(within(1.5), 0.6827, 0.011);  // four standard deviations of a share
    EXPECT_NEAR(within(3.0), 0.9545, 0.005);
  }
  EXPECT_NE(bodies.velocity.x, bodies.velocity.y);
  EXPECT_NE(bodies.velocity.y, bodies.velocity.z);
  const Crystal small{.n = 27, .temperature = 1};
  EXPECT_NE(small.bodies(1).velocity, small.bodies(2).velocity);
  EXPECT_NE(small.bodies(1, 0).velocity, small.bodies(1, 1).velocity);  // of another [[initial]] table
  EXPECT_EQ(small.bodies(1).velocity, small.bodies(1).velocity);
}

/// Shells of the three crystals: 1 + 4 + 4 …, 1 + 6 + 12 + 8 …, 1 + 12 + 6 … bodies.
TEST(Lattice, BallIsCutAroundASite) {
  const double a = std::cbrt(4.0);  // an fcc cell at density 1
  const struct {
    Crystal crystal;
    std::size_t bodies;
  } all[] = {
      {{.kind = "square", .radius = 0.99}, 1},
      {{.kind = "square", .radius = 1}, 5},
      {{.kind = "square", .radius = 1.5}, 9},
      {{.kind = "square", .radius = 5}, 81},
      {{.kind = "cubic", .radius = 0.5}, 1},
      {{.kind = "cubic", .radius = 1}, 7},
      {{.kind = "cubic", .radius = 1.42}, 19},
      {{.kind = "cubic", .radius = 1.74}, 27},
      {{.kind = "cubic", .radius = 3}, 123},
      {{.kind = "fcc", .radius = 0.72 * a}, 13},
      {{.kind = "fcc", .radius = 1.01 * a}, 19},
      {{.kind = "fcc", .radius = 1.23 * a}, 43},
      {{.kind = "cubic", .radius = 3, .density = 8}, 925},
  };
  for (const auto& [crystal, expected] : all) {
    const Vectors x = crystal.bodies().position;
    EXPECT_EQ(x.size(), expected) << crystal.kind << ", " << crystal.radius;
    std::set<std::array<double, 3>> places;
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE(std::hypot(x.x[i], x.y[i], x.z[i]), crystal.radius);
      places.insert({x.x[i], x.y[i], x.z[i]});
    }
    EXPECT_EQ(places.size(), x.size());
    EXPECT_TRUE(places.contains({0, 0, 0}));
  }
  const auto [distance, count] =
      neighbours(Crystal{.kind = "fcc", .radius = 3, .density = 0.8}.bodies().position, 0, 0, 3);
  EXPECT_NEAR(distance, std::pow(2, 1.0 / 6) / std::cbrt(0.8), 1e-14);
  EXPECT_LT(count, 12);  // it lies on the surface
}

/// The wrong key, and its error message.
std::pair<std::string, std::string> refused(const Crystal& crystal) {
  try {
    (void)crystal.bodies();
  } catch (const ArgumentError& error) {
    return {error.name(), error.what()};
  }
  return {};
}

TEST(Lattice, RefusesInvalidLattices) {
  using Words = std::pair<std::string, std::string>;
  EXPECT_EQ(refused({.kind = "square", .n = 2}), (Words{"n", "a whole box of square cells has 1 or 4 bodies, not 2"}));
  EXPECT_EQ(refused({.kind = "cubic", .n = 257}),
            (Words{"n", "a whole box of cubic cells has 216 or 343 bodies, not 257"}));
  EXPECT_EQ(refused({.kind = "fcc", .n = 3}), (Words{"n", "a whole box of fcc cells has at least 4 bodies, not 3"}));
  EXPECT_EQ(refused({.n = 99999999}),
            (Words{"n", "a whole box of cubic cells has 99897344 or 100544625 bodies, not 99999999"}));
  EXPECT_EQ(refused({.n = 8, .radius = 1}).first, "n");
  EXPECT_EQ(refused({.radius = 289}).first, "radius");
  EXPECT_EQ(refused({.kind = "square", .radius = 1e300}).first, "radius");
  EXPECT_EQ(refused({.n = 1, .temperature = 1}).first, "temperature");
  EXPECT_EQ(refused({.radius = 0.5, .temperature = 1}).first, "temperature");
  EXPECT_EQ(refused({.n = 8, .mass = 1e-300, .temperature = 1e300}).first, "temperature");
  EXPECT_EQ((Crystal{.kind = "cubic", .n = 1}.bodies().position.x), std::vector<double>{0.5});
  EXPECT_EQ((Crystal{.kind = "square", .n = 1}.bodies().size()), 1U);
}

}  // namespace
}  // namespace orrery::sim::testing
