// SPDX-License-Identifier: MIT
// hermite4: nearly symmetric in time, and steps of its own that are few, the same for every schedule, and go on.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/kernels.hpp"
#include "sim/integrators/hermite4.hpp"
#include "sim/kepler_orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double mu = 1.25, a = 1.3;

double miss(const Snapshot& s, double e, double t) {
  const Vec3 exact = kepler_orbit(mu, a, e, t).position;
  return std::hypot(s.position.x[1] - s.position.x[0] - exact.x, s.position.y[1] - s.position.y[0] - exact.y);
}

/// How far from the start so many steps forward and as many back lead.
double asymmetry(int corrections, int steps) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(0.5, &period), 0), 1, 0);
  const Vectors start = cpu->download(Column::position);
  const Integrator& method = integrator("hermite4");
  method.start(*cpu);
  for (const double h : {3.0 / steps, -3.0 / steps}) {
    for (int k = 0; k < steps; ++k) {
      hermite::take_step(*cpu, h, corrections);
      hermite::go_on(*cpu);
    }
  }
  const Vectors end = cpu->download(Column::position);
  return std::hypot(end.x[1] - start.x[1], end.y[1] - start.y[1]);
}

/// What asymmetry is left falls faster with the step for every correction.
TEST(Hermite4, IsNearlySymmetricInTime) {
  for (const int steps : {100, 200, 400}) EXPECT_LT(asymmetry(2, steps), asymmetry(1, steps) / 1000) << steps;
  const double once = std::log2(asymmetry(1, 100) / asymmetry(1, 200));
  const double twice = std::log2(asymmetry(2, 100) / asymmetry(2, 200));
  EXPECT_GT(twice, once + 1.5);
}

/// A run with Aarseth's steps that is shown at these multiples of 1/100.
struct Shown {
  std::vector<Snapshot> at;
  std::int64_t evaluations;
};

Shown show(Backend& backend, double eta, const std::vector<std::int64_t>& schedule, double dt = 0.01) {
  Simulation simulation(backend, integrator("hermite4"), dt, eta);
  Shown shown;
  for (const std::int64_t step : schedule) {
    simulation.advance(step - simulation.step(), true);
    shown.at.push_back(simulation.observe());
  }
  shown.evaluations = simulation.clock().evaluations;
  return shown;
}

TEST(Hermite4, NeedsFarFewerStepsOfItsOwnForAnEccentricOrbit) {
  const double e = 0.9, t = 20.5;  // two and a half periods
  double period = 0;
  const auto system = system_of(kepler(e, &period), 0);
  const auto own = make_cpu_backend(system, 1, 0);
  const Shown shown = show(*own, 0.003, {2050});
  const double error = miss(shown.at[0], e, t);
  EXPECT_LT(error, 1e-5);
  const auto even = make_cpu_backend(system, 1, 0);
  const std::int64_t steps = 5 * shown.evaluations;  // two evaluations each: ten times as many
  EXPECT_GT(miss(run(*even, integrator("hermite4"), t / static_cast<double>(steps), steps), e, t), 5 * error);
}

/// η is the square of a length, and the error falls as its fourth power.
TEST(Hermite4, IsOfOrderFourInTheRootOfEta) {
  double period = 0;
  const auto error = [&](double eta) {
    const auto cpu = make_cpu_backend(system_of(kepler(0.7, &period), 0), 1, 0);
    return miss(show(*cpu, eta, {2740}).at[0], 0.7, 27.4);
  };
  EXPECT_NEAR(std::log2(error(0.0016) / error(0.0004)), 4, 0.3);
}

TEST(Hermite4, ItsStepsDoNotDependOnWhatIsShown) {
  const System system = system_of(cloud(20), 0.01);
  const auto one = make_cpu_backend(system, 1, 0), other = make_cpu_backend(system, 1, 0);
  std::vector<std::int64_t> every(97);
  for (std::size_t k = 0; k < every.size(); ++k) every[k] = static_cast<std::int64_t>(k) + 1;
  const Shown seldom = show(*one, 0.02, {40, 97}), often = show(*other, 0.02, every);
  EXPECT_EQ(fingerprint(often.at[39]), fingerprint(seldom.at[0]));
  EXPECT_EQ(fingerprint(often.at[96]), fingerprint(seldom.at[1]));
  EXPECT_EQ(often.at[96].clock, seldom.at[1].clock);
  EXPECT_EQ(often.at[96].columns, seldom.at[1].columns);
  EXPECT_GT(seldom.at[1].clock.steps, 10);
}

TEST(Hermite4, GoesOnWithItsOwnStepsFromASnapshot) {
  const System system = system_of(cloud(33), 0.01);
  const auto whole = make_cpu_backend(system, 1, 0), again = make_cpu_backend(system, 2, 0);
  const Shown shown = show(*whole, 0.02, {17, 50});
  Simulation resumed(*again, integrator("hermite4"), 0.01, 0.02);
  resumed.advance(3);  // any other state
  resumed.resume(shown.at[0]);
  resumed.advance(33);
  const Snapshot end = resumed.observe();
  EXPECT_EQ(fingerprint(end), fingerprint(shown.at[1]));
  EXPECT_EQ(end.clock, shown.at[1].clock);
}

TEST(Hermite4, ItsOwnStepsHaveTheSameBitsEverywhere) {
  for (const std::size_t n : {2UL, 33UL, 257UL}) {
    const System system = with_fields(system_of(cloud(n), 0.05));
    const auto definition = reference(system);
    const auto expected = fingerprint(show(*definition, 0.02, {7, 25}).at[1]);
    for (std::size_t target = 0; target < simd::available_kernels().size(); ++target) {
      for (const int threads : {1, 2, 3}) {
        const auto cpu = make_cpu_backend(system, threads, target);
        EXPECT_EQ(fingerprint(show(*cpu, 0.02, {7, 25}).at[1]), expected) << n << ", " << cpu->hardware();
      }
    }
  }
}

TEST(Hermite4, ItsOwnStepsGoBackInTime) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(0.6, &period), 0), 1, 0);
  const Shown shown = show(*cpu, 0.002, {730}, -0.01);
  EXPECT_LT(miss(shown.at[0], 0.6, -7.3), 1e-5);
  EXPECT_LT(shown.at[0].clock.length, 0);
}

/// Nothing to divide by: one body, bodies without mass, a body on which all forces cancel.
TEST(Hermite4, BodiesWithoutForcesTakeLongSteps) {
  const auto alone = make_cpu_backend(system_of(cloud(1), 0), 1, 0);
  const Snapshot one = show(*alone, 0.02, {100}).at[0];
  EXPECT_NEAR(one.position.x[0], cloud(1).position.x[0] + cloud(1).velocity.x[0], 1e-15);
  EXPECT_LT(one.clock.steps, 10);
  Bodies light = cloud(9);
  std::ranges::fill(light.mass, 0);
  const auto massless = make_cpu_backend(system_of(light, 0), 1, 0);
  EXPECT_LT(show(*massless, 0.02, {100}).at[0].clock.steps, 10);
}

/// Two planets opposite each other pull the star to and fro by what is rounded, in which no step may be lost.
TEST(Hermite4, WhereForcesCancelRoundingDecidesNoStep) {
  Bodies bodies;
  bodies.mass = {1, 1e-3, 1e-3};
  bodies.position.push_back(0, 0, 0), bodies.position.push_back(0.6, 0.8, 0.1);
  bodies.position.push_back(-0.6, -0.8, -0.1);
  bodies.velocity.push_back(0, 0, 0), bodies.velocity.push_back(-0.8, 0.6, 0), bodies.velocity.push_back(0.8, -0.6, 0);
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  const Snapshot end = show(*cpu, 0.001, {2000}).at[0];
  EXPECT_LT(end.clock.steps, 1500);
  EXPECT_GT(end.clock.length, 0.01);
}

/// From rest there is no jerk at first, and the first step is as good as those after it, whatever dt is.
TEST(Hermite4, FindsItsFirstStepWhateverDtIs) {
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

TEST(Hermite4, StepsThatNoLongerChangeTheTimeAreAnError) {
  Bodies bodies = cloud(3);
  bodies.velocity = Vectors(3);
  bodies.mass = {1, 0, 1};
  bodies.position.x = {0, 5, 1}, bodies.position.y = {0, 5, 0}, bodies.position.z = {0, 5, 0};
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  Simulation simulation(*cpu, integrator("hermite4"), 0.01, 0.02, {"Castor", "far", "Pollux"});
  try {
    simulation.advance(1000);
    FAIL() << "two bodies fell into each other";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("Castor asks hermite4 for steps below"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("at t = 0.7"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("eta"));
  }
}

}  // namespace
}  // namespace orrery::sim::testing
