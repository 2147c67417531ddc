// SPDX-License-Identifier: MIT
// The closest pair agrees with a search over all pairs, for any positions, and is the first of equally close ones.
#include "sim/analysis/closest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/columns.hpp"
#include "sim/domain.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

PairOfBodies of_all_pairs(const Vectors& x, const Periods& periods = {}) {
  PairOfBodies found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double dx = nearest_image(x.x[j] - x.x[i], periods[0]), dy = nearest_image(x.y[j] - x.y[i], periods[1]),
                   dz = nearest_image(x.z[j] - x.z[i], periods[2]), r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < found.r2) found = {i, j, r2};
    }
  }
  return found;
}

void expect_closest(const Vectors& x, const Periods& periods = {}) {
  const PairOfBodies found = closest(x, nullptr, periods), expected = of_all_pairs(x, periods);
  EXPECT_EQ(found.i, expected.i);
  EXPECT_EQ(found.j, expected.j);
  EXPECT_EQ(found.r2, expected.r2);
  EXPECT_FALSE(found.was_stopped);
  if (x.size() > few_bodies) return;
  const Approach few = closest_of_few({x.x, x.y, x.z}, periods);
  EXPECT_EQ(few.r2, expected.r2);
  EXPECT_EQ(few.body, static_cast<std::int64_t>(expected.i));
  EXPECT_EQ(few.other, static_cast<std::int64_t>(expected.j));
  const double* const axes[] = {x.x.data(), x.y.data(), x.z.data()};
  for (const simd::Target target : simd::available_targets())
    EXPECT_EQ(simd::column_kernels(target).closest(axes, x.size(), periods.data()), expected.r2);
}

/// Integer coordinates below `side` in two dimensions and `sheets` in the third, in random order: many pairs are
/// equally close.
Vectors lattice(std::size_t n, double side, double sheets, std::uint64_t seed) {
  const Random random(seed, 0);
  Vectors x;
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto whole = [&](double below, std::uint64_t k) { return std::floor(random.between(0, below, 3 * i + k)); };
    x.push_back(whole(sheets, 0), whole(side, 1), whole(side, 2));
  }
  return x;
}

TEST(Closest, EqualsSearchOverAllPairs) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 3UL, 9UL, 33UL, 257UL, 1000UL}) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      SCOPED_TRACE(n);
      expect_closest(cloud(n == 0 ? 1 : n, seed).position);
      expect_closest(lattice(n, 1000, 1, seed));
      expect_closest(lattice(n, 40, 2, seed));
      expect_closest(lattice(n, 3, 3, seed));
    }
  }
  expect_closest(Vectors(50));
}

TEST(Closest, IsFoundAcrossPeriodicBoundaries) {
  // Few bodies, so that the closest pair is often across an end; all kinds of boxes, with edges exact in binary.
  int across = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Random random(seed, 7);
    const Periods periods{seed % 2 == 0 ? 8.0 : 0.0, seed % 3 == 0 ? 4.0 : 0.0, seed % 5 == 0 ? 16.0 : 0.0};
    const std::size_t n = 2 + seed % 40;
    Vectors x;
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = [&](double edge, std::uint64_t k) {
        return std::floor(64 * random.between(0, edge, 3 * i + k)) / 64;
      };
      x.push_back(at(8, 0), at(4, 1), at(16, 2));
    }
    expect_closest(x, periods);
    across += closest(x, nullptr, periods).r2 < closest(x).r2 ? 1 : 0;
    EXPECT_LE(nearest(x, 0, periods).r2, nearest(x, 0).r2);
  }
  EXPECT_GT(across, 20);
}

TEST(Closest, IgnoresNonFinitePositions) {
  Vectors x = cloud(40).position;
  x.x[3] = std::nan(""), x.y[8] = HUGE_VAL, x.z[8] = HUGE_VAL, x.y[9] = HUGE_VAL;
  expect_closest(x);
}

TEST(Closest, IsFastInAPlane) {
  const Vectors x = lattice(200'000, 1e9, 1, 7);  // every x is 0
  const PairOfBodies found = closest(x);
  EXPECT_LT(found.r2, 1e9 * 1e9 / 200'000);
  EXPECT_LT(found.i, found.j);
}

TEST(Closest, StopsOnRequest) {
  EXPECT_TRUE(closest(cloud(20'000).position, [] { return true; }).was_stopped);
  EXPECT_FALSE(closest(cloud(20'000).position, [] { return false; }).was_stopped);
}

/// A body is out of range in the third step.
std::string complaint_when_told(const StopRequest& stop) {
  Bodies bodies = cloud(3);
  bodies.velocity.y[2] = 2e101;
  const auto cpu = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1.0);
  simulation.stop_when(stop);
  try {
    simulation.advance(3);
    (void)simulation.observe();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Closest, InterruptShortensTheSearchAfterAnError) {
  using ::testing::HasSubstr, ::testing::AllOf, ::testing::Not;
  EXPECT_THAT(complaint_when_told(nullptr), AllOf(HasSubstr("body 2"), Not(HasSubstr("stopped"))));
  EXPECT_THAT(complaint_when_told([] { return true; }),
              AllOf(HasSubstr("between steps 0 and 3"), HasSubstr("stopped before"), HasSubstr("smaller dt")));
}

}  // namespace
}  // namespace orrery::sim::testing
