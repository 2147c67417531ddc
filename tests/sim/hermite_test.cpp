// SPDX-License-Identifier: MIT
// hermite4: nearly symmetric in time, few adaptive steps. own_steps_test.cpp tests all such integrators.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sim/backends/cpu.hpp"
#include "sim/integrators/hermite4.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double mu = 1.25, a = 1.3;

double miss(const Snapshot& s, double e, double t) {
  const Vec3 exact = kepler_orbit(mu, a, e, t).position;
  return std::hypot(s.position.x[1] - s.position.x[0] - exact.x, s.position.y[1] - s.position.y[0] - exact.y);
}

/// The distance from the start after the given number of steps forward and as many back.
double asymmetry(int corrections, int steps) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(0.5, &period), 0), 1, 0);
  const Vectors start = cpu->download(Column::position);
  const Integrator& method = integrator("hermite4");
  method.start(*cpu);
  for (const double h : {3.0 / steps, -3.0 / steps}) {
    for (int k = 0; k < steps; ++k) {
      hermite::take_step(*cpu, h, corrections);
      hermite::begin_next_step(*cpu);
    }
  }
  const Vectors end = cpu->download(Column::position);
  return std::hypot(end.x[1] - start.x[1], end.y[1] - start.y[1]);
}

/// The remaining asymmetry falls faster with the step for every additional correction.
TEST(Hermite4, IsNearlySymmetricInTime) {
  for (const int steps : {100, 200, 400}) EXPECT_LT(asymmetry(2, steps), asymmetry(1, steps) / 1000) << steps;
  const double once = std::log2(asymmetry(1, 100) / asymmetry(1, 200));
  const double twice = std::log2(asymmetry(2, 100) / asymmetry(2, 200));
  EXPECT_GT(twice, once + 1.5);
}

/// The state shown by a run with Aarseth's steps after the given number of hundredths.
Snapshot show(Backend& backend, double eta, std::int64_t hundredths) {
  Simulation simulation(backend, integrator("hermite4"), 0.01, eta);
  simulation.advance(hundredths);
  return simulation.observe();
}

TEST(Hermite4, AdaptiveStepsNeedFewerEvaluationsOnAnEccentricOrbit) {
  const double e = 0.9, t = 20.5;  // two and a half periods
  double period = 0;
  const auto system = system_of(kepler(e, &period), 0);
  const auto own = make_cpu_backend(system, 1, 0);
  const Snapshot shown = show(*own, 0.003, 2050);
  const double error = miss(shown, e, t);
  EXPECT_LT(error, 1e-5);
  const auto even = make_cpu_backend(system, 1, 0);
  const std::int64_t steps = 5 * shown.clock.evaluations;  // two evaluations each: ten times as many
  EXPECT_GT(miss(run(*even, integrator("hermite4"), t / static_cast<double>(steps), steps), e, t), 5 * error);
}

/// The step is proportional to √η, and the error falls as its fourth power.
TEST(Hermite4, IsOfOrderFourInTheRootOfEta) {
  double period = 0;
  const auto error = [&](double eta) {
    const auto cpu = make_cpu_backend(system_of(kepler(0.7, &period), 0), 1, 0);
    return miss(show(*cpu, eta, 2740), 0.7, 27.4);
  };
  EXPECT_NEAR(std::log2(error(0.0016) / error(0.0004)), 4, 0.3);
}

/// Divisions by zero: one body, massless bodies, a body on which all forces cancel.
TEST(Hermite4, BodiesWithoutForcesTakeLongSteps) {
  const auto alone = make_cpu_backend(system_of(cloud(1), 0), 1, 0);
  const Snapshot one = show(*alone, 0.02, 100);
  EXPECT_NEAR(one.position.x[0], cloud(1).position.x[0] + cloud(1).velocity.x[0], 1e-15);
  EXPECT_LT(one.clock.steps, 10);
  Bodies light = cloud(9);
  std::ranges::fill(light.mass, 0);
  const auto massless = make_cpu_backend(system_of(light, 0), 1, 0);
  EXPECT_LT(show(*massless, 0.02, 100).clock.steps, 10);
}

/// Two opposite planets accelerate the star only by rounding, which must not shorten the steps.
TEST(Hermite4, RoundingOfCancellingForcesDoesNotLimitSteps) {
  Bodies bodies;
  bodies.mass = {1, 1e-3, 1e-3};
  bodies.position.push_back(0, 0, 0), bodies.position.push_back(0.6, 0.8, 0.1);
  bodies.position.push_back(-0.6, -0.8, -0.1);
  bodies.velocity.push_back(0, 0, 0), bodies.velocity.push_back(-0.8, 0.6, 0), bodies.velocity.push_back(0.8, -0.6, 0);
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  const Snapshot end = show(*cpu, 0.001, 2000);
  EXPECT_LT(end.clock.steps, 1500);
  EXPECT_GT(end.clock.length, 0.01);
}

/// Starting from rest the jerk is 0; the first step must be as accurate as later ones, whatever dt is.
TEST(Hermite4, FirstStepDoesNotDependOnDt) {
  Bodies bodies;
  bodies.mass = {3, 4, 5};
  bodies.position.push_back(1, 3, 0), bodies.position.push_back(-2, -1, 0), bodies.position.push_back(1, -1, 0);
  bodies.velocity = Vectors(3);
  for (const double dt : {1.5, 0.01}) {
    const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
    Simulation simulation(*cpu, integrator("hermite4"), dt, 1e-4);
    const double start = simulation.observe().observables.total_energy();
    simulation.advance(std::lround(1.5 / dt));
    EXPECT_NEAR(simulation.observe().observables.total_energy(), start, 1e-8) << dt;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
