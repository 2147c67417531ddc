// SPDX-License-Identifier: MIT
// Hysteresis of film pixels: which stay, which change at once, which change in the end.
#include "render/film/hysteresis.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::render {
namespace {

constexpr Size tiny{5, 3};
constexpr std::ptrdiff_t stride = 4 * 5 + 12;  // rows need not follow one another

/// A picture with all bytes `level`, except the green `green` of pixel (3, 1).
std::vector<std::uint8_t> picture(std::uint8_t level, std::uint8_t green) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(3 * stride), level);
  bytes[static_cast<std::size_t>(stride + 4 * 3 + 1)] = green;
  return bytes;
}

/// The green of (3, 1) and of its neighbour on the right, as they are shown.
std::pair<int, int> shown(Hysteresis& steady, std::vector<std::uint8_t> bytes) {
  steady.hold(bytes.data(), stride);
  return {bytes[static_cast<std::size_t>(stride + 4 * 3 + 1)], bytes[static_cast<std::size_t>(stride + 4 * 4 + 1)]};
}

TEST(Hysteresis, LargeChangesAreImmediateAndMediumOnesDelayed) {
  Hysteresis steady(tiny, 4);
  EXPECT_EQ(shown(steady, picture(40, 90)), std::pair(90, 40));
  EXPECT_EQ(shown(steady, picture(40, 90 + Hysteresis::coarse + 1)), std::pair(101, 40));
  for (int frame = 0; frame < 4; ++frame) {
    EXPECT_EQ(shown(steady, picture(40, 101 - Hysteresis::coarse)), std::pair(101, 40)) << frame;
  }
  EXPECT_EQ(shown(steady, picture(40, 101 - Hysteresis::coarse)), std::pair(91, 40));
  for (int frame = 0; frame < 9; ++frame) {  // too little for ever
    EXPECT_EQ(shown(steady, picture(40, 91 + Hysteresis::fine)), std::pair(91, 40)) << frame;
  }
}

TEST(Hysteresis, SlowChangesDoNotAccumulate) {
  Hysteresis steady(tiny, 4);
  for (int level = 20; level < 200; ++level) {
    const auto now = static_cast<std::uint8_t>(level);
    const auto [one, other] = shown(steady, picture(now, now));
    EXPECT_LE(level - one, Hysteresis::coarse);
    EXPECT_EQ(one, other);
  }
}

}  // namespace
}  // namespace orrery::render
