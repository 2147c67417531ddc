// SPDX-License-Identifier: MIT
// Forces against long double, their potentials against their derivatives, and the rules for special pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "laws.hpp"
#include "sim/backends/cpu.hpp"
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

/// The greatest |Δa|/|a| over some bodies, against a sum in long double.
double worst_error(const Bodies& bodies, const Vectors& a, double softening, double G) {
  double worst = 0;
  const std::size_t n = bodies.size();
  for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, n / 50)) {
    long double sum[3] = {};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const auto& x = bodies.position;
      const long double d[3] = {static_cast<long double>(x.x[j]) - x.x[i], static_cast<long double>(x.y[j]) - x.y[i],
                                static_cast<long double>(x.z[j]) - x.z[i]};
      const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + static_cast<long double>(softening) * softening;
      for (int q = 0; q < 3; ++q) sum[q] += G * bodies.mass[j] * d[q] / (r2 * std::sqrt(r2));
    }
    const long double error = std::hypot(sum[0] - a.x[i], sum[1] - a.y[i], sum[2] - a.z[i]);
    worst = std::max(worst, static_cast<double>(error / std::hypot(sum[0], sum[1], sum[2])));
  }
  return worst;
}

TEST(Acceleration, IsRightToRounding) {
  for (const std::size_t n : {2, 3, 33, 257, 1003, 5000}) {
    for (const double G : {1.0, 6.6743e-11}) {
      const Bodies bodies = cloud(n);
      const auto cpu = make_cpu_backend(system_of(bodies, 0.01, G), 2, 0);
      cpu->accelerate();
      EXPECT_LT(worst_error(bodies, cpu->download(Column::acceleration), 0.01, G), 2e-15) << n;
    }
  }
}

/// Metres and kilograms: nothing underflows, nothing overflows, nothing is less accurate.
TEST(Acceleration, IsRightInSiUnits) {
  Bodies bodies = cloud(100);
  for (double& m : bodies.mass) m *= 1e30;
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x *= 1e12;
  }
  const auto cpu = make_cpu_backend(system_of(bodies, 1e9, 6.6743e-11), 1, 0);
  cpu->accelerate();
  EXPECT_LT(worst_error(bodies, cpu->download(Column::acceleration), 1e9, 6.6743e-11), 2e-15);
}

TEST(Acceleration, OfCoincidentSoftenedBodiesIsExactlyZero) {
  Bodies bodies;
  bodies.mass = {1, 2};
  bodies.position.push_back(0.1, 0.2, 0.3);
  bodies.position.push_back(0.1, 0.2, 0.3);
  bodies.velocity = Vectors(2);
  const auto cpu = make_cpu_backend(system_of(bodies, 0.5), 1, 0);
  cpu->accelerate();
  EXPECT_EQ(cpu->download(Column::acceleration), Vectors(2));
  EXPECT_DOUBLE_EQ(cpu->observe().potential_energy, -4.0);
}

TEST(Acceleration, OfMasslessBodiesIsFeltAndNotCaused) {
  Bodies bodies = cloud(40);
  const auto before = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
  before->accelerate();
  bodies.position.x[7] += 0.25;  // a massless one
  const auto after = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
  after->accelerate();
  const Vectors a = before->download(Column::acceleration), b = after->download(Column::acceleration);
  EXPECT_NE(a.x[7], b.x[7]);
  EXPECT_EQ(a.x[6], b.x[6]);
  EXPECT_EQ(a.y[39], b.y[39]);
}

TEST(Chunks, AreBoundedAndCoverEveryBody) {
  for (const std::size_t n : {1UL, 127UL, 128UL, 129UL, 32768UL, 32769UL, 65537UL, 1000003UL, 100000000UL}) {
    EXPECT_LE(chunk_count(n), most_chunks) << n;
    EXPECT_GE(chunk_count(n) * chunk_size(n), n) << n;
    EXPECT_EQ(chunk_size(n) % tile_size, 0U) << n;
  }
  EXPECT_EQ(chunk_size(32768), 128U);
  EXPECT_EQ(chunk_size(32769), 256U);
}

}  // namespace
}  // namespace orrery::sim::testing
