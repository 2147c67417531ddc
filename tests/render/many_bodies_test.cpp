// SPDX-License-Identifier: MIT
// What is computed over many bodies: the same as by the plainest loop, and for any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "render/bands.hpp"
#include "render/point_cloud/accumulation_buffer.hpp"
#include "render/statistics.hpp"
#include "render/view/outliers.hpp"
#include "render/view/reference.hpp"
#include "scene.hpp"
#include "tests/thread_limit.hpp"

namespace orrery::render {
namespace {

constexpr std::array thread_counts{1, 2, 5};

TEST(SharedVector, ChangesOnlyTheCopyThatIsEdited) {
  SharedVector<float> one{1, 2, 3};
  SharedVector<float> other = one;
  EXPECT_EQ(other.data(), one.data());
  other.edit()[1] = 7;
  EXPECT_THAT(std::vector<float>(one), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(std::vector<float>(other), testing::ElementsAre(1, 7, 3));
  const float* const alone = other.data();
  other.edit()[0] = 5;
  EXPECT_EQ(other.overwrite(2).data(), alone);
  const SharedVector<float> kept = other;
  EXPECT_NE(other.overwrite(2).data(), alone);
  EXPECT_THAT(std::vector<float>(kept), testing::ElementsAre(5, 7));
}

TEST(SharedVector, EmptyOnesCanBeReadAndEdited) {
  SharedVector<int> none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_TRUE(std::vector<int>(none).empty());
  none.edit().push_back(4);
  EXPECT_EQ(none[0], 4);
}

TEST(Parts, CoverAllBodiesInOrder) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, part_size, part_size + 1, 3 * part_size + 257}) {
    std::size_t next = 0;
    for (const auto& [first, last] : by_parts(count, [](std::size_t a, std::size_t b) { return std::pair(a, b); })) {
      EXPECT_EQ(first, next);
      next = last;
    }
    EXPECT_EQ(next, count);
  }
}

TEST(Statistics, PercentilesAreThoseOfTheSortedValues) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal(-0.1F, 3);
  std::vector<float> values(70'001);
  for (float& v : values) v = std::pow(normal(random), 3.F);
  for (std::size_t i = 0; i < 900; ++i) values[70 * i] = 0.75F;  // ties
  values[3] = std::numeric_limits<float>::quiet_NaN();
  values[5] = std::numeric_limits<float>::infinity();
  values[8] = -std::numeric_limits<float>::infinity();
  const std::vector<double> shares{0, 0.003, 0.3, 0.5, 0.9999, 1};
  for (const float above : {-std::numeric_limits<float>::infinity(), 0.F}) {
    std::vector<float> sorted;
    std::ranges::copy_if(values, std::back_inserter(sorted), [&](float v) { return v > above && std::isfinite(v); });
    std::ranges::sort(sorted);
    for (const int threads : thread_counts) {
      const ThreadLimit limit(threads);
      const std::vector<float> found = percentiles(values, above, shares);
      ASSERT_EQ(found.size(), shares.size());
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const auto place = static_cast<std::size_t>(std::lround(shares[k] * static_cast<double>(sorted.size() - 1)));
        EXPECT_EQ(found[k], sorted[place]) << shares[k];
      }
    }
  }
  EXPECT_TRUE(percentiles({-1, 0}, 0, {0.5}).empty());
  EXPECT_EQ(robust_range(std::vector<float>{}).high, 1);
  EXPECT_EQ(robust_range(std::vector<float>(5, 2.F)).low, 1);
}

TEST(AccumulationBuffer, ManyDotsAreTheSumOfSingleOnes) {
  constexpr Size size{257, 131};
  std::mt19937 random(7);
  std::uniform_real_distribution<float> x(-40, 300), y(-40, 170), w(0, 2);
  std::vector<Dot> dots(40'003);
  for (std::size_t i = 0; i < dots.size(); ++i)
    dots[i] = {{x(random), y(random)}, static_cast<std::uint16_t>(i % 3), i % 17 == 0 ? 0 : w(random)};
  dots[1].at = {1e30F, -1e30F};
  const std::vector<Color> palette{{255, 0, 0}, {0, 200, 30}, {10, 20, 255}};
  for (const float sigma : {0.7F, 3.F, 14.F}) {  // the last reaches beyond a tile
    AccumulationBuffer one_by_one(size);
    for (const Dot& dot : dots) add_dots(one_by_one, {dot}, palette, sigma, 0.5F);
    std::vector<float> first;
    for (const int threads : thread_counts) {
      const ThreadLimit limit(threads);
      AccumulationBuffer all(size);
      add_dots(all, dots, palette, sigma, 0.5F);
      std::vector<float> amounts;
      for (int row = 0; row < size.height; ++row) {
        for (int column = 0; column < size.width; ++column) {
          const Point at{static_cast<float>(column), static_cast<float>(row)};
          amounts.push_back(all.amount(at));
          ASSERT_NEAR(all.amount(at), one_by_one.amount(at), 1e-4F * one_by_one.amount(at)) << column << ' ' << row;
        }
      }
      if (threads == 1) first = amounts;
      EXPECT_EQ(amounts, first) << threads;
    }
  }
}

TEST(Frames, AreInterpolatedAlikeInABoxAndOutside) {
  TestRun run = ball(20'011, 2);
  Bounds wide;
  wide.low.fill(-1e6);
  wide.high.fill(1e6);
  wide.closed.fill(true);  // walls that no body reaches
  for (const bool curved : {true, false}) {
    if (!curved) run.frames[0].velocity = {};
    for (const int threads : thread_counts) {
      const ThreadLimit limit(threads);
      Frame open, closed;
      interpolate(run.frames[0], run.frames[1], 0.3, {}, true, open);
      interpolate(run.frames[0], run.frames[1], 0.3, wide, true, closed);
      EXPECT_EQ(open.time, 0.3);
      ASSERT_EQ(std::vector<float>(open.position), std::vector<float>(closed.position));
      for (const std::size_t k : {0U, 4U, 60'032U}) {
        const double a = run.frames[0].position[k], b = run.frames[1].position[k];
        const double v = curved ? run.frames[0].velocity[k] : b - a, w = curved ? run.frames[1].velocity[k] : b - a;
        EXPECT_FLOAT_EQ(open.position[k], static_cast<float>(hermite(0.3, a, v, b, w)));
        if (curved) {
          EXPECT_FLOAT_EQ(open.velocity[k], static_cast<float>(v + 0.3 * (w - v)));
        }
      }
      EXPECT_EQ(open.velocity.size(), curved ? open.position.size() : 0);
    }
  }
}

TEST(Frames, HaveCentersAndBoxesThatDoNotDependOnThreads) {
  const TestRun run = ball(3 * part_size + 257);
  std::vector<double> mass(run.frames[0].size());
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = 1 + 0.01 * static_cast<double>(i % 100);
  std::array<long double, 3> sum{};
  long double whole = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    whole += mass[i];
    for (std::size_t k = 0; k < 3; ++k) sum[k] += mass[i] * run.frames[0].position[3 * i + k];
  }
  std::optional<std::array<double, 3>> first;
  for (const int threads : thread_counts) {
    const ThreadLimit limit(threads);
    const auto center = mean(run.frames[0].position, mass);
    if (!first) first = center;
    EXPECT_EQ(center, *first);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(center[k], static_cast<double>(sum[k] / whole), 1e-15);
    const Extent box = extent_of_all(run.frames[0]);
    EXPECT_EQ(box.low, run.info.extent.low);
    EXPECT_EQ(box.high, run.info.extent.high);
    const Frame seen = Reference("barycentric", run.info).seen(run.frames[0]);
    EXPECT_FLOAT_EQ(seen.position[7],
                    run.frames[0].position[7] - static_cast<float>(mean(run.frames[0].position, run.info.mass)[1]));
  }
}

TEST(Frames, AreSharedByFiguresInTheInertialFrame) {
  const TestRun run = ball(100);
  EXPECT_EQ(Reference("inertial", run.info).seen(run.frames[0]).position.data(), run.frames[0].position.data());
}

}  // namespace
}  // namespace orrery::render
