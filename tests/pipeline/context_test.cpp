// SPDX-License-Identifier: MIT
// Uses of the library in one process that do not see each other.
#include "pipeline/context.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "common/thread_pool.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/run_record.hpp"
#include "scenario_support.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline::testing {
namespace {

/// A run of its own: what it is, where it computes, and how often it is asked whether to stop.
struct Use {
  std::string scenario, backend;
  int threads;
  std::int64_t slice;

  [[nodiscard]] std::string state_after(std::int64_t steps) const {
    const UseThreads here(threads);
    const Scenario parsed = parse_scenario(scenario, "s.toml", {"backend.kind=\"" + backend + "\""});
    const pipeline::Setup setup = set_up(parsed);
    const ChosenBackend chosen = make_backend(setup, parsed.backend, {.threads = threads});
    sim::Simulation simulation(*chosen.backend, setup.model);
    for (std::int64_t k = 0; k < steps; k += slice) simulation.advance(std::min(slice, steps - k));
    EXPECT_EQ(loop_threads(), threads);
    return state_hash(simulation.state());
  }
};

/// `kind` of initial state with these bodies, forces and integrator.
std::string cluster_of(int bodies, const std::string& force, const std::string& integrator) {
  return "seed = 7\n[[initial]]\nkind = \"plummer\"\nn = " + std::to_string(bodies) +
         "\n[[force]]\nkind = \"gravity\"\nsoftening = 0.03\n" + force + "[integrator]\nkind = \"" + integrator +
         "\"\ndt = 0.003\nsteps = 1000\n";
}

TEST(Contexts, OnTwoThreadsGiveTheBitsThatEachGivesAlone) {
  const std::vector<Use> uses = {{cluster_of(257, "", "yoshida4"), "cpu", 3, 7},
                                 {cluster_of(300, "", "leapfrog"), "reference", 1, 5},
                                 {cluster_of(1100, "method = \"tree\"\n", "leapfrog"), "cpu", 2, 3},
                                 {cluster_of(193, "", "hermite4"), "cpu", 1, 11}};
  std::vector<std::string> alone, together(uses.size());
  for (const Use& use : uses) alone.push_back(use.state_after(23));
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < uses.size(); ++k)
      threads.emplace_back([&, k] { together[k] = uses[k].state_after(23); });
  }
  EXPECT_EQ(together, alone);
}

/// Stops after so many questions.
class StopAfter : public Context {
 public:
  explicit StopAfter(int questions) : left_(questions) {}
  [[nodiscard]] bool stopped() const override { return --left_ < 0; }

 private:
  mutable int left_;
};

TEST(Contexts, AreStoppedEachByItself) {
  const Scenario parsed = parse_scenario(cluster_of(65, "", "leapfrog"), "s.toml");
  const pipeline::Setup setup = set_up(parsed);
  StopAfter soon(3);
  Context never;
  std::vector<bool> stopped;
  for (Context* context : std::vector<Context*>{&soon, &never}) {
    const ChosenBackend chosen = make_backend(setup, parsed.backend, context->resources);
    sim::Simulation simulation(*chosen.backend, setup.model);
    simulation.stop_when(context->stop());
    while (simulation.step() < 200 && !context->stopped()) simulation.advance(50);
    stopped.push_back(simulation.step() < 200);
  }
  EXPECT_THAT(stopped, ::testing::ElementsAre(true, false));
}

TEST(Contexts, ThreadsOfLoopsBelongToTheThreadThatBeginsThem) {
  const UseThreads three(3);
  EXPECT_EQ(thread_pool()->size(), 3);
  std::vector<int> seen(40);
  thread_pool()->for_each(0, seen.size(), [&](std::size_t k) { seen[k] = thread_pool()->size(); });
  EXPECT_THAT(seen, ::testing::Each(::testing::AnyOf(1, 3))) << "loops within tasks of workers are theirs alone";
  {
    const UseThreads two(2);
    EXPECT_EQ(thread_pool()->size(), 2);
  }
  EXPECT_EQ(thread_pool()->size(), 3);
  int elsewhere = 0;
  std::jthread([&] {
    const UseThreads five(5);
    elsewhere = thread_pool()->size();
  }).join();
  EXPECT_EQ(elsewhere, 5);
  EXPECT_EQ(loop_threads(), 3);
}

}  // namespace
}  // namespace orrery::pipeline::testing
