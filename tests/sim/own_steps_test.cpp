// SPDX-License-Identifier: MIT
// Common to all integrators with adaptive steps: the steps depend only on the bodies and the accuracy.
#include "sim/integrators/own_steps.hpp"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

std::vector<const Integrator*> choosers() {
  std::vector<const Integrator*> found;
  for (const Integrator* each : integrators()) {
    if (each->advance_to != nullptr) found.push_back(each);
  }
  return found;
}

/// The default value of its key, or another sensible one.
double usual(const Integrator& method) {
  const double value = std::stod(std::string(method.parameters.front().fallback));
  return value > 0 ? value : 0.02;
}

void expect_same(const Snapshot& a, const Snapshot& b) {
  EXPECT_EQ(fingerprint(a), fingerprint(b));
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.clock, b.clock);
}

class OwnSteps : public ::testing::TestWithParam<const Integrator*> {
 protected:
  const Integrator& method_ = *GetParam();
  double accuracy_ = usual(method_);

  /// The state after the given number of steps of dt.
  [[nodiscard]] Snapshot after(Backend& backend, double dt, std::int64_t steps) const {
    Simulation simulation(backend, method_, dt, accuracy_);
    simulation.advance(steps);
    return simulation.observe();
  }
  [[nodiscard]] Snapshot after(const System& system, double dt, std::int64_t steps) const {
    return after(*make_cpu_backend(system, 1, 0), dt, steps);
  }
};

TEST_P(OwnSteps, DoNotDependOnOutputTimes) {
  const System system = system_of(cloud(9), 0.05);
  const auto often = make_cpu_backend(system, 1, 0);
  Simulation simulation(*often, method_, 1.0 / 128, accuracy_);
  std::int64_t shown_between = 0;
  for (int k = 0; k < 384; ++k) {
    const std::int64_t steps = simulation.clock().steps;
    simulation.advance(1);
    shown_between += simulation.clock().steps == steps;
    (void)(k % 3 == 0 ? simulation.observe() : simulation.state());
  }
  EXPECT_GT(simulation.clock().steps, 20);
  EXPECT_GT(shown_between, 20);  // else nothing was shown aside from the steps
  const Snapshot rarely = after(system, 1.5, 2), once = after(system, 3, 1);
  Snapshot last = simulation.observe();
  expect_same(rarely, once);
  last.step = once.step;
  expect_same(last, once);
}

TEST_P(OwnSteps, ResumeFromAnySnapshot) {
  const System system = system_of(cloud(9), 0.05);
  const auto whole = make_cpu_backend(system, 1, 0);
  Simulation uninterrupted(*whole, method_, 1.0 / 64, accuracy_);
  std::vector<Snapshot> snapshots{uninterrupted.observe()};
  for (const int steps : {1, 6, 30, 31}) uninterrupted.advance(steps), snapshots.push_back(uninterrupted.state());
  uninterrupted.advance(77);
  const Snapshot end = uninterrupted.observe();
  for (const Snapshot& from : snapshots) {
    const auto other = make_cpu_backend(system, 1, 0);
    Simulation resumed(*other, method_, 1.0 / 64, accuracy_);
    resumed.advance(5);  // any other state
    resumed.resume(from);
    resumed.advance(end.step - from.step);
    expect_same(resumed.observe(), end);
  }
}

TEST_P(OwnSteps, HaveTheSameBitsEverywhere) {
  for (const std::size_t n : {1UL, 2UL, 257UL}) {
    const System system = with_fields(system_of(cloud(n), 0.05));
    const double dt = n < 100 ? 0.11 : 0.013;
    const Snapshot expected = after(*reference(system), dt, 3);
    EXPECT_GT(expected.clock.steps, 1);
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      for (const int threads : {1, 2, 3}) {
        if (n <= 256 && threads > 1) continue;  // one thread does all
        SCOPED_TRACE(std::to_string(n) + " bodies, target " + std::to_string(target));
        expect_same(after(*make_cpu_backend(system, threads, target), dt, 3), expected);
      }
    }
  }
}

TEST_P(OwnSteps, RunBackwardInTime) {
  double period = 0;
  const Bodies start = kepler(0.5, &period);
  const auto cpu = make_cpu_backend(system_of(start, 0), 1, 0);
  const Snapshot there = after(*cpu, 0.7, 11);
  EXPECT_GT(there.clock.length, 0);
  const Snapshot back = after(*cpu, -0.7, 11);
  EXPECT_LT(back.clock.length, 0);
  EXPECT_LE(back.clock.end(), -7.7);
  const double miss = std::hypot(back.position.x[1] - start.position.x[1], back.position.y[1] - start.position.y[1]);
  const Vec3 exact = kepler_orbit(1.25, 1.3, 0.5, 7.7).position;
  const double error = std::hypot(there.position.x[1] - there.position.x[0] - exact.x,
                                  there.position.y[1] - there.position.y[0] - exact.y);
  EXPECT_LT(miss, 3 * error + 1e-12);
  EXPECT_LT(error, 100 * std::pow(accuracy_, 0.9));
}

/// A step ends beyond the shown time, and the next one begins there, at any time since the start of the run.
TEST_P(OwnSteps, AreContiguous) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(0.3, &period), 0), 1, 0);
  Simulation simulation(*cpu, method_, 0.37, accuracy_);
  Clock before;
  for (int k = 0; k < 40; ++k) {
    simulation.advance(1);
    const Clock& clock = simulation.clock();
    EXPECT_LE(clock.begin + clock.rest, simulation.time());
    EXPECT_GE(clock.end(), simulation.time());
    if (clock.steps == before.steps) {
      EXPECT_EQ(clock, before);
    } else if (clock.steps == before.steps + 1) {
      EXPECT_EQ(clock.begin, before.end());
    }
    before = clock;
  }
}

TEST_P(OwnSteps, GrowWithoutForces) {
  Bodies bodies = cloud(5);
  for (double& m : bodies.mass) m = 0;
  const Snapshot end = after(system_of(bodies, 0), 1e6, 3);
  EXPECT_LT(end.clock.steps, 40);
  EXPECT_EQ(end.clock.refused, 0);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(end.velocity.y[i], bodies.velocity.y[i]);
    EXPECT_NEAR(end.position.y[i], bodies.position.y[i] + 3e6 * bodies.velocity.y[i], 1e-8);
  }
  for (double& v : bodies.velocity.y) v = 0;
  EXPECT_EQ(after(system_of(bodies, 0), 1e6, 3).position.y, bodies.position.y);
}

TEST_P(OwnSteps, StartFromRest) {
  Bodies bodies = cloud(6);
  bodies.velocity = Vectors(6);
  const Snapshot end = after(system_of(bodies, 0.05), 0.25, 1);
  EXPECT_GT(end.clock.steps, 1);
  EXPECT_NE(end.position.x[0], bodies.position.x[0]);
}

/// Two bodies fall onto each other: steps shrink until they no longer change the time.
TEST_P(OwnSteps, CollisionIsNamed) {
  Bodies bodies = cloud(3);
  bodies.mass = {1, 0.5, 0};
  bodies.position.x = {0.1, 0.9, 40}, bodies.position.y = {-0.2, 0.3, 0}, bodies.position.z = {0, 0, 0};
  bodies.velocity = Vectors(3);
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  Simulation simulation(*cpu, method_, 0.01, accuracy_, {"Castor", "Pollux", "far"});
  const double meet = std::acos(-1.0) * std::sqrt(std::pow(std::sqrt(0.89), 3) / (8 * 1.5));
  try {
    for (int k = 0; k < 200; ++k) simulation.advance(1);
    FAIL() << "they went through each other";
  } catch (const Error& error) {
    EXPECT_EQ(simulation.step(), static_cast<std::int64_t>(meet / 0.01));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("at t = " + std::to_string(meet).substr(0, 6)));
    EXPECT_THAT(error.what(), ::testing::AnyOf(::testing::ContainsRegex("Castor, [0-9.e-]+ from Pollux, requires"),
                                               ::testing::ContainsRegex("Pollux, [0-9.e-]+ from Castor, requires")));
    EXPECT_THAT(error.what(), ::testing::HasSubstr(std::string(method_.parameters.front().name)));
    EXPECT_EQ(error.fault(), Fault::work);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, OwnSteps, ::testing::ValuesIn(choosers()),
                         [](const auto& each) { return std::string(each.param->name); });

TEST(Root, IsAccurateToTwoUlp) {
  for (const int n : {2, 5, 7}) {
    for (double x = 1e-300; x < 1e300; x *= 7.3e11) {
      const long double exact = std::pow(static_cast<long double>(x), 1.0L / n);
      EXPECT_LT(std::abs(static_cast<double>(root(x, n) / exact - 1)), 5e-16) << x << ", " << n;
    }
  }
  EXPECT_EQ(root(0x1p14, 7), 4);
  EXPECT_EQ(root(0x1p-10, 5), 0.25);
}

TEST(Greatest, NamesTheBodyAndDetectsNan) {
  Vectors column(3);
  column.y = {0.5, -7, 3};
  EXPECT_EQ(greatest(column).value, 7);
  EXPECT_EQ(greatest(column).body, 1U);
  column.z[2] = std::nan("");
  EXPECT_EQ(greatest(column).value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(greatest(column).body, 2U);
}

TEST(Clock, IsExactOverManySteps) {
  Clock clock;
  clock.length = 0.1;
  for (int k = 0; k < 10'000'000; ++k) clock = moved_on(clock);
  EXPECT_EQ(clock.begin, 1e6);                                         // a plain sum would be off by 2e-5
  EXPECT_NEAR(clock.rest, 10'000'000 * 5.551115123125783e-18, 1e-14);  // what 0.1 is more than a tenth
}

}  // namespace
}  // namespace orrery::sim::testing
