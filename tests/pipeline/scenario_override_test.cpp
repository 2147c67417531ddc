// SPDX-License-Identifier: MIT
// --set: any key by its dotted name, its value TOML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string two_bodies = sound + R"([[initial]]
kind = "random-cube"
n = 8
offset = [10, 0, 0]
)";

TEST(ScenarioOverride, SetsExistingAndNewKeys) {
  EXPECT_EQ(setup_of(sound, {"integrator.dt=0.25"}).dt, 0.25);
  EXPECT_EQ(setup_of(sound, {"integrator.dt = 0.25 # a quarter"}).dt, 0.25);
  EXPECT_EQ(setup_of(sound, {"integrator[0].dt=0.25"}).dt, 0.25);
  EXPECT_EQ(setup_of(sound, {"integrator.dt=0.25", "integrator.dt=0.5"}).dt, 0.5);
  EXPECT_EQ(
      setup_of(sound, {"integrator.steps=\"auto\"", "integrator.time=\"1 period\"", "integrator.dt=\"1/50 period\""})
          .steps,
      50);
  EXPECT_EQ(setup_of(sound, {"trajectory.every=5"}).frames.size(), 5);
  EXPECT_EQ(setup_of(sound, {"force.G=4"}).G, 4);
  EXPECT_EQ(setup_of(sound, {"initial.masses=[3, 2]"}).bodies.mass, (std::vector<double>{3, 2}));
  EXPECT_EQ(setup_of(sound, {"initial.masses[1]=2"}).bodies.mass, (std::vector<double>{1, 2}));
  EXPECT_EQ(setup_of(two_bodies, {"initial[1].n=5"}).bodies.size(), 7U);
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title='it is \"so\"'"}).title(), "it is \"so\"");
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title=\"a = b\""}).title(), "a = b");
}

TEST(ScenarioOverride, WordsNeedNoQuotes) {
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"integrator.kind=rk4"}).integrator.plugin->name, "rk4");
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title=yin-yang-1a"}).title(), "yin-yang-1a");
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"trajectory.file=b.h5"}).trajectory->text("file"), "b.h5");
  EXPECT_FALSE(parse_scenario(sound, "s.toml", {"trajectory.velocities=false"}).trajectory->boolean("velocities"));
  EXPECT_THAT(resolved(parse_scenario(sound, "s.toml", {"integrator.kind=rk4"})), HasSubstr("kind = \"rk4\"\n"));
}

TEST(ScenarioOverride, IsStored) {
  const Scenario scenario = parse_scenario(sound, "s.toml", {"integrator.dt=0.25"});
  EXPECT_EQ(scenario.overrides, std::vector<std::string>{"integrator.dt=0.25"});
  EXPECT_EQ(scenario.text, sound);
  EXPECT_THAT(resolved(scenario), HasSubstr("dt = 0.25\n"));
}

TEST(ScenarioOverride, Refusals) {
  struct Case {
    std::string override, words;
  };
  const Case cases[] = {
      {"integrator.dtt=3", "unknown key `dtt`; did you mean `dt`?"},
      {"integrtor.dt=3", "unknown key `integrtor`; did you mean `integrator`?"},
      {"a.b.c.d=1", "unknown key `a`"},
      {"perturb.boddy=1", "unknown key `boddy`; did you mean `body`?"},
      {"initial[0].rotate=[1,2,3]", "unknown key `rotate`"},
      {"integrator.dt", "write it as section.key=value"},
      {"integrator.dt=", "is not a TOML value"},
      {"=3", "write it as section.key=value"},
      {"integrator.=3", "write it as section.key=value"},
      {".dt=3", "write it as section.key=value"},
      {"integrator.dt=fast", "\"fast\" is not a time"},
      {"integrator.steps=many", "`steps` must be a number"},
      {"integrator.kind=leapfrgo", "did you mean `leapfrog`?"},
      {"integrator.kind=", "is not a TOML value"},
      {"integrator.kind=4rk", "is not a TOML value"},
      {"title=two words", "a text needs quotes: --set 'title=\"two words\"'"},
      {"initial[1].offset=[1,two,3]", "is not a TOML value"},
      {"integrator.dt=1/100 period", "a text needs quotes: --set 'integrator.dt=\"1/100 period\"'"},
      {"integrator.dt=\"fast\"", "\"fast\" is not a time"},
      {"integrator.dt=true", "`dt` must be a number or a text in quotes"},
      {"integrator.dt=nan", "`dt` must be finite"},
      {"integrator.steps=1e18", "must be in [0, 1e15]"},
      {"integrator.time=2.0", "to \"auto\" to ignore it"},
      {"integrator=3", "`integrator` must be a table"},
      {"integrator.kind=\"leapfrgo\"", "did you mean `leapfrog`?"},
      {"initial[2].n=9", "`initial` has only 2 entries"},
      {"initial.offset=[1,2,3]", "there are 2 [[initial]]: write initial[0], or another"},
      {"initial[x].n=9", "write an index as name[0]"},
      {"initial[-1].n=9", "write an index as name[0]"},
      {"initial[0.n=9", "write an index as name[0]"},
      {"initial[].n=9", "write an index as name[0]"},
      {"initial[99999999999999999999].n=9", "write an index as name[0]"},
      {"initial[1].offset[3]=9", "`offset` has only 3 entries"},
      {"initial[1].n[0]=9", "`n` is not an array"},
      {"initial[1].n.m=9", "`n` is not a table"},
      {"integrator[1].dt=1", "there is no integrator[1]"},
      {"force[1].G=1", "there is no force[1]"},
  };
  for (const Case& c : cases) {
    const std::string message = refusal(two_bodies, {c.override});
    // An error caused by two keys may be reported at the one in the file.
    const bool together = c.override.starts_with("integrator.time");
    EXPECT_THAT(message, StartsWith(together ? "s.toml:8:9: " : "--set " + c.override + ": "));
    EXPECT_THAT(message, HasSubstr(c.words));
  }
}

TEST(ScenarioOverride, SetsOneKeyOnly) {
  EXPECT_THROW(parse_scenario(sound, "s.toml", {"integrator.dt=0.1\nsteps=7"}), Error);
}

TEST(ScenarioOverride, LineNumbersOfOtherKeysAreKept) {
  EXPECT_THAT(refusal(with(sound, "20", "-20"), {"integrator.dt=0.25"}), StartsWith("s.toml:8:9: "));
}

}  // namespace
}  // namespace orrery::pipeline::testing
