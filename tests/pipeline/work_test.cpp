// SPDX-License-Identifier: MIT
// The cost of a run: interactions as counted by its solver, and the memory of a device.
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "sim/solver.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

constexpr const char* about_two_masses = R"([[initial]]
kind = "two-body"
masses = [1.0, 0.5]
[[initial]]
kind = "random-cube"
n = 20000
mass = [0.0, 0.0]
[force]
softening = 0.1
[integrator]
dt = 0.01
steps = 7
)";

/// If all bodies act, with one pair force: the square of their number.
TEST(Work, OfAShippedScenarioCountsBodiesThatAct) {
  for (const ShippedScenario& shipped : shipped_scenarios()) {
    const Scenario scenario = parse_scenario(std::string(shipped.text), std::string(shipped.name));
    if (scenario.model.solver->is_approximate()) continue;  // fewer
    if (!scenario.model.force.plugin->attracts_by_mass) continue;
    const auto setup = set_up(scenario);
    const auto n = static_cast<double>(setup.model.bodies.size());
    const auto masses = static_cast<double>(setup.model.bodies.size()) -
                        static_cast<double>(std::ranges::count(setup.model.bodies.mass, 0.0));
    EXPECT_EQ(setup.interactions, n * masses) << shipped.name;
    EXPECT_EQ(setup.work(), n * masses * static_cast<double>(setup.model.steps) *
                                static_cast<double>(setup.model.integrator->evaluations))
        << shipped.name;
  }
}

TEST(Work, OfTestParticlesCountsMassesOnly) {
  const Scenario scenario = parse_scenario(about_two_masses, "s.toml");
  const auto setup = set_up(scenario);
  EXPECT_EQ(setup.interactions, 20002.0 * 2);
  EXPECT_EQ(setup.work(), 20002.0 * 2 * 7);
}

/// This line of `check` appears only in a program that could run it on a GPU.
TEST(Work, PrintsDeviceMemoryIfACudaSolverExists) {
  const Folder folder;
  write(folder / "s.toml", about_two_masses);
  const bool could_be = sim::force_solvers().front()->on_cuda != nullptr;
  const std::vector<std::pair<std::vector<std::string>, const char*>> commands{
      {{"check", "s.toml", "--backend", "cpu"}, "\ndevice memory "},
      {{"check", "s.toml", "--backend", "cpu", "--json"}, "\"device_memory\": "}};
  for (const auto& [command, words] : commands) {
    const Outcome outcome = run(folder, command);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output.find(words) != std::string::npos, could_be) << outcome.output;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
