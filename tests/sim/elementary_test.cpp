// SPDX-License-Identifier: MIT
// The elementary functions against long double, in units in the last place, and against special values.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/elementary.hpp"
#include "sim/random.hpp"
#include "sim/scalar.hpp"

namespace orrery::sim::testing {
namespace {

/// |found − right| in units in the last place of `right`.
double ulps(double found, long double right) {
  const double nearest = std::abs(static_cast<double>(right));
  const double ulp = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return static_cast<double>(std::abs(found - right)) / ulp;
}

constexpr int samples = 200'000;
double sample(int k, std::uint32_t stream) {
  return Random(11, stream).uniform(static_cast<std::uint64_t>(k));
}

TEST(Elementary, LogarithmIsAccurateToOneUlp) {
  double worst = 0;
  for (int k = 0; k < samples; ++k) {
    const double anywhere = std::exp2(2000 * sample(k, 0) - 1000), near_one = 0.5 + 2 * sample(k, 1);
    const double nearer = 1 + (sample(k, 2) - 0.5) * 1e-6;
    for (const double x : {anywhere, near_one, nearer})
      worst = std::max(worst, ulps(natural_log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
  EXPECT_EQ(natural_log(1.0), 0.0);
  EXPECT_FALSE(std::signbit(natural_log(1.0)));
  EXPECT_EQ(natural_log(std::numeric_limits<double>::min()), std::log(std::numeric_limits<double>::min()));
  EXPECT_EQ(natural_log(std::numeric_limits<double>::max()), std::log(std::numeric_limits<double>::max()));
}

TEST(Elementary, ExponentialIsAccurateToTwoUlp) {
  double worst = 0;
  for (int k = 0; k < samples; ++k) {
    for (const double x : {1400 * sample(k, 3) - 700, 2 * sample(k, 4) - 1})
      worst = std::max(worst, ulps(exponential(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 2.0);
  EXPECT_EQ(exponential(0), 1.0);
  EXPECT_EQ(exponential(-1e9), 0.0);
  EXPECT_EQ(exponential(1e9), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(exponential(-745.0), std::exp(-745.0), std::numeric_limits<double>::denorm_min());
}

/// Committed bits; initial states depend on them.
TEST(Elementary, ExponentialHasTheCommittedBits) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (int k = 0; k < 100'000; ++k) {
    const auto bits = std::bit_cast<std::uint64_t>(exponential(1500 * sample(k, 6) - 760));
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (bits >> shift & 255)) * 0x100000001b3;
  }
  EXPECT_EQ(hash, 0x5dc74d97b35088f4ULL);
}

TEST(Elementary, TruncatesTowardsZero) {
  for (const double x : {0.0, 0.3, 0.5, 0.999, 1.0, 1.5, 2.5, 1e9 + 0.75, 0x1p51 - 0.5}) {
    EXPECT_EQ(whole_part(Scalar(x)).value, std::trunc(x));
    EXPECT_EQ(whole_part(Scalar(-x)).value, std::trunc(-x));
  }
}

TEST(Elementary, DirectionIsAccurateToTwoUlp) {
  double worst = 0;
  for (int k = 0; k < samples; ++k) {
    const double turns = sample(k, 5);
    const int quarter = static_cast<int>(std::lround(4 * turns));  // reduced exactly, or π's own error would show
    const long double angle = 2 * std::acos(-1.0L) * (turns - 0.25L * quarter);
    const long double c = std::cos(angle), s = std::sin(angle), x[] = {c, -s, -c, s}, y[] = {s, c, -s, -c};
    const Direction found = direction(turns);
    worst = std::max({worst, ulps(found.cosine, x[quarter % 4]), ulps(found.sine, y[quarter % 4])});
    EXPECT_NEAR(found.cosine * found.cosine + found.sine * found.sine, 1, 4e-16);
  }
  EXPECT_LT(worst, 2.0);
  for (const auto& [turns, x, y] :
       {std::tuple{0.0, 1.0, 0.0}, {0.25, 0.0, 1.0}, {0.5, -1.0, 0.0}, {0.75, 0.0, -1.0}, {1.0, 1.0, 0.0}}) {
    EXPECT_EQ(direction(turns).cosine, x) << turns;
    EXPECT_EQ(direction(turns).sine, y) << turns;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
