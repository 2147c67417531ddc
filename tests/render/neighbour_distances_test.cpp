// SPDX-License-Identifier: MIT
// Distances to the k-th neighbour, compared with those of a sort of all points.
#include "render/point_cloud/density_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/thread_limit.hpp"

namespace orrery::render {
namespace {

/// Two clumps of different widths in a sparse background, and some points in one place.
std::vector<GridPoint> clumps(std::size_t n, Size cells) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal(0, 1);
  std::uniform_real_distribution<float> uniform(0, 1);
  const auto w = static_cast<float>(cells.width), h = static_cast<float>(cells.height);
  std::vector<GridPoint> points;
  while (points.size() < n) {
    const std::size_t i = points.size();
    GridPoint p{w * uniform(random), h * uniform(random), 1};
    if (i % 5 < 2) p = {w * (0.3F + 0.05F * normal(random)), h * (0.4F + 0.05F * normal(random)), 1};
    if (i % 5 == 2) p = {w * (0.7F + 0.002F * normal(random)), h * (0.8F + 0.002F * normal(random)), 1};
    if (i % 100 == 3) p = {0.9F * w, 0.1F * h, 1};
    if (i % 7 == 0) p.mass = 0;
    if (p.x >= 0 && p.x <= w && p.y >= 0 && p.y <= h) points.push_back(p);
  }
  return points;
}

float exact_distance(const std::vector<GridPoint>& points, const GridPoint& p, std::size_t k) {
  std::vector<float> all;
  for (const GridPoint& q : points) all.push_back(std::hypot(q.x - p.x, q.y - p.y));
  if (k >= all.size()) return 1e9F;
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(k));  // the first is its own, 0
  return all[k];
}

TEST(NeighbourDistances, AreWithinTheirBound) {
  for (const Size cells : {Size{33, 20}, Size{257, 190}, Size{1003, 777}}) {
    for (const std::size_t k : {1U, 24U, 137U}) {
      std::vector<GridPoint> points = clumps(3001, cells);
      const float least = 1.5F, most = 0.2F * static_cast<float>(cells.width);
      const std::vector<float> found = neighbour_distances(points, cells, k, least, most);
      ASSERT_EQ(found.size(), points.size());
      std::vector<float> errors;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].mass == 0) {
          EXPECT_EQ(found[i], most);
          continue;
        }
        const float exact = std::clamp(exact_distance(points, points[i], k), least, most);
        ASSERT_LE(std::abs(found[i] - exact), std::max(0.2F * found[i], least / 2) + 0.02F * exact) << i << " of " << k;
        errors.push_back(std::abs(found[i] / exact - 1));
      }
      std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2));
      EXPECT_LT(errors[errors.size() / 2], 0.02F) << k << " neighbours on " << cells.width;
    }
  }
}

TEST(NeighbourDistances, OfFewPointsAreTheMaximum) {
  std::vector<GridPoint> none, two{{3, 4, 1}, {5, 4, 1}};
  EXPECT_TRUE(neighbour_distances(none, {9, 9}, 1, 1, 3).empty());
  EXPECT_EQ(neighbour_distances(two, {9, 9}, 2, 1, 3), (std::vector<float>{3, 3}));
}

TEST(NeighbourDistances, DoNotDependOnThreads) {
  const auto found_by = [](int threads) {
    const ThreadLimit limit(threads);
    std::vector<GridPoint> points = clumps(5003, {400, 300});
    return neighbour_distances(points, {400, 300}, 60, 1.5F, 80);
  };
  const std::vector<float> one = found_by(1);
  EXPECT_EQ(one, found_by(2));
  EXPECT_EQ(one, found_by(5));
}

}  // namespace
}  // namespace orrery::render
