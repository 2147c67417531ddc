// SPDX-License-Identifier: MIT
// Every integrator has its declared order, at times without special symmetry, and its declared conservation properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/backends/cpu.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double mu = 1.25, a = 1.3, e = 0.5;

/// The error of the relative position after time t with the given number of steps.
double error_after(const Integrator& method, double t, std::int64_t steps) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(e, &period), 0), 1, 0);
  const Snapshot s = run(*cpu, method, t / static_cast<double>(steps), steps);
  const Vec3 exact = kepler_orbit(mu, a, e, t).position;
  return std::hypot(s.position.x[1] - s.position.x[0] - exact.x, s.position.y[1] - s.position.y[0] - exact.y);
}

class EveryIntegrator : public ::testing::TestWithParam<const Integrator*> {};

/// log₂ of the error ratio when the step is halved, at the finest steps with errors far above rounding.
double slope_at(const Integrator& method, double t) {
  double slope = 0;
  const auto longer = static_cast<std::int64_t>(std::max(1.0, t / 5));
  std::int64_t steps = 25 * longer;
  double coarse = error_after(method, t, steps);
  for (; steps < 6400 * longer; steps *= 2) {
    const double fine = error_after(method, t, 2 * steps);
    if (fine < 1e-12 * static_cast<double>(longer)) break;
    slope = std::log2(coarse / fine);
    coarse = fine;
  }
  return slope;
}

TEST_P(EveryIntegrator, HasTheOrderItDeclares) {
  const Integrator& method = *GetParam();
  if (method.order > 8) GTEST_SKIP() << "beyond rounding in one orbit; it has a test of its own";
  // The period is 8.33. At the usual times rk45 shows 5.12 … 5.23 above the rounding, falling towards 5 as steps
  // shrink: its leading error is small compared with the next one until it has accumulated for more than a period.
  const std::vector<double> times = method.order == 5 ? std::vector{11.6, 26.9, 81.8} : std::vector{1.6, 2.7, 4.9};
  for (const double t : times) EXPECT_NEAR(slope_at(method, t), method.order, 0.1) << method.name << " at t = " << t;
}

TEST_P(EveryIntegrator, TakesTheDeclaredNumberOfEvaluations) {
  const Integrator& method = *GetParam();
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(e, &period), 0), 1, 0);
  Simulation simulation(*cpu, method, 1e-3);
  simulation.advance(1);
  const auto before = cpu->evaluations();
  simulation.advance(10);
  if (method.step != nullptr) {
    EXPECT_EQ(cpu->evaluations() - before, 10 * method.evaluations) << method.name;
  } else {
    EXPECT_GE(cpu->evaluations() - before, 10 * method.evaluations) << method.name;
  }
}

TEST_P(EveryIntegrator, KeepsMomentumAndAngularMomentum) {
  const auto cpu = make_cpu_backend(system_of(cloud(20), 0.05), 1, 0);
  Simulation simulation(*cpu, *GetParam(), 1e-3);
  const Observables start = simulation.observe().observables;
  simulation.advance(5000);
  const Observables end = simulation.observe().observables;
  EXPECT_NEAR(end.momentum.x, start.momentum.x, 1e-14);
  EXPECT_NEAR(end.momentum.z, start.momentum.z, 1e-14);
  // Kicks along the lines between bodies conserve angular momentum; sums of slopes do so to their order.
  EXPECT_NEAR(end.angular_momentum.y, start.angular_momentum.y, GetParam()->symplectic ? 1e-14 : 1e-9);
}

/// Symplectic: the energy error of the last tenth of 300 periods is no larger than that of the first ones.
TEST_P(EveryIntegrator, IsSymplecticIfDeclared) {
  const Integrator& method = *GetParam();
  if (!method.symplectic) GTEST_SKIP();
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(e, &period), 0), 1, 0);
  Simulation simulation(*cpu, method, period / 200);
  const double start = simulation.observe().observables.total_energy();
  const auto worst = [&](int periods) {
    double error = 0;
    for (int k = 0; k < periods * 40; ++k) {
      simulation.advance(5);
      error = std::max(error, std::abs(simulation.observe().observables.total_energy() - start));
    }
    return error;
  };
  const double early = worst(30);
  simulation.advance(240 * 200);
  EXPECT_LT(worst(30), 1.05 * early) << method.name;
}

TEST_P(EveryIntegrator, DescribesItself) {
  EXPECT_FALSE(GetParam()->name.empty());
  EXPECT_FALSE(GetParam()->meaning.empty());
  EXPECT_FALSE(GetParam()->references.empty());
  EXPECT_EQ(&integrator(GetParam()->name), GetParam());
}

/// Uses default keys, for properties that hold for any step.
class EveryMethod : public ::testing::TestWithParam<const Integrator*> {
 protected:
  const Integrator& method_ = *GetParam();

  /// The state after the given number of steps from the beginning or from `from`.
  [[nodiscard]] Snapshot after(Backend& backend, std::int64_t steps, const Snapshot* from = nullptr) const {
    Simulation simulation(backend, method_, 1e-3, usual_keys(method_));
    if (from != nullptr) {
      simulation.advance(3);  // any other state
      simulation.resume(*from);
    }
    simulation.advance(steps);
    return simulation.observe();
  }
  [[nodiscard]] Snapshot after(std::int64_t steps, const Snapshot* from = nullptr) const {
    return after(*make_cpu_backend(system_of(cloud(33), 0.05), 1, 0), steps, from);
  }
};

TEST_P(EveryMethod, ResumesFromASnapshotWithTheSameBits) {
  const Snapshot middle = after(37), end = after(64, &middle);
  EXPECT_EQ(end.step, 101);
  EXPECT_EQ(fingerprint(end), fingerprint(after(101)));
}

TEST_P(EveryMethod, HasTheSameBitsOnEveryBackend) {
  for (const std::size_t n : {3UL, 257UL}) {
    const System system = system_of(cloud(n), 0.05);
    const Snapshot expected = after(*reference(system), 5);
    for (const int threads : {1, 2, 3}) {
      const Snapshot found = after(*make_cpu_backend(system, threads, 0), 5);
      EXPECT_EQ(fingerprint(found), fingerprint(expected)) << n << " bodies, " << threads << " threads";
    }
  }
}

/// A backend may replay the recorded operations of a step for another step.
TEST_P(EveryMethod, DependsOnTheStepNumberOnlyIfDeclared) {
  if (method_.step == nullptr) GTEST_SKIP() << "nothing of it is recorded";
  Snapshot start = after(4);
  const Snapshot here = after(5, &start);
  start.step += 1000;
  const Snapshot later = after(5, &start);
  EXPECT_EQ(here.position != later.position, method_.uses_time) << method_.name;
}

std::string name_of(const ::testing::TestParamInfo<const Integrator*>& each) {
  std::string name(each.param->name);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::ValuesIn(integrators().begin(), integrators().end()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, EveryMethod, ::testing::ValuesIn(integrators().begin(), integrators().end()), name_of);

}  // namespace
}  // namespace orrery::sim::testing
