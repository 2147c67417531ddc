// SPDX-License-Identifier: MIT
// Every shipped scenario, shortened if it is long, reaches the same state on the GPU as on the CPU.
#include <algorithm>

#include "gpu.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

using Scenarios = sim::testing::Gpu;

std::string hash_on(const char* backend, const ShippedScenario& shipped, std::int64_t pairs) {
  const Scenario scenario = parse_scenario(std::string(shipped.text), std::string(shipped.name),
                                           {std::string("backend.kind=\"") + backend + "\""});
  const Setup setup = set_up(scenario);
  const auto made = make_backend(setup, scenario.backend).backend;
  sim::Simulation simulation(*made, setup.model);
  const auto n = static_cast<std::int64_t>(setup.model.bodies.size());
  simulation.advance(std::clamp<std::int64_t>(pairs / (n * n), 2, std::min<std::int64_t>(setup.model.steps, 20000)),
                     true);
  return state_hash(simulation.observe());
}

TEST_F(Scenarios, HaveTheSameStateOnTheGpu) {
  for (const ShippedScenario& shipped : shipped_scenarios()) {
    constexpr std::int64_t pairs = 5'000'000'000;  // some seconds of a few cores
    const std::string cpu = hash_on("cpu", shipped, pairs);
    EXPECT_EQ(hash_on("cuda", shipped, pairs), cpu) << shipped.name;
    std::cout << shipped.name << ' ' << cpu << '\n';
  }
}

}  // namespace
}  // namespace orrery::pipeline
