// SPDX-License-Identifier: MIT
// The laws against their formulas and their potentials against derivatives; the sizes of chunks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "boxes.hpp"
#include "laws.hpp"
#include "sim/pair_order.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

TEST(ForceLaws, MatchTheirFormulas) {
  for (const NumberedLaw& law : every_law()) {
    if (!law.exponent()) continue;
    const int n = *law.exponent();
    // From the minimum to the maximum r² that the law's header promises; a power has an error for each of its factors.
    const double end = std::exp2(2040.0 / (n + 1)), end_of_slope = std::exp2(2040.0 / (n + 3));
    const double allowed = law.parameters == LawParameters() ? 4e-16 : 3e-15;
    for (const double r2 : {1 / end, 1e-60, 3.7e-9, 0.5, 0.999, 1.37, 2.0, 17.3, 4e5, 1e60, end}) {
      const long double r = std::sqrt(static_cast<long double>(r2));
      const auto expect = [&](double found, long double expected, double tolerance) {
        EXPECT_NEAR(static_cast<double>(found / expected), 1.0, tolerance) << law.name() << ", r² = " << r2;
      };
      expect(law.force_over_r(r2), std::pow(r, -(n + 1.0L)), allowed);
      expect(law.u(r2), n == 1 ? std::log(r) : -std::pow(r, -(n - 1.0L)) / (n - 1), allowed);
      if (r2 * end_of_slope < 1 || r2 > end_of_slope) continue;
      expect(law.force_over_r_slope(r2), -(n + 1) * std::pow(r, -(n + 3.0L)), 3e-15);
    }
  }
}

/// The laws with a cutoff in textbook form: the repulsive force and the potential.
struct Textbook {
  long double force, potential;
};
Textbook textbook_of(const NumberedLaw& law, long double r) {
  const std::string_view name = law.law->name;
  const long double rc = law.cutoff();
  if (name == "soft") return {1 - r / rc, rc / 2 * (1 - r / rc) * (1 - r / rc)};
  if (name == "repulsive") return {(rc / r - 1) / r, rc / r - 1 - std::log(rc / r)};
  const auto well = [](long double x) { return 4 * (std::pow(x, -12.0L) - std::pow(x, -6.0L)); };  // σ = ε = 1
  const auto push = [](long double x) { return 24 * (2 * std::pow(x, -13.0L) - std::pow(x, -7.0L)); };
  if (name == "wca") return {push(r), well(r) + 1};
  EXPECT_EQ(name, "lennard-jones") << "a new law wants its formulas here";
  const long double slope = law.parameters.at[2], shift = law.parameters.at[3];
  if (slope != 0) return {push(r) - push(rc), well(r) - well(rc) + (r - rc) * push(rc)};
  return {push(r), shift != 0 ? well(r) - well(rc) : well(r)};
}

TEST(ForceLaws, WithACutoffMatchTheirFormulas) {
  for (const NumberedLaw& law : every_short_range_law()) {
    for (const double part : {0.011, 0.1, 0.317, 0.5, 0.7211, 0.89, 0.97, 1.0}) {
      const double r = part * law.cutoff();
      const long double exact = std::sqrt(static_cast<long double>(r * r));
      const auto [force, potential] = textbook_of(law, exact);
      // Relative to the cancelling terms: their values at half the distance.
      const auto [more_force, more_potential] = textbook_of(law, exact / 2);
      EXPECT_NEAR(-law.force_over_r(r * r) * r, static_cast<double>(force),
                  2e-15 * static_cast<double>(std::abs(more_force)))
          << law.name() << ", r = " << r;
      EXPECT_NEAR(law.u(r * r), static_cast<double>(potential), 2e-15 * static_cast<double>(std::abs(more_potential)))
          << law.name() << ", r = " << r;
    }
  }
}

/// Quantities that vanish at the cutoff are 0 there up to rounding.
TEST(ForceLaws, EndAtTheirCutoffAsDeclared) {
  for (const NumberedLaw& law : every_short_range_law()) {
    const double r2 = law.cutoff() * law.cutoff();
    const bool cut = law.law->name == "lennard-jones" && law.parameters.at[3] == 0;
    const bool shifted = law.law->name == "lennard-jones" && !cut && law.parameters.at[2] == 0;
    EXPECT_EQ(std::abs(law.u(r2)) > 1e-14, cut) << law.name();
    EXPECT_EQ(std::abs(law.force_over_r(r2)) * law.cutoff() > 1e-13, cut || shifted) << law.name();
  }
}

TEST(ForceLaws, AreTheDerivativesOfTheirPotentials) {
  for (const NumberedLaw& law : every_formula()) {
    for (const double r : {0.3, 1.1, 7.0}) {
      const double h = 1e-5 * r;
      const auto quotient = [&](double (NumberedLaw::*f)(double) const) {
        return ((law.*f)((r + h) * (r + h)) - (law.*f)((r - h) * (r - h))) / (2 * h);
      };
      const double force = quotient(&NumberedLaw::u), slope = quotient(&NumberedLaw::force_over_r) / r;
      EXPECT_NEAR(law.force_over_r(r * r) * r, force, 1e-8 * std::abs(force)) << law.name();
      EXPECT_NEAR(law.force_over_r_slope(r * r), slope, 1e-8 * std::abs(slope)) << law.name();
    }
  }
}

/// Down to r = 0 if the law is finite there: below the distance of exact evaluation, repulsion continues as a spring.
TEST(ForceLaws, WithACutoffAreTheDerivativesOfTheirPotentials) {
  for (const NumberedLaw& law : every_short_range_law()) {
    const bool finite = std::isfinite(law.u(0));
    for (const double part : {0.003, 0.0071, 0.3, 0.62, 0.983}) {
      if (part < 0.1 && !finite) continue;
      const double r = part * law.cutoff(), h = 1e-5 * r;
      const double force = (law.u((r + h) * (r + h)) - law.u((r - h) * (r - h))) / (2 * h);
      const double scale = std::abs(force) + 1e-6 * std::abs(law.u(r * r)) / r;
      EXPECT_NEAR(law.force_over_r(r * r) * r, force, 3e-8 * scale) << law.name() << ", r = " << r;
    }
  }
}

TEST(ForceLaws, WithACutoffAtZeroDistance) {
  for (const NumberedLaw& law : every_short_range_law()) {
    const bool finite = law.law->name == "repulsive" || law.law->name == "soft";
    EXPECT_EQ(std::isfinite(law.force_over_r(0)) && std::isfinite(law.u(0)), finite) << law.name();
    if (!finite) continue;
    EXPECT_LT(law.force_over_r(0), 0) << law.name();
    const double near = 1e-9 * law.cutoff();
    EXPECT_NEAR(law.u(0) / law.u(near * near), 1, 1e-8) << law.name();
    EXPECT_GT(law.u(0), law.u(0.01 * law.cutoff() * law.cutoff())) << law.name();
  }
}

/// They have no softening, weights or jerk, and target factors are inversely proportional to the mass.
TEST(ForceLaws, WithACutoffDescribeThemselves) {
  Bodies bodies = gas(5, 3, 1);
  for (const NumberedLaw& law : every_short_range_law()) {
    EXPECT_GT(law.cutoff(), 0) << law.name();
    EXPECT_EQ(law.law->force_over_r_slope, nullptr) << law.name();
    EXPECT_FALSE(law.law->attracts_by_mass) << law.name();
    EXPECT_FALSE(law.law->potential_power(law.parameters)) << law.name();
    EXPECT_FALSE(is_newtonian(*law.law, law.parameters)) << law.name();
    EXPECT_EQ(std::ranges::count(law.law->parameters, "softening", &Parameter::name), 0) << law.name();
    const PairForce force = make_pair_force(*law.law, bodies, 0, 1.7, law.parameters);
    EXPECT_TRUE(is_short_range(force)) << law.name();
    EXPECT_EQ(force.source, std::vector<double>(5, 1.0)) << law.name();
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(force.target_factor[i], 1.7 / bodies.mass[i]) << law.name();
  }
  bodies.mass[3] = 0;
  const ForceLaw& some = *every_short_range_law().front().law;
  const auto words = [&] {
    try {
      (void)some.target_factor(bodies, 1);
    } catch (const ArgumentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(words(), "body 3 has no mass: its acceleration would be infinite; give it a mass");
  bodies.names = {"", "", "", "Ida", ""};
  EXPECT_EQ(words(), "Ida has no mass: its acceleration would be infinite; give it a mass");
}

/// Scales every c, and every u, by one power of two.
TEST(ForceLaws, WithACutoffScaleWithLengths) {
  for (const NumberedLaw& law : every_short_range_law()) {
    EXPECT_EQ(law.law->rescaled(law.parameters, 1), law.parameters) << law.name();
    for (const int k : {-37, -1, 1, 20}) {
      const double length = std::ldexp(1.0, k);
      const NumberedLaw scaled{law.law, law.law->rescaled(law.parameters, length)};
      EXPECT_EQ(scaled.cutoff(), length * law.cutoff()) << law.name();
      const int degree = law.law->name == "soft" ? 1 : 0;  // others have strengths that are energies
      for (const double part : {0.003, 0.4, 0.77, 1.0}) {
        const double r2 = part * part * law.cutoff() * law.cutoff(), far = r2 * length * length;
        EXPECT_EQ(scaled.u(far), std::ldexp(law.u(r2), degree * k)) << law.name() << ", r² = " << r2;
        EXPECT_EQ(scaled.force_over_r(far), std::ldexp(law.force_over_r(r2), (degree - 2) * k))
            << law.name() << ", r² = " << r2;
      }
    }
  }
}

/// Scaling of lengths by a power of two is exact to the last bit.
TEST(ForceLaws, ScaleAsDeclared) {
  for (const NumberedLaw& law : every_formula()) {
    EXPECT_EQ(law.law->rescaled(law.parameters, 1), law.parameters) << law.name();
    const std::optional<int> degree = law.law->degree(law.parameters);
    for (const int k : {-37, -1, 1, 20}) {
      const double length = std::ldexp(1.0, k);
      const NumberedLaw scaled{law.law, law.law->rescaled(law.parameters, length)};
      for (const double r2 : {0.013, 1.7, 29.0, 31.0}) {
        const double far = r2 * length * length;
        if (!degree) {
          EXPECT_NEAR(scaled.u(far) - law.u(r2), std::log(length), 1e-14) << law.name();
          continue;
        }
        EXPECT_EQ(scaled.u(far), std::ldexp(law.u(r2), *degree * k)) << law.name() << ", r² = " << r2;
        EXPECT_EQ(scaled.force_over_r(far), std::ldexp(law.force_over_r(r2), (*degree - 2) * k))
            << law.name() << ", r² = " << r2;
        EXPECT_EQ(scaled.force_over_r_slope(far), std::ldexp(law.force_over_r_slope(r2), (*degree - 4) * k))
            << law.name() << ", r² = " << r2;
      }
    }
  }
}

TEST(ForceLaws, DeclareWhetherThePotentialIsAPower) {
  for (const NumberedLaw& law : every_formula()) {
    const double r2 = 1.37, ratio = law.u(9 * r2) / law.u(r2), next = law.u(81 * r2) / law.u(9 * r2);
    if (const auto power = law.law->potential_power(law.parameters)) {
      EXPECT_NEAR(ratio, std::pow(3.0, *power), 1e-14) << law.name();
    } else {
      EXPECT_FALSE(std::abs(next / ratio - 1) < 0.1) << law.name();
    }
  }
}

TEST(ForceLaws, AreFiniteDownToTheirLeastDistance) {
  for (const NumberedLaw& law : every_formula()) {
    const MinR2 least = law.law->min_r2(law.parameters);
    EXPECT_TRUE(std::isfinite(law.force_over_r(least.in_doubles)) && std::isfinite(law.u(least.in_doubles)))
        << law.name();
    EXPECT_TRUE(std::isfinite(static_cast<float>(law.force_over_r(least.in_floats)))) << law.name();
    EXPECT_TRUE(std::isfinite(static_cast<float>(law.u(least.in_floats)))) << law.name();
    EXPECT_GE(static_cast<float>(least.in_floats), std::numeric_limits<float>::min()) << law.name();
  }
}

TEST(ForceLaws, OnlyOneIsNewtonian) {
  for (const NumberedLaw& law : every_formula())
    EXPECT_EQ(is_newtonian(*law.law, law.parameters), law.law == force_laws().front()) << law.name();
}

TEST(Chunks, AreBoundedAndCoverAllBodies) {
  for (const std::size_t n : {1UL, 127UL, 128UL, 129UL, 32768UL, 32769UL, 65537UL, 1000003UL, 100000000UL}) {
    EXPECT_LE(chunk_count(n), max_chunks) << n;
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
