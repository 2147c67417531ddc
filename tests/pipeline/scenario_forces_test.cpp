// SPDX-License-Identifier: MIT
// [[force]] is a list: one pair force and any number of external fields.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/run/backend_choice.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

const std::string halo = "[[force]]\nkind = \"logarithmic-halo\"\nv0 = 1.5\n";
const std::string sphere = "[[force]]\nkind = \"plummer-halo\"\nmass = 3\ncenter = [1, 2, 3]\n";
const std::string gravity = "[[force]]\nkind = \"gravity\"\nsoftening = 0.1\nG = 2\n";

sim::System system_of(const std::string& text) {
  const Scenario scenario = parse_scenario(text, "s.toml");
  return sim::system_of(set_up(scenario).model);
}

TEST(ScenarioForces, FieldsAreAddedToAPairForce) {
  for (const std::string& text : {sound + gravity + halo + sphere, sound + halo + gravity + sphere}) {
    const auto system = system_of(text);
    ASSERT_EQ(system.forces.size(), 1U);
    EXPECT_DOUBLE_EQ(system.forces[0].softening2, 0.01);
    EXPECT_EQ(system.forces[0].target_factor[0], 2);
    ASSERT_EQ(system.fields.size(), 2U);
    EXPECT_EQ(system.fields[0].law->name, "logarithmic-halo");
    EXPECT_EQ(system.fields[0].parameters.at[0], 1.5 * 1.5);
    EXPECT_EQ(system.fields[1].law->name, "plummer-halo");
    EXPECT_EQ(system.fields[1].parameters.at[0], 2 * 3.0);  // G M
    EXPECT_EQ(system.fields[1].parameters.at[4], 3);
  }
}

/// Fields do not replace gravity: the bodies attract each other unless another pair force is named.
TEST(ScenarioForces, GravityIsTheDefaultPairForce) {
  for (const std::string& text : {sound, sound + halo, sound + with(sphere, "[[force]]", "[force]")}) {
    const auto system = system_of(text);
    ASSERT_EQ(system.forces.size(), 1U);
    EXPECT_EQ(system.forces[0].law->name, "gravity");
    EXPECT_EQ(system.forces[0].target_factor[0], 1);
  }
}

TEST(ScenarioForces, UnitsDefineGOfFields) {
  EXPECT_EQ(system_of("units = \"si\"\n" + sound + sphere).fields[0].parameters.at[0], 6.67430e-11 * 3);
}

TEST(ScenarioForces, AreSetAndRefusedByPosition) {
  const Scenario changed = parse_scenario(sound + gravity + halo, "s.toml", {"force[1].v0=0.25"});
  EXPECT_EQ(sim::system_of(set_up(changed).model).fields[0].parameters.at[0], 0.0625);
  EXPECT_THAT(refusal(sound + halo + "core_radius = 0"), HasSubstr("s.toml:14:15: `core_radius` = 0"));
  EXPECT_THAT(refusal(sound + halo + "softening = 0"), HasSubstr("unknown key `softening`"));
  EXPECT_THAT(refusal(sound + with(halo, "logarithmic-halo", "logarithm-halo")),
              HasSubstr("did you mean `logarithmic-halo`?"));
}

/// The order of fields affects the bits, so it is kept; the order of a field and gravity does not.
TEST(ScenarioForces, ArePartOfThePhysics) {
  const auto physics_of = [](const std::string& text) {
    const Scenario scenario = parse_scenario(text, "s.toml");
    EXPECT_EQ(resolved(parse_scenario(resolved(scenario), "again")), resolved(scenario));
    return physics_texts(scenario, set_up(scenario));
  };
  const auto keys = physics_of(sound + gravity + halo + sphere);
  EXPECT_EQ(keys.at("force[1].kind"), "\"logarithmic-halo\"");
  EXPECT_EQ(keys.at("force[2].mass"), "3.0");
  EXPECT_EQ(physics_of(sound + halo + gravity + sphere), keys);
  EXPECT_NE(physics_of(sound + gravity + sphere + halo), keys);
  EXPECT_NE(physics_of(sound + gravity + halo + with(sphere, "3]", "4]")), keys);
}

/// A run in a halo conserves the energy stored in its file.
TEST(ScenarioForces, EnergyIncludesFields) {
  const std::string text = with(with(sound + halo + sphere, "dt = 0.1", "dt = 0.001"), "steps = 20", "steps = 2000");
  const Scenario scenario = parse_scenario(text, "s.toml");
  const auto setup = set_up(scenario);
  const auto backend = make_backend(setup, scenario.backend).backend;
  sim::Simulation simulation(*backend, setup.model);
  const auto start = simulation.observe().observables;
  simulation.advance(2000);
  const auto end = simulation.observe().observables;
  EXPECT_GT(std::abs(end.kinetic_energy - start.kinetic_energy), 0.01);
  EXPECT_NEAR(end.total_energy(), start.total_energy(), 1e-5);
}

}  // namespace
}  // namespace orrery::pipeline::testing
