// SPDX-License-Identifier: MIT
// The shipped random cube to its end: five million steps conserve the energy and are the same everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/run_record.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

TEST(RandomCube, KeepsItsEnergyAndItsBitsOverFiveMillionSteps) {
  const Scenario scenario = read_scenario(ORRERY_SOURCE_DIR "/scenarios/random-cube.toml");
  const auto setup = set_up(scenario);
  const ChosenBackend chosen = make_backend(setup, scenario.backend);
  sim::Simulation simulation(*chosen.backend, setup.model);
  const double first = simulation.observe().observables.total_energy();
  double worst = 0;
  while (simulation.step() < setup.model.steps) {
    const std::int64_t next = setup.output.next_step(simulation.step(), setup.model.steps);
    simulation.advance(next - simulation.step(), true);
    const double energy = simulation.observe().observables.total_energy();
    worst = std::max(worst, std::abs((energy - first) / first));
  }
  EXPECT_EQ(simulation.step(), 5'000'000);
  EXPECT_LT(worst, 1e-6);
  EXPECT_GT(worst, 1e-9);  // it does meet encounters
  EXPECT_EQ(state_hash(simulation.state()), "8e3b9c471bafb292");
}

}  // namespace
}  // namespace orrery::pipeline::testing
