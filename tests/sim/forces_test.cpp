// SPDX-License-Identifier: MIT
// Forces against long double, their potentials against their derivatives, and the rules for special pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
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
