// SPDX-License-Identifier: MIT
// Pair forces other than gravity: their keys, the charges they act on, and the units of their constants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/plan.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A scenario of 16 lines; the force begins on line 10.
const std::string ions = R"([[initial]]
kind = "table"
recentre = false
bodies = [
  { name = "Na", mass = 2.0, position = [0, 0, 0], velocity = [0, 0, 0], charge = 1.0 },
  { name = "Cl", mass = 3.0, position = [1, 0, 0], velocity = [0, 1, 0], charge = -1.0 },
  { name = "dust", mass = 0.0, position = [0, 2, 0], velocity = [0, 0, 1] } ]

[force]
kind = "coulomb"
softening = 0.1

[integrator]
dt = 0.001
steps = 500
)";

/// The same with two bodies that attract each other.
std::string inverse_power(const std::string& keys) {
  return sound + "[force]\nkind = \"inverse-power\"\n" + keys;
}

sim::PairForce force_of(const std::string& text, std::vector<std::string> overrides = {}) {
  const Scenario scenario = parse_scenario(text, "s.toml", std::move(overrides));
  return sim::system_of(set_up(scenario).model).forces.at(0);
}

TEST(ScenarioLaws, ChargesReachTheForce) {
  const auto setup = setup_of(ions);
  EXPECT_EQ(setup.model.bodies.charge, (std::vector<double>{1, -1, 0}));
  const sim::PairForce force = force_of(ions, {"force.k=6"});
  EXPECT_EQ(force.law->name, "coulomb");
  EXPECT_EQ(force.source, setup.model.bodies.charge);
  EXPECT_EQ(force.target_factor, (std::vector<double>{-3, 2, 0}));
}

TEST(ScenarioLaws, ExponentAndStrengthReachTheForce) {
  EXPECT_EQ(force_of(inverse_power("")).parameters, (sim::LawParameters{{2}}));
  const sim::PairForce force = force_of(inverse_power("exponent = 5\nstrength = 0.5\nsoftening = 0.5"));
  EXPECT_EQ(force.parameters, (sim::LawParameters{{5}}));
  EXPECT_EQ(force.target_factor[1], 0.5);
  EXPECT_EQ(force.source, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(force.softening2, 0.25);
}

TEST(ScenarioLaws, ChargesDoNotChangePositionsOfACube) {
  const std::string cube = with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"random-cube\"\nn = 400");
  const auto without = setup_of(cube), charged = setup_of(cube, {"initial.charge=[-0.5, 2]"});
  EXPECT_TRUE(without.model.bodies.charge.empty());
  EXPECT_EQ(charged.model.bodies.position, without.model.bodies.position);
  EXPECT_EQ(charged.model.bodies.velocity, without.model.bodies.velocity);
  const auto [least, greatest] = std::ranges::minmax(charged.model.bodies.charge);
  EXPECT_GE(least, -0.5);
  EXPECT_LT(least, -0.45);
  EXPECT_GT(greatest, 1.95);
  EXPECT_LE(greatest, 2);
  const auto fewer = setup_of(cube, {"initial.charge=[-0.5, 2]", "initial.n=7"});
  EXPECT_EQ(fewer.model.bodies.charge[6], charged.model.bodies.charge[6]);
}

/// Bodies of a table without charges have none, before and after bodies with charges.
TEST(ScenarioLaws, ChargesOfSeveralTablesAreCombined) {
  const std::string one = "[[initial]]\nkind = \"random-cube\"\nn = 1\n";
  const auto setup = setup_of(one + "charge = [3, 3]\n" + one + sound + one + "charge = [-2, -2]\n");
  EXPECT_EQ(setup.model.bodies.charge, (std::vector<double>{3, 0, 0, 0, -2}));
  EXPECT_TRUE(setup_of(one + sound).model.bodies.charge.empty());
}

TEST(ScenarioLaws, AreRefusedInOneLine) {
  const auto expect = [](const std::string& text, const std::string& words) {
    EXPECT_THAT(refusal(text), HasSubstr(words)) << text;
  };
  expect(with(ions, "softening = 0.1", "G = 1"), "s.toml:11:1: unknown key `G`");
  expect(inverse_power("G = 1"), "s.toml:13:1: unknown key `G`");
  expect(inverse_power("exponent = 0"), "`exponent` = 0 must be in [1, 8]");
  expect(inverse_power("exponent = 9"), "`exponent` = 9 must be in [1, 8]");
  expect(inverse_power("exponent = 1.5"), "`exponent` must be a whole number");
  expect(with(ions, "mass = 3.0", "mass = 0.0"), "s.toml:6:3: Cl has a charge and no mass");
  expect(with(with(ions, ", charge = 1.0", ""), ", charge = -1.0", ""),
         "s.toml:10:8: no body has a charge: give `charge` in [[initial]]");
  expect(sound + "[force]\nkind = \"coulomb\"", "s.toml:3:10: no orbit: these masses do not attract each other");
  expect("[[initial]]\nkind = \"random-cube\"\ncharge = [1, -1]\n[integrator]\ndt = 1\nsteps = 1",
         "s.toml:3:10: the lower limit must come first");
}

TEST(ScenarioLaws, UnitsDefineKnownConstants) {
  const auto target_factor = [](const std::string& text) { return force_of(text).target_factor[0]; };
  EXPECT_EQ(target_factor("units = \"nbody\"\n" + ions), -0.5);
  EXPECT_EQ(target_factor("units = \"si\"\n" + ions), -8.9875517873681764e9 / 2);
  EXPECT_EQ(target_factor("units = \"nbody\"\n" + inverse_power("")), 1);
  EXPECT_EQ(target_factor("units = \"galactic\"\n" + inverse_power("strength = 0.25")), 0.25);
  EXPECT_EQ(target_factor("units = \"astronomical\"\n" + with(ions, "softening = 0.1", "k = 4")), -2);
  EXPECT_THAT(refusal("units = \"galactic\"\n" + ions),
              HasSubstr("s.toml:11:8: units = \"galactic\" has no constant `k` for coulomb: set it in [force]"));
  EXPECT_THAT(refusal("units = \"si\"\n" + inverse_power("")), HasSubstr("has no constant `strength`"));
  EXPECT_THAT(refusal("units = \"si\"\n" + with(ions, "softening = 0.1", "k = 4")),
              HasSubstr("s.toml:12:5: `units` sets k = 8987551787.368176: remove one of the two keys"));
}

/// The G of fields is that of the units, whatever law acts between the bodies.
TEST(ScenarioLaws, FieldsKeepTheirG) {
  const std::string sphere = "[[force]]\nkind = \"plummer-halo\"\nmass = 3\n";
  const auto strength = [](const std::string& text) {
    const Scenario scenario = parse_scenario(text, "s.toml");
    return sim::system_of(set_up(scenario).model).fields.at(0).parameters.at[0];
  };
  const std::string charged = with(ions, "[force]", "[[force]]");
  EXPECT_EQ(strength(charged + sphere), 3);
  EXPECT_EQ(strength("units = \"si\"\n" + charged + sphere), 6.67430e-11 * 3);
  EXPECT_EQ(strength(with(inverse_power("strength = 7\n"), "[force]", "[[force]]") + sphere), 3);
}

TEST(ScenarioLaws, AreInTheResolvedScenario) {
  for (const std::string& text : {ions, inverse_power("exponent = 3"), "units = \"si\"\n" + ions,
                                  "units = \"si\"\n" + inverse_power("strength = 2.5")}) {
    const Scenario scenario = parse_scenario(text, "s.toml");
    const Scenario again = read_again(scenario);
    EXPECT_EQ(resolved(again), resolved(scenario));
    EXPECT_EQ(set_up(again).model.bodies.charge, set_up(scenario).model.bodies.charge);
    EXPECT_EQ(physics_texts(again, set_up(again)), physics_texts(scenario, set_up(scenario)));
  }
  EXPECT_THAT(resolved(parse_scenario(sound, "s")), Not(HasSubstr("charge")));
}

TEST(ScenarioLaws, KeepTheirEnergyOverARun) {
  for (const std::string& text :
       {ions, with(with(inverse_power("exponent = 3\nsoftening = 0.2"), "dt = 0.1", "dt = 1e-4"), "steps = 20",
                   "steps = 5000")}) {
    const Scenario scenario = parse_scenario(text, "s.toml");
    const auto setup = set_up(scenario);
    const auto backend = make_backend(setup, scenario.backend).backend;
    sim::Simulation simulation(*backend, setup.model);
    const auto start = simulation.observe().observables;
    simulation.advance(setup.model.steps);
    const auto end = simulation.observe().observables;
    EXPECT_GT(std::abs(end.kinetic_energy - start.kinetic_energy), 0.02);
    EXPECT_NEAR(end.total_energy(), start.total_energy(), 1e-5);
  }
}

TEST(ScenarioLaws, PlanHasTheirWarnings) {
  const auto warnings = [](const std::string& text) {
    const Scenario scenario = parse_scenario(text, "s.toml");
    return make_plan(scenario, set_up(scenario)).warnings;
  };
  const auto foreign = HasSubstr("the period is that of gravity, not of inverse-power");
  EXPECT_THAT(warnings(inverse_power("exponent = 3")), Contains(foreign));
  EXPECT_THAT(warnings(inverse_power("exponent = 2")), Not(Contains(foreign)));
  const std::string still = "[[initial]]\nkind = \"random-cube\"\nmass = [1, 1]\ncharge = [1, 1]\n" +
                            std::string("[integrator]\ndt = 1e-3\nsteps = 1\n[force]\n");
  const auto unbound = HasSubstr("not bound");
  EXPECT_THAT(warnings(still + "kind = \"coulomb\"\n"),
              AllOf(Contains(unbound), Contains(HasSubstr("of coulomb is 0"))));
  // No energy suffices to escape from a logarithmic potential.
  EXPECT_THAT(warnings(still + "kind = \"inverse-power\"\nexponent = 1"), Not(Contains(unbound)));
}

}  // namespace
}  // namespace orrery::pipeline::testing
