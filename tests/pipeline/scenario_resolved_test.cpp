// SPDX-License-Identifier: MIT
// A scenario written out in full reads back the same; the shipped ones load and run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/main_loop.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "tests/pipeline/scenario_support.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

/// Overrides that make a shipped scenario small: the whole of some is for a GPU.
std::vector<std::string> smaller(std::string_view name) {
  if (name == "galaxy-65k" || name == "galaxy-million") return {"initial.n=4096"};
  if (name == "short-range-million") return {"initial.n=1000", "domain.edges=[0.7071067811865476, 0.7071067811865476]"};
  if (name == "wca-fluid") return {"initial.n=1000", "domain.edges=[10.0, 10.0, 10.0]"};
  return {};
}

std::map<std::string, std::string> physics_of(const std::string& text, std::vector<std::string> overrides = {}) {
  const Scenario scenario = parse_scenario(text, "s.toml", std::move(overrides));
  return physics_texts(scenario, set_up(scenario));
}

void expect_reads_back(const std::string& text, std::vector<std::string> overrides = {}) {
  const Scenario scenario = parse_scenario(text, "s.toml", std::move(overrides));
  const Scenario again = read_again(scenario);
  EXPECT_EQ(resolved(again), resolved(scenario)) << text;
  const auto there = set_up(again), here = set_up(scenario);
  EXPECT_EQ(physics_texts(again, there), physics_texts(scenario, here)) << text;
  EXPECT_EQ(there.model.bodies.position, here.model.bodies.position);
  EXPECT_EQ(there.model.bodies.velocity, here.model.bodies.velocity);
  EXPECT_EQ(there.model.bodies.names, here.model.bodies.names);
  EXPECT_EQ(there.model.components, here.model.components);
  EXPECT_EQ(there.model.G, here.model.G);
}

TEST(ScenarioResolved, ReadsBack) {
  expect_reads_back(sound);
  expect_reads_back(
      "title = \"\"\"a \\\"title\\\" \\\\ of\ntwo lines, 三体\\t\\u0001\"\"\"\nseed = 9223372036854775807\n" + sound);
  for (const char* units : {"nbody", "si", "astronomical", "galactic"}) {
    expect_reads_back(fmt::format("units = \"{}\"\n", units) + sound);
  }
  expect_reads_back(sound + R"([[initial]]
kind = "table"
component = "ones with \"names\""
recentre = false
bodies = [{ name = "O'Brien \"x\"", mass = 1e-300, position = [0.1, -0.0, 3], velocity = [1e22, 2, 3] },
          { mass = 0.0, position = [1, 2, 3], velocity = [1, 2, 3] }]
[force]
G = 2.5
softening = 0.1
[backend]
kind = "reference"
threads = 2
[trajectory]
times = [0.1, 1.5]
store = "float32"
velocities = false
[observables]
every = 3
)");
  for (const auto& [name, text] : shipped_scenarios()) expect_reads_back(std::string(text), smaller(name));
}

TEST(ScenarioResolved, WritesEveryDefaultOut) {
  const std::string text = resolved(parse_scenario(sound, "s.toml"));
  for (const char* line :
       {"seed = 1\n", "semi_major_axis = 1.0\n", "[[force]]\nkind = \"gravity\"\n", "softening = 0.0\n",
        "[backend]\nkind = \"auto\"\n", "file = \"run.h5\"\n", "commit = 1.0\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(ScenarioPhysics, ChangesWithKeysThatAffectBits) {
  const auto before = physics_of(sound);
  for (const char* key :
       {"seed=2", "initial.eccentricity=0.25", "initial.masses=[1.0, 0.25]", "initial.offset=[1, 0, 0]",
        "initial.recentre=false", "force.softening=0.1", "force.G=2", "units=\"si\"", "integrator.kind=\"yoshida4\"",
        "integrator.dt=0.2", "integrator.steps=21", "trajectory.frames=3", "trajectory.store=\"float32\"",
        "trajectory.velocities=false", "observables.every=2"}) {
    EXPECT_NE(physics_of(sound, {key}), before) << key;
  }
}

TEST(ScenarioPhysics, DoesNotDependOnOtherKeys) {
  const auto before = physics_of(sound);
  for (const char* key :
       {"title=\"other\"", "backend.kind=\"reference\"", "backend.threads=2", "backend.kernel=\"pair-once\"",
        "trajectory.commit=5", "trajectory.sync=5", "trajectory.file=\"other.h5\"", "seed=1", "integrator.dt=\"1/10\"",
        "integrator.kind=\"leapfrog\""}) {
    EXPECT_EQ(physics_of(sound, {key}), before) << key;
  }
  EXPECT_EQ(physics_of(sound, {"integrator.steps=\"auto\"", "integrator.time=2.0"}), before);
}

TEST(ScenarioPhysics, HasOneLinePerKey) {
  const auto keys = physics_of(with(sound, "masses", "component = \"a\\nb = 3\"\nmasses"));
  EXPECT_THAT(keys, Contains(Pair("integrator.dt", "0.1")));
  EXPECT_THAT(keys, Contains(Pair("initial[0].kind", "\"two-body\"")));
  EXPECT_THAT(keys, Not(Contains(Key("trajectory.commit"))));
  for (const auto& [key, value] : keys) {
    EXPECT_THAT(value, Not(HasSubstr("\n"))) << key;
    EXPECT_LE(value.size(), 200U) << key;
  }
}

/// Every shipped scenario loads, has a plan, and its first steps are written to a file and read back.
TEST(ShippedScenarios, LoadAndRunShortened) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    ++count;
    std::vector<std::string> overrides = smaller(entry.path().stem().string());
    const Scenario whole = read_scenario(entry.path(), overrides);
    const auto whole_setup = set_up_to_step(whole);
    EXPECT_FALSE(whole.title.empty());
    EXPECT_GT(whole_setup.model.steps, 0);
    (void)Pictures(whole, whole_setup);
    // With so few of its bodies, the tree of galaxy-million is less accurate; a slow processor is advised to use a tree.
    EXPECT_THAT(make_plan(whole, whole_setup).warnings,
                ::testing::Each(::testing::AnyOf(::testing::HasSubstr("accuracy = 0.001"),
                                                 ::testing::HasSubstr("in [force] would take about"))));

    overrides.insert(overrides.end(), {"integrator.time=\"auto\"", "integrator.steps=12", "trajectory.frames=\"auto\"",
                                       "trajectory.every=\"auto\"", "trajectory.first=\"auto\"",
                                       "trajectory.times=\"auto\"", "observables.every=5"});
    const Scenario scenario = read_scenario(entry.path(), overrides);
    const auto setup = set_up_to_step(scenario);
    const ChosenBackend chosen = make_backend(setup, scenario.backend);
    const Folder folder;
    const auto file = folder / "run.h5";
    TrajectoryWriter writer(file, setup.model.bodies, make_record(scenario, setup, chosen, "", "test"),
                            setup.output.stored);
    Context silent;
    const SteppingResult stepping = MainLoop(setup.model, setup.output, *chosen.backend, writer, nullptr, silent).run();
    EXPECT_EQ(stepping.steps, 12);
    EXPECT_TRUE(stepping.finished);
    const TrajectoryReader reader(file);
    EXPECT_LT(std::abs(energy_record(reader.history())->error), 1e-3);
    EXPECT_TRUE(reader.finished());
    EXPECT_EQ(reader.size(), 13U);
    EXPECT_EQ(reader.history().total_energy.size(), 13U);  // a row with every frame at least
    EXPECT_EQ(state_hash(*reader.restart()), state_hash(stepping.last));
    EXPECT_EQ(resolved(parse_scenario(scenario_text(reader, "resolved"))), resolved(scenario));
    EXPECT_EQ(texts(recorded_recipe(reader)), texts(recipe(scenario)));  // whether or not its scenario can be read
  }
  EXPECT_EQ(count, shipped_scenarios().size());
  EXPECT_GE(count, 4U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
