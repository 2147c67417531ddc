// SPDX-License-Identifier: MIT
// Paths end at the end of the trail, for increasing and decreasing times.
#include "render/view/paths.hpp"

#include <gtest/gtest.h>

namespace orrery::render {
namespace {

TEST(Paths, TrailsHaveTheSameLengthBackwardAndForward) {
  for (const double direction : {1.0, -1.0}) {
    Paths paths(Trails{.time = 1});
    for (int k = 0; k <= 8; ++k) {
      const double time = 0.25 * k * direction;
      paths.append({.time = time, .position = {static_cast<float>(time), 0, 0}, .velocity = {1, 0, 0}});
    }
    ASSERT_EQ(paths.of(0).size(), 1U);
    const PathPiece path = paths.of(0).front();
    ASSERT_EQ(path.size(), 6U) << direction;  // from t = ±1 to now, ±2, and the frame beyond
    EXPECT_EQ(path[1].at[0], static_cast<float>(direction));
    EXPECT_EQ(path[1].freshness, 0.F);
    EXPECT_EQ(path[3].freshness, 0.5F);
    EXPECT_EQ(path.back().freshness, 1.F);
  }
}

}  // namespace
}  // namespace orrery::render
