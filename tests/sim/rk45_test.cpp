// SPDX-License-Identifier: MIT
// rk45: its error follows the tolerance, and its interpolant is accurate enough for frames between steps.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/backends/cpu.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double mu = 1.25, a = 1.3;

double miss(const Snapshot& s, double e) {
  const Vec3 exact = kepler_orbit(mu, a, e, s.time).position;
  return std::hypot(s.position.x[1] - s.position.x[0] - exact.x, s.position.y[1] - s.position.y[0] - exact.y);
}

struct Crossing {
  double error;
  Clock clock;
};

/// The maximum error of a shown position in two periods.
Crossing follow(double e, double tolerance, double dt = 0.13) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(e, &period), 0), 1, 0);
  Simulation simulation(*cpu, integrator("rk45"), dt, tolerance);
  Crossing found{};
  while (simulation.time() < 2 * period) {
    simulation.advance(1);
    found.error = std::max(found.error, miss(simulation.state(), e));
  }
  found.clock = simulation.clock();
  return found;
}

TEST(Rk45, ErrorsFallWithTheTolerance) {
  double before = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const Crossing found = follow(0.7, tolerance);
    EXPECT_LT(found.error, 3e3 * tolerance) << tolerance;
    EXPECT_GT(found.error, 3 * tolerance) << tolerance;
    EXPECT_LT(found.error, before / 30) << tolerance;
    before = found.error;
  }
}

/// The number of steps is proportional to tolerance^(−1/5).
TEST(Rk45, StepsAreOfTheFifthOrderOfTheTolerance) {
  const auto steps = [](double tolerance) { return static_cast<double>(follow(0.7, tolerance).clock.steps); };
  EXPECT_NEAR(std::log(steps(1e-12) / steps(1e-9)) / std::log(1e3), 0.2, 0.01);
}

/// Few steps are rejected, and an eccentric orbit needs fewer steps than with constant ones of the same accuracy.
TEST(Rk45, StepsAreShortAtPericentre) {
  const Crossing found = follow(0.9, 1e-11);
  EXPECT_LT(found.clock.refused, found.clock.steps / 20);
  EXPECT_EQ(found.clock.evaluations, 6 * (found.clock.steps + found.clock.refused) + 1);
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(0.9, &period), 0), 1, 0);
  const Snapshot even = run(*cpu, integrator("rk45"), 2 * period / 8000, 8000);
  EXPECT_LT(found.clock.steps, 8000 / 3);
  EXPECT_GT(miss(even, 0.9), 3 * found.error);
}

/// Shampine's interpolant: its error between two steps falls as the fifth power of the step, like that of the steps.
TEST(Rk45, InterpolatedFramesAreAsAccurateAsSteps) {
  const auto follow_a_while = [](double tolerance) {
    double period = 0;
    const auto cpu = make_cpu_backend(system_of(kepler(0.3, &period), 0), 1, 0);
    Simulation simulation(*cpu, integrator("rk45"), 1.0 / 2048, tolerance);
    Crossing found{};
    for (int k = 0; k < 8192; ++k) {
      simulation.advance(1);
      found.error = std::max(found.error, miss(simulation.state(), 0.3));
    }
    found.clock = simulation.clock();
    return found;
  };
  const Crossing coarse = follow_a_while(1e-6), fine = follow_a_while(1e-10);
  const double ratio = static_cast<double>(fine.clock.steps) / static_cast<double>(coarse.clock.steps);
  EXPECT_GT(std::log(coarse.error / fine.error) / std::log(ratio), 4.6);
}

}  // namespace
}  // namespace orrery::sim::testing
