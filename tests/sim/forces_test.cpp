// SPDX-License-Identifier: MIT
// The laws against their formulas and their potentials against derivatives; the sizes of chunks.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/pair_order.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

TEST(ForceLaws, MatchTheirFormulas) {
  for (const double r2 : {1e-200, 3.7e-9, 0.5, 1.0, 2.0, 17.3, 4e5, 1e200}) {
    const long double r = std::sqrt(static_cast<long double>(r2));
    const ForceLaw& gravity = *force_laws().front();
    EXPECT_NEAR(static_cast<double>(gravity.c(r2, 0) * r * r * r), 1.0, 4e-16) << r2;
    EXPECT_NEAR(static_cast<double>(gravity.u(r2, 0) * r), -1.0, 4e-16) << r2;
  }
}

TEST(ForceLaws, AreTheDerivativesOfTheirPotentials) {
  for (const ForceLaw* law : force_laws()) {
    for (const double r : {0.3, 1.1, 7.0}) {
      const double h = 1e-5 * r;
      const double slope = (law->u((r + h) * (r + h), 0) - law->u((r - h) * (r - h), 0)) / (2 * h);
      EXPECT_NEAR(law->c(r * r, 0) * r, slope, 1e-8 * std::abs(slope)) << law->name;
    }
  }
}

TEST(Chunks, AreBoundedAndCoverEveryBody) {
  for (const std::size_t n : {1UL, 127UL, 128UL, 129UL, 32768UL, 32769UL, 65537UL, 1000003UL, 100000000UL}) {
    EXPECT_LE(chunk_count(n), most_chunks) << n;
    EXPECT_GE(chunk_count(n) * chunk_size(n), n) << n;
    EXPECT_EQ(chunk_size(n) % tile_size, 0U) << n;
  }
  EXPECT_EQ(chunk_size(32768), 128U);
  EXPECT_EQ(chunk_size(32769), 256U);
  EXPECT_EQ(chunk_size(65536), 256U);
  EXPECT_EQ(chunk_size(65537), 512U);
}

}  // namespace
}  // namespace orrery::sim::testing
