// SPDX-License-Identifier: MIT
// The laws against their formulas and their potentials against derivatives; the sizes of chunks.
#include <gtest/gtest.h>

#include <cmath>

#include "laws.hpp"
#include "sim/pair_order.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

TEST(ForceLaws, MatchTheirFormulas) {
  for (const NumberedLaw& law : every_law()) {
    const int n = law.exponent();
    // From the least r² that the law's header promises to the greatest; a power has an error for each of its factors.
    const double end = std::exp2(2040.0 / (n + 1)), end_of_slope = std::exp2(2040.0 / (n + 3));
    const double allowed = law.number == 0 ? 4e-16 : 3e-15;
    for (const double r2 : {1 / end, 1e-60, 3.7e-9, 0.5, 0.999, 1.37, 2.0, 17.3, 4e5, 1e60, end}) {
      const long double r = std::sqrt(static_cast<long double>(r2));
      const auto expect = [&](double found, long double expected, double tolerance) {
        EXPECT_NEAR(static_cast<double>(found / expected), 1.0, tolerance) << law.name() << ", r² = " << r2;
      };
      expect(law.law->c(r2, law.number), std::pow(r, -(n + 1.0L)), allowed);
      expect(law.law->u(r2, law.number), n == 1 ? std::log(r) : -std::pow(r, -(n - 1.0L)) / (n - 1), allowed);
      if (r2 * end_of_slope < 1 || r2 > end_of_slope) continue;
      expect(law.law->slope(r2, law.number), -(n + 1) * std::pow(r, -(n + 3.0L)), 3e-15);
    }
  }
}

TEST(ForceLaws, AreTheDerivativesOfTheirPotentials) {
  for (const NumberedLaw& law : every_law()) {
    for (const double r : {0.3, 1.1, 7.0}) {
      const double h = 1e-5 * r;
      const auto quotient = [&](double (*f)(double, double)) {
        return (f((r + h) * (r + h), law.number) - f((r - h) * (r - h), law.number)) / (2 * h);
      };
      const double force = quotient(law.law->u), slope = quotient(law.law->c) / r;
      EXPECT_NEAR(law.law->c(r * r, law.number) * r, force, 1e-8 * std::abs(force)) << law.name();
      EXPECT_NEAR(law.law->slope(r * r, law.number), slope, 1e-8 * std::abs(slope)) << law.name();
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
