// SPDX-License-Identifier: MIT
// The laws against their formulas and their potentials against derivatives; the sizes of chunks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "laws.hpp"
#include "sim/pair_order.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

TEST(ForceLaws, MatchTheirFormulas) {
  for (const NumberedLaw& law : every_law()) {
    if (!law.exponent()) continue;
    const int n = *law.exponent();
    // From the least r² that the law's header promises to the greatest; a power has an error for each of its factors.
    const double end = std::exp2(2040.0 / (n + 1)), end_of_slope = std::exp2(2040.0 / (n + 3));
    const double allowed = law.numbers == LawNumbers() ? 4e-16 : 3e-15;
    for (const double r2 : {1 / end, 1e-60, 3.7e-9, 0.5, 0.999, 1.37, 2.0, 17.3, 4e5, 1e60, end}) {
      const long double r = std::sqrt(static_cast<long double>(r2));
      const auto expect = [&](double found, long double expected, double tolerance) {
        EXPECT_NEAR(static_cast<double>(found / expected), 1.0, tolerance) << law.name() << ", r² = " << r2;
      };
      expect(law.c(r2), std::pow(r, -(n + 1.0L)), allowed);
      expect(law.u(r2), n == 1 ? std::log(r) : -std::pow(r, -(n - 1.0L)) / (n - 1), allowed);
      if (r2 * end_of_slope < 1 || r2 > end_of_slope) continue;
      expect(law.slope(r2), -(n + 1) * std::pow(r, -(n + 3.0L)), 3e-15);
    }
  }
}

TEST(ForceLaws, AreTheDerivativesOfTheirPotentials) {
  for (const NumberedLaw& law : every_formula()) {
    for (const double r : {0.3, 1.1, 7.0}) {
      const double h = 1e-5 * r;
      const auto quotient = [&](double (NumberedLaw::*f)(double) const) {
        return ((law.*f)((r + h) * (r + h)) - (law.*f)((r - h) * (r - h))) / (2 * h);
      };
      const double force = quotient(&NumberedLaw::u), slope = quotient(&NumberedLaw::c) / r;
      EXPECT_NEAR(law.c(r * r) * r, force, 1e-8 * std::abs(force)) << law.name();
      EXPECT_NEAR(law.slope(r * r), slope, 1e-8 * std::abs(slope)) << law.name();
    }
  }
}

/// In lengths that are a power of two greater, to the last bit: nothing is rounded by what floats see.
TEST(ForceLaws, ScaleAsTheySay) {
  for (const NumberedLaw& law : every_formula()) {
    EXPECT_EQ(law.law->rescaled(law.numbers, 1), law.numbers) << law.name();
    const std::optional<int> degree = law.law->degree(law.numbers);
    for (const int k : {-37, -1, 1, 20}) {
      const double length = std::ldexp(1.0, k);
      const NumberedLaw scaled{law.law, law.law->rescaled(law.numbers, length)};
      for (const double r2 : {0.013, 1.7, 29.0, 31.0}) {
        const double far = r2 * length * length;
        if (!degree) {
          EXPECT_NEAR(scaled.u(far) - law.u(r2), std::log(length), 1e-14) << law.name();
          continue;
        }
        EXPECT_EQ(scaled.u(far), std::ldexp(law.u(r2), *degree * k)) << law.name() << ", r² = " << r2;
        EXPECT_EQ(scaled.c(far), std::ldexp(law.c(r2), (*degree - 2) * k)) << law.name() << ", r² = " << r2;
        EXPECT_EQ(scaled.slope(far), std::ldexp(law.slope(r2), (*degree - 4) * k)) << law.name() << ", r² = " << r2;
      }
    }
  }
}

TEST(ForceLaws, SayWhetherTheirPotentialIsAPower) {
  for (const NumberedLaw& law : every_formula()) {
    const double r2 = 1.37, ratio = law.u(9 * r2) / law.u(r2), next = law.u(81 * r2) / law.u(9 * r2);
    if (const auto power = law.law->potential_power(law.numbers)) {
      EXPECT_NEAR(ratio, std::pow(3.0, *power), 1e-14) << law.name();
    } else {
      EXPECT_FALSE(std::abs(next / ratio - 1) < 0.1) << law.name();
    }
  }
}

TEST(ForceLaws, AreNumbersDownToTheirLeastDistance) {
  for (const NumberedLaw& law : every_formula()) {
    const LeastR2 least = law.law->least_r2(law.numbers);
    EXPECT_TRUE(std::isfinite(law.c(least.in_doubles)) && std::isfinite(law.u(least.in_doubles))) << law.name();
    EXPECT_TRUE(std::isfinite(static_cast<float>(law.c(least.in_floats)))) << law.name();
    EXPECT_TRUE(std::isfinite(static_cast<float>(law.u(least.in_floats)))) << law.name();
    EXPECT_GE(static_cast<float>(least.in_floats), std::numeric_limits<float>::min()) << law.name();
  }
}

TEST(ForceLaws, OneAloneIsNewtons) {
  for (const NumberedLaw& law : every_formula())
    EXPECT_EQ(is_newtonian(*law.law, law.numbers), law.law == force_laws().front()) << law.name();
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
