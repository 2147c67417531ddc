// SPDX-License-Identifier: MIT
// Extremes between two readbacks: nothing is missed, and they do not depend on backend, slices or restarts.
#include "sim/extremes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "common/error.hpp"
#include "sim/analysis/closest.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"
#include "tests/sim/forwarding_backend.hpp"

namespace orrery::sim::testing {
namespace {

/// The extremes of the sampled states after steps 1 … last, from a readback of each.
Extremes met_by_looking(const System& system, const Integrator& method, double dt, std::int64_t last,
                        const StepSampling& taken) {
  const auto backend = reference(system);
  Simulation simulation(*backend, method, dt);
  Extremes met;
  for (std::int64_t step = 1; step <= last; ++step) {
    simulation.advance(1, true);
    const Snapshot now = simulation.observe();
    const Observables& seen = now.observables;
    if (!taken.takes(step)) continue;
    Approach closest;
    if (now.size() <= few_bodies) {
      const PairOfBodies pair = sim::closest(now.position, nullptr, system.domain.periods());
      if (std::isfinite(pair.r2))
        closest = {pair.r2, static_cast<std::int64_t>(pair.i), static_cast<std::int64_t>(pair.j)};
      EXPECT_EQ(now.closest, closest);
    }
    met.include(seen.total_energy(), seen.angular_momentum, closest);
  }
  return met;
}

/// The same from a tracked run, in slices, with a readback of the state that does not belong to a row.
Snapshot watched(Backend& backend, const Integrator& method, double dt, std::int64_t last, double accuracy = 0) {
  Simulation simulation(backend, method, dt, accuracy);
  simulation.watch(simulation.observe().observables, {});
  simulation.advance(last / 3);
  (void)simulation.state();
  simulation.advance(last - last / 3, true);
  return simulation.observe();
}

TEST(Extremes, CoverEveryStepForFewBodies) {
  for (const Integrator* method : integrators()) {
    if (method->step == nullptr) continue;
    const StepSampling taken{method->drifts_first && method->evaluations == 1 ? 2 : 1};
    for (const std::size_t n : {1U, 2U, 3U, 6U, 9U, 33U, 64U}) {
      const System system = system_of(cloud(n), 0.05);
      const Extremes expected = met_by_looking(system, *method, 1e-2, 31, taken);
      System own = system;
      add_requirements(own, *method);
      for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
        const auto cpu = make_cpu_backend(own, 1, target);
        EXPECT_EQ(watched(*cpu, *method, 1e-2, 31).extremes, expected) << method->name << ", N = " << n;
      }
      const auto plain = reference(own);
      EXPECT_EQ(watched(*plain, *method, 1e-2, 31).extremes, expected) << method->name << ", N = " << n;
      EXPECT_GE(expected.states, taken.stride == 1 ? 31 : 15);
    }
  }
}

TEST(Extremes, AreSampledForManyBodies) {
  for (const std::size_t n : {65U, 257U}) {
    const System system = system_of(cloud(n), 0.05);
    const StepSampling taken{64};
    const Extremes expected = met_by_looking(system, integrator("leapfrog"), 1e-2, 200, taken);
    const auto cpu = make_cpu_backend(system, 2, 0);
    EXPECT_EQ(watched(*cpu, integrator("leapfrog"), 1e-2, 200).extremes, expected);
    EXPECT_THAT(expected.states, ::testing::AllOf(::testing::Ge(3), ::testing::Le(4)));
  }
}

TEST(Extremes, DoNotChangeTheBitsOfTheRun) {
  for (const Integrator* method : integrators()) {
    for (const double accuracy : {0.0, method->parameters.empty() ? 0.0 : 1e-3}) {
      if (accuracy > 0 && accuracy < method->min_accuracy) continue;
      for (const std::size_t n : {3U, 65U}) {
        System system = system_of(cloud(n), 0.05);
        add_requirements(system, *method);
        const auto seen = make_cpu_backend(system, 1, 0), unseen = make_cpu_backend(system, 1, 0);
        const Snapshot expected = [&] {
          Simulation simulation(*unseen, *method, 1e-2, accuracy);
          simulation.advance(40);
          return simulation.observe();
        }();
        const Snapshot found = watched(*seen, *method, 1e-2, 40, accuracy);
        EXPECT_EQ(fingerprint(found), fingerprint(expected)) << method->name << ", N = " << n;
        EXPECT_EQ(found.clock, expected.clock) << method->name;
        EXPECT_EQ(found.columns, expected.columns) << method->name;
      }
    }
  }
}

/// A pericentre between readbacks.
TEST(Extremes, ShowChangesBetweenRows) {
  double period = 0;
  const System system = system_of(kepler(0.9, &period), 0);
  const auto cpu = make_cpu_backend(system, 1, 0);
  Simulation simulation(*cpu, integrator("yoshida4"), period / 2000);
  const InitialEnergy first = simulation.observe().observables;
  simulation.watch(first, {});
  simulation.advance(2000, true);
  const Snapshot after = simulation.observe();
  const double at_row = std::abs(first.error(after.observables.total_energy()));
  const double worst =
      std::max(std::abs(first.error(after.extremes.energy_low)), std::abs(first.error(after.extremes.energy_high)));
  EXPECT_EQ(after.extremes.states, 2000);
  EXPECT_GT(worst, 100 * at_row);
  EXPECT_GT(worst, 1e-5);
}

/// The time of an energy error belongs to the run and does not depend on readbacks.
TEST(Extremes, ExcursionDoesNotDependOnCommits) {
  for (const char* name : {"leapfrog", "leapfrog-dkd", "hermite4"}) {
    for (const std::size_t n : {3U, 70U}) {
      System system = system_of(cloud(n), 1e-3);
      const Integrator& method = integrator(name);
      add_requirements(system, method);
      const auto excursion_with = [&](std::int64_t slice) {
        const auto cpu = make_cpu_backend(system, 1, 0);
        Simulation simulation(*cpu, method, 0.02);
        simulation.watch(simulation.observe().observables, {});
        for (int row = 0; row < 3; ++row) {
          for (std::int64_t step = 0; step < 200; step += slice) {
            simulation.advance(slice, step + slice == 200);
            if (step + slice < 200) (void)simulation.state();
          }
          simulation.request_readback();
          if (const EnergyViolation found = simulation.take_readback().energy_violation) return found;
        }
        return EnergyViolation{};
      };
      const EnergyViolation expected = excursion_with(200);
      EXPECT_TRUE(expected) << name << ", N = " << n;
      for (const std::int64_t slice : {25, 8, 1}) EXPECT_EQ(excursion_with(slice), expected) << name << slice;
    }
  }
}

TEST(InitialEnergy, ErrorsAreRelativeToWhatItIsMadeOfWhereItCancels) {
  const InitialEnergy bound(2, -4), parabola(2, -2 + 4e-16), near(2, -2.001), rest(0, 0);
  EXPECT_EQ(bound.error(-2.02), (-2.02 - -2.0) / 2);
  EXPECT_EQ(bound.error_name(), "ΔE/|E₀|");
  EXPECT_EQ(near.scale(), std::abs(2 - 2.001)) << "a comet that is bound weakly";
  EXPECT_EQ(parabola.scale(), 4 - 4e-16);
  EXPECT_NEAR(parabola.error(1e-9), 2.5e-10, 1e-15);
  EXPECT_EQ(parabola.error_name(), "ΔE/(K₀+|U₀|)");
  EXPECT_EQ(parabola.magnitude_name(), "|ΔE|/(K₀+|U₀|)");
  EXPECT_EQ(InitialEnergy(3, -3).error(0.06), 0.01);
  EXPECT_EQ(rest.scale(), 0);
  EXPECT_EQ(rest.error(0.5), 0.5);
  EXPECT_EQ(rest.error_name(), "ΔE");
}

/// Adaptive steps are sampled themselves, not only the multiples of dt.
TEST(Extremes, WithAdaptiveStepsAreAtTheEndsOfSteps) {
  double period = 0;
  const Bodies orbit = kepler(0.9, &period);
  for (const char* name : {"hermite4", "rk45", "ias15"}) {
    const Integrator& method = integrator(name);
    System system = system_of(orbit, 0);
    add_requirements(system, method);
    const double accuracy = std::string_view(name) == "hermite4" ? 0.02 : 1e-6;
    const auto cpu = make_cpu_backend(system, 1, 0), plain = reference(system);
    const Snapshot found = watched(*cpu, method, period / 3, 9, accuracy);
    EXPECT_EQ(found.extremes, watched(*plain, method, period / 3, 9, accuracy).extremes) << name;
    EXPECT_EQ(found.extremes.states, found.clock.steps - 1) << name;
    EXPECT_LT(found.extremes.energy_low, found.extremes.energy_high) << name;
    EXPECT_NEAR(found.extremes.energy_high, found.observables.total_energy(), 1e-2) << name;
  }
}

TEST(Extremes, ContinueAfterARestart) {
  const System system = system_of(cloud(6), 0.05);
  const Integrator& method = integrator("leapfrog");
  const auto whole = make_cpu_backend(system, 1, 0), first = make_cpu_backend(system, 1, 0),
             second = make_cpu_backend(system, 1, 0);
  const Snapshot expected = watched(*whole, method, 1e-2, 50);
  Simulation before(*first, method, 1e-2), after(*second, method, 1e-2);
  const InitialEnergy energy = before.observe().observables;
  before.watch(energy, {});
  before.advance(20);
  const Snapshot kept = before.state();
  EXPECT_EQ(kept.extremes.states, 20);
  after.resume(kept);
  (void)after.observe();  // as a resumed run does, to report its state
  after.watch(energy, kept);
  after.advance(30, true);
  EXPECT_EQ(after.observe().extremes, expected.extremes);
}

TEST(StepSampling, TakesOneOfEachStrideAtAllOffsets) {
  const StepSampling taken{64};
  std::set<std::int64_t> places;
  std::int64_t last = 0;
  for (std::int64_t block = 0; block < 500; ++block) {
    const std::int64_t step = taken.drawn(block);
    EXPECT_GT(step, 64 * block);
    EXPECT_LE(step, 64 * (block + 1));
    EXPECT_TRUE(taken.takes(step));
    EXPECT_EQ(taken.next(last), step);
    EXPECT_EQ(taken.next(step - 1), step);
    places.insert(step % 64);
    last = step;
  }
  EXPECT_EQ(places.size(), 64U);  // of 500 draws; a place is missed with a chance of 0.02
  EXPECT_FALSE(StepSampling{}.takes(5));
  EXPECT_TRUE(StepSampling{1}.takes(5));
  EXPECT_EQ(StepSampling{1}.next(5), 6);
}

/// Two of three bodies have a close encounter, with steps that are too long for it.
TEST(EnergyViolation, NamesTheStepAndTheClosestBodies) {
  Bodies bodies = cloud(3);
  bodies.mass = {1, 1, 1e-3};
  bodies.position = Vectors(3), bodies.velocity = Vectors(3);
  bodies.position.x = {-1, 1, 0};
  bodies.position.y = {0, 0.02, 40};
  const System system = system_of(bodies, 0);
  const Integrator& method = integrator("leapfrog");
  const auto cpu = make_cpu_backend(system, 1, 0), again = make_cpu_backend(system, 1, 0);
  Simulation plain(*again, method, 0.01);
  const InitialEnergy first = plain.observe().observables;
  std::int64_t step = 0;
  while (std::abs(first.error(plain.observe().observables.total_energy())) <= tolerated_energy_error) {
    plain.advance(1, true);
    ++step;
  }
  const Snapshot end = [&] {
    Simulation simulation(*cpu, method, 0.01);
    simulation.watch(simulation.observe().observables, {});
    simulation.advance(100, true);
    EXPECT_FALSE(simulation.observe().energy_violation);
    simulation.advance(300, true);
    return simulation.observe();
  }();
  EXPECT_EQ(end.extremes.states, 300) << "none is lost by the search";
  EXPECT_EQ(end.energy_violation.step, step);
  EXPECT_EQ(end.energy_violation.time, plain.time());
  EXPECT_EQ(end.energy_violation.body, 0);
  EXPECT_EQ(end.energy_violation.other, 1);
  EXPECT_LT(end.energy_violation.distance, 0.5);
  plain.advance(400 - step);
  EXPECT_EQ(fingerprint(end), fingerprint(plain.observe()));  // looking for it changed nothing
}

/// Two bodies stay together all along, and a third one falls through them.
TEST(EnergyViolation, DoesNotBlameBodiesThatAreTogetherAllAlong) {
  Bodies bodies = cloud(4);
  bodies.mass = {1e-6, 1, 1, 1};
  bodies.position = Vectors{{0.3, 5, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0.013, 0}};
  bodies.velocity = Vectors(4);
  const auto cpu = make_cpu_backend(system_of(bodies, 0.01), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 0.011);
  simulation.watch(simulation.observe().observables, {}, bodies.mass);
  simulation.advance(150, true);
  const EnergyViolation found = simulation.observe().energy_violation;
  ASSERT_TRUE(found);
  EXPECT_EQ(found.body, 1);
  EXPECT_EQ(found.other, 3);
  EXPECT_GT(found.distance, 0);
  EXPECT_LT(found.distance, 0.2);
}

/// Fails in the evaluation that is `left` ones ahead.
class FailingBackend final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  int left = 1 << 20;

 private:
  void carry_out(const Operation& one) override {
    if (one.is_evaluation() && left-- == 0) throw Error("the device is lost");
    ForwardingBackend::carry_out(one);
  }
};

/// What a search or a restoration puts aside is back if it fails: the same steps can be taken again with the same
/// result.
TEST(EnergyViolation, FailingSearchLosesNothing) {
  Bodies bodies = cloud(3);
  bodies.mass = {1, 1, 1e-3};
  bodies.position = Vectors{{-1, 0, 0}, {1, 0.02, 0}, {0, 40, 0}};
  bodies.velocity = Vectors(3);
  const System system = system_of(bodies, 0);
  const auto end_of = [&](bool fails) {
    FailingBackend backend(make_cpu_backend(system, 1, 0));
    Simulation simulation(backend, integrator("leapfrog"), 0.01);
    simulation.watch(simulation.observe().observables, {}, bodies.mass);
    simulation.advance(100, true);
    Snapshot good = simulation.observe();
    good.extremes = {};  // they belong to that row
    simulation.advance(300, true);
    simulation.request_observables();
    if (fails) {
      backend.left = 50;
      EXPECT_THROW((void)simulation.take_readback(), Error);
      backend.left = 20;
      Snapshot row = good;
      row.step += 40;
      EXPECT_THROW((void)simulation.restore_state(row), Error);
      backend.left = 1 << 20;
      simulation.resume(good);
      simulation.advance(300, true);
      simulation.request_observables();
    }
    return simulation.take_readback();
  };
  const Snapshot expected = end_of(false), found = end_of(true);
  EXPECT_TRUE(expected.energy_violation);
  EXPECT_EQ(found.energy_violation, expected.energy_violation);
  EXPECT_EQ(found.extremes.states, expected.extremes.states);
}

}  // namespace
}  // namespace orrery::sim::testing
