// SPDX-License-Identifier: MIT
// short-range-box is the placement of the course CS267, bit by bit; numbers of tests/initial_states.py.
#include "sim/initial_states/list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "support.hpp"

namespace orrery::sim::testing {
namespace {

Bodies course(std::int64_t n, std::uint64_t seed = 1, const Domain& domain = {}) {
  return short_range_box.make({{"n", n}, {"mass", 0.01}}, {.random = Random(seed, 0), .domain = domain}).bodies;
}

std::uint64_t plane_fingerprint(const Bodies& bodies) {
  return fingerprint({&bodies.position.x, &bodies.position.y, &bodies.velocity.x, &bodies.velocity.y});
}

/// n, seed and fingerprint; tests/initial_states.py reads these lines and computes the same numbers independently.
/// With the seeds 86461 and 22 a number is rejected and drawn again, with 10694 a velocity is rounded to 1 and reduced.
constexpr struct {
  std::int64_t n;
  std::uint64_t seed, fingerprint;
} placements[] = {
    {1, 1, 0x1f73876139625c70},
    {2, 1, 0xa7edecbd5dbdb719},
    {3, 1, 0x6de2ef93aa5f3db3},
    {257, 1, 0x263ca99b83bd5718},
    {1000, 1, 0xa7757dd29674ec71},
    {1000, 2, 0x5e261705a24d4758},
    {10000, 1, 0xf371e81798092fa9},
    {257, 86461, 0x00c84bdd685dfd29},
    {257, 10694, 0xb207c5b2be970e9b},
    {10000, 22, 0x06901e38c1c267fe},
    {10000, 4294967295, 0xfce42bb5d283aee5},
};

TEST(ShortRangeBox, HasTheCommittedBits) {
  for (const auto& [n, seed, fingerprint] : placements)
    EXPECT_EQ(plane_fingerprint(course(n, seed)), fingerprint) << n << " bodies, seed " << seed;
}

TEST(ShortRangeBox, EqualsTheFirstThousandBodiesOfCs267) {
  const Bodies bodies = course(1000);
  const auto& [x, y, z] = bodies.position;
  const auto& [vx, vy, vz] = bodies.velocity;
  EXPECT_EQ(x[0], 0.04285495643554834);
  EXPECT_EQ(y[0], 0.29998469504883835);
  EXPECT_EQ(vx[0], 0.99436962604522705);
  EXPECT_EQ(vy[0], 0.44064903259277344);
  EXPECT_EQ(x[999], 0.29998469504883835);
  EXPECT_EQ(y[999], 0.23570226039551587);
  EXPECT_EQ(vx[999], 0.93539047241210938);
  EXPECT_EQ(vy[999], -0.38137376308441162);
  EXPECT_EQ(bodies.mass, std::vector<double>(1000, 0.01));
  EXPECT_EQ(z, std::vector<double>(1000));
  EXPECT_EQ(vz, std::vector<double>(1000));
}

/// Every body on its own grid point, the lower rows full, none at a wall; velocities of both signs.
TEST(ShortRangeBox, FillsItsGrid) {
  for (const std::int64_t n : {1, 2, 3, 16, 17, 33, 257}) {
    const Bodies bodies = course(n);
    const double size = std::sqrt(0.0005 * static_cast<double>(n));
    const std::int64_t columns = std::lround(std::ceil(std::sqrt(n))), rows = (n + columns - 1) / columns;
    std::set<std::int64_t> points;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double column = bodies.position.x[i] / size * static_cast<double>(columns + 1) - 1;
      const double row = bodies.position.y[i] / size * static_cast<double>(rows + 1) - 1;
      EXPECT_NEAR(column, std::round(column), 1e-11);
      EXPECT_NEAR(row, std::round(row), 1e-11);
      EXPECT_TRUE(std::lround(column) >= 0 && std::lround(column) < columns);
      points.insert(std::lround(row) * columns + std::lround(column));
    }
    EXPECT_EQ(bodies.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(points.size(), bodies.size());
    EXPECT_EQ(*points.begin(), 0);
    EXPECT_EQ(*points.rbegin(), n - 1);
    const auto [least, most] = std::ranges::minmax(bodies.velocity.x);
    EXPECT_TRUE(least >= -1 && most < 1);
    EXPECT_TRUE(n < 33 || (least < -0.8 && most > 0.8)) << n;
  }
}

TEST(ShortRangeBox, OfAnotherSeedIsAnotherPlacement) {
  const Bodies one = course(257, 1), two = course(257, 2);
  EXPECT_NE(one.position.x, two.position.x);
  EXPECT_NE(one.velocity.y, two.velocity.y);
  EXPECT_EQ(course(3, 4294967295).size(), 3U);
  EXPECT_THROW((void)course(3, 4294967296), ArgumentError);  // the Mersenne Twister would take it for 0
}

TEST(ShortRangeBox, FillsTheBoxOfTheDomainWhereItHasOne) {
  const double size = 0.7071067811865476;  // √(0.0005·1000), as a scenario has it
  const Domain same{.dimensions = 2, .edges = {size, size, 0}};
  EXPECT_EQ(plane_fingerprint(course(1000, 1, same)), placements[4].fingerprint);
  const Bodies wide = course(257, 1, {.dimensions = 2, .low = {-3, 5, 0}, .edges = {6, 2, 0}});
  const auto [left, right] = std::ranges::minmax(wide.position.x);
  const auto [lower, upper] = std::ranges::minmax(wide.position.y);
  EXPECT_DOUBLE_EQ(left, -3 + 6.0 / 18);  // 17 columns, 16 rows
  EXPECT_DOUBLE_EQ(right, 3 - 6.0 / 18);
  EXPECT_DOUBLE_EQ(lower, 5 + 2.0 / 17);
  EXPECT_DOUBLE_EQ(upper, 7 - 2.0 / 17);
  EXPECT_EQ(wide.velocity, course(257).velocity);
  const Domain strip{.dimensions = 2, .edges = {6, 0, 0}};
  EXPECT_EQ(course(257, 1, strip).position, course(257).position);
}

TEST(ShortRangeBox, UsesItsAreaIfTheDomainHasNone) {
  const auto made = [](double area, const Domain& domain) {
    return short_range_box.make({{"n", std::int64_t{33}}, {"area", area}, {"mass", 2.0}}, {.domain = domain}).bodies;
  };
  const Bodies large = made(3.0, {});
  const auto [left, right] = std::ranges::minmax(large.position.x);
  EXPECT_DOUBLE_EQ(left, std::sqrt(99.0) / 7);
  EXPECT_DOUBLE_EQ(right, std::sqrt(99.0) * 6 / 7);
  EXPECT_EQ(large.mass[32], 2.0);
  EXPECT_THROW((void)made(3.0, {.dimensions = 2, .edges = {1, 1, 0}}), ArgumentError);
  EXPECT_THROW((void)made(1e308, {}), ArgumentError);
}

}  // namespace
}  // namespace orrery::sim::testing
