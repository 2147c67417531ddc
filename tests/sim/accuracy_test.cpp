// SPDX-License-Identifier: MIT
// The accuracy of float64: accelerations against long double, and momentum against the expected rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

/// The promise for float64 (docs/canonical-order.md): the maximum error of an acceleration relative to the sum of the
/// magnitudes of all forces on its body, and relative to the acceleration itself unless forces nearly cancel.
constexpr double promised = 2e-15;

void expect_right_to_rounding(const Bodies& bodies, double softening, double G) {
  const auto cpu = make_cpu_backend(system_of(bodies, softening, G), 2, 0);
  cpu->accelerate();
  const std::size_t n = bodies.size();
  const Errors errors =
      errors_of(bodies, cpu->download(Column::acceleration), softening, G, std::max<std::size_t>(1, n / 1000));
  EXPECT_LT(std::ranges::max(errors.of_magnitudes), promised) << "N = " << n << ", softening " << softening;
  // At the centre of a sphere forces cancel; one body in a hundred may be there.
  const auto above = std::ranges::count_if(errors.of_result, [](double e) { return !(e < promised); });
  EXPECT_LE(above, static_cast<std::ptrdiff_t>(n / 100)) << "N = " << n << ", softening " << softening;
}

TEST(Accuracy, OfAUniformCubeIsLimitedByRounding) {
  for (const std::size_t n : {2UL, 3UL, 33UL, 257UL, 1003UL, 5000UL}) {
    for (const double G : {1.0, 6.6743e-11}) {
      const Bodies bodies = cloud(n);
      expect_right_to_rounding(bodies, 0.01, G);
      const auto cpu = make_cpu_backend(system_of(bodies, 0.01, G), 2, 0);
      cpu->accelerate();
      EXPECT_LT(worst_error(bodies, cpu->download(Column::acceleration), 0.01, G), promised) << n;
    }
  }
}

TEST(Accuracy, OfAPlummerSphereIsLimitedByRounding) {
  for (const std::size_t n : {2UL, 3UL, 33UL, 257UL, 1003UL, 5000UL}) {
    for (const double softening : {0.0, 0.01}) expect_right_to_rounding(plummer_sphere(n), softening, 1);
  }
}

TEST(Accuracy, OfManyBodiesIsLimitedByRoundingSlow) {
  for (const double softening : {0.0, 0.01}) {
    expect_right_to_rounding(cloud(65536), softening, 1);
    expect_right_to_rounding(plummer_sphere(65536), softening, 1);
  }
}

/// Metres and kilograms: no underflow, no overflow, no loss of accuracy.
TEST(Accuracy, IsTheSameInSiUnits) {
  for (const Bodies& bodies : {cloud(300), plummer_sphere(300)}) {
    for (const double softening : {0.0, 1e9}) {
      expect_right_to_rounding(in_metres_and_kilograms(bodies), softening, 6.6743e-11);
    }
  }
}

/// Scaling length, mass and G by powers of two changes only exponents: every acceleration keeps its significand.
TEST(Accuracy, DoesNotDependOnUnits) {
  Bodies bodies = cloud(131);
  const auto near_one = make_cpu_backend(system_of(bodies, 0.125), 1, 0);
  for (double& m : bodies.mass) m *= 0x1p100;
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x *= 0x1p40;
  }
  const auto large = make_cpu_backend(system_of(bodies, 0x1p37, 0x1p-36), 1, 0);
  near_one->accelerate(), large->accelerate();
  const Vectors a = near_one->download(Column::acceleration), b = large->download(Column::acceleration);
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(b.y[i], a.y[i] * 0x1p-16) << i;  // 2^(−36 + 100 − 2·40)
}

TEST(Accuracy, TestsUseAPlummerSphere) {
  const std::size_t n = 20000;
  const Bodies bodies = plummer_sphere(n);
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 2, 0);
  const Observables o = cpu->observe();
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(o.potential_energy, -3 * pi / 32, 0.01 * 3 * pi / 32);
  EXPECT_NEAR(o.kinetic_energy, 3 * pi / 64, 0.01 * 3 * pi / 64);
  const auto& x = bodies.position;
  std::size_t within = 0;
  for (std::size_t i = 0; i < n; ++i) within += std::hypot(x.x[i], x.y[i], x.z[i]) < 1.3048 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(within), 0.5 * n, 4 * std::sqrt(0.25 * n));  // half the mass within 1.3048
}

/// Forces are equal and opposite, so momentum is conserved up to rounding, which has no preferred sign. A kick rounds a
/// velocity v by at most half a unit in its last place, uniformly: variance at most (2⁻⁵²|v|)²/12. It also adds dt/2
/// times the error of the acceleration: about N roundings of the sum, each at most 2⁻⁵³ of the sum A of all magnitudes, so
/// N·(2⁻⁵³A)²/3. Over K kicks variances add up; six standard deviations.
TEST(Accuracy, MomentumErrorIsARandomWalkOver100000Steps) {
  const std::size_t n = 33;
  const Bodies bodies = cloud(n);
  const double softening = 0.2, dt = 1e-3;
  const auto cpu = make_cpu_backend(system_of(bodies, softening), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), dt);
  const Vec3 before = simulation.observe().observables.momentum;
  double sum_of_squares = 0;  // of m v, summed over bodies; the mean over the run
  const int samples = 100, steps = 100000;
  for (int k = 0; k < samples; ++k) {
    simulation.advance(steps / samples);
    const Vectors v = simulation.state().velocity;
    for (std::size_t i = 0; i < n; ++i) {
      const double m = bodies.mass[i];
      sum_of_squares += m * m * std::max({v.x[i] * v.x[i], v.y[i] * v.y[i], v.z[i] * v.z[i]}) / samples;
    }
  }
  const Vec3 after = simulation.observe().observables.momentum;
  double total = 0, squares = 0;
  for (const double m : bodies.mass) total += m, squares += m * m;
  const double magnitudes = total * 0.3849 / (softening * softening);  // r/(r² + ε²)^(3/2) is at most 2/(3√3 ε²)
  const double of_kick = std::ldexp(1, -104) / 12 * sum_of_squares;
  const double of_force = dt * dt / 4 * squares * n * std::ldexp(1, -106) / 3 * magnitudes * magnitudes;
  const double kicks = 2.0 * steps, bound = 6 * std::sqrt(kicks * (of_kick + of_force));
  EXPECT_LT(bound, 1e-12);
  EXPECT_LT(std::abs(after.x - before.x), bound);
  EXPECT_LT(std::abs(after.y - before.y), bound);
  EXPECT_LT(std::abs(after.z - before.z), bound);
}

}  // namespace
}  // namespace orrery::sim::testing
