// SPDX-License-Identifier: MIT
// [[perturb]] changes one body as specified, after all else, and is recorded; impossible changes are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

const std::string moon = R"([[initial]]
kind = "arenstorf"

[integrator]
dt = 0.1
steps = 20

[[perturb]]
body = "Moon"
)";

TEST(Perturb, IsAppliedAfterRecentring) {
  const auto plain = setup_of(sound);
  const auto moved = setup_of(sound +
                              "[[perturb]]\nbody = 1\nposition = [0.5, -1, 2]\nvelocity = [0, 0.25, 0]\n"
                              "mass = -0.125\n");
  EXPECT_EQ(moved.model.bodies.position.x[1], plain.model.bodies.position.x[1] + 0.5);
  EXPECT_EQ(moved.model.bodies.position.y[1], plain.model.bodies.position.y[1] - 1);
  EXPECT_EQ(moved.model.bodies.position.z[1], plain.model.bodies.position.z[1] + 2);
  EXPECT_EQ(moved.model.bodies.velocity.y[1], plain.model.bodies.velocity.y[1] + 0.25);
  EXPECT_EQ(moved.model.bodies.mass[1], 0.375);
  EXPECT_EQ(moved.model.bodies.position.x[0], plain.model.bodies.position.x[0]);  // the other stays where it is
  EXPECT_EQ(moved.model.bodies.velocity.y[0], plain.model.bodies.velocity.y[0]);
  EXPECT_EQ(moved.facts.timescale, plain.facts.timescale);  // and the period is that of the orbit that was known
}

TEST(Perturb, SeveralOfOneBodyAccumulate) {
  const double mass = setup_of(moon + "velocity = [0, 0, 0]").model.bodies.mass[1];
  const auto twice = setup_of(moon + "mass = 0.5\n[[perturb]]\nbody = 1.0\nmass = -0.25\n");
  EXPECT_EQ(twice.model.bodies.mass[1], mass + 0.5 - 0.25);
  const auto set = setup_of(sound, {"perturb[0].body=0", "perturb[0].position=[0, 0, 1e-6]"});
  EXPECT_EQ(set.model.bodies.position.z[0], 1e-6);
  const auto twofold =
      setup_of(moon + "mass = 0.5\n[[perturb]]\nbody = 2\n", {"perturb[1].position=[0, 0, 3]", "perturb[0].mass=2"});
  EXPECT_EQ(twofold.model.bodies.position.z[2], 3);
  EXPECT_EQ(twofold.model.bodies.mass[1], mass + 2);
}

TEST(Perturb, IsRecorded) {
  const std::string text = moon + "position = [1e-6, 0, 0]\n[[perturb]]\nbody = 2\nmass = 1e-9\n";
  const Scenario scenario = parse_scenario(text, "s.toml");
  const std::string full = resolved(scenario);
  EXPECT_THAT(full, HasSubstr("[[perturb]]\nbody = \"Moon\"\nposition = [1e-06, 0.0, 0.0]\n"));
  const Scenario again = read_again(scenario);
  EXPECT_EQ(resolved(again), full);
  EXPECT_EQ(set_up(again).model.bodies.position, set_up(scenario).model.bodies.position);
  EXPECT_EQ(set_up(again).model.bodies.mass, set_up(scenario).model.bodies.mass);
  const auto keys = physics_texts(scenario, set_up(scenario));
  EXPECT_THAT(keys, Contains(Pair("perturb[0].position", "[1e-06, 0.0, 0.0]")));
  EXPECT_THAT(keys, Contains(Pair("perturb[1].mass", "1e-09")));
}

TEST(Perturb, RefusesInvalidValues) {
  EXPECT_THAT(refusal(with(moon, "\"Moon\"", "\"Mon\"") + "mass = 1"),
              HasSubstr("s.toml:9:8: no body is named \"Mon\"; did you mean `Moon`?"));
  EXPECT_THAT(refusal(sound + "[[perturb]]\nbody = \"\"\nmass = 1"), HasSubstr("no body is named \"\""));
  for (const char* number : {"2", "-1", "0.5", "1e300"}) {
    EXPECT_THAT(refusal(sound + "[[perturb]]\nbody = " + number + "\nmass = 1"),
                HasSubstr("s.toml:12:8: there is no body " + std::string(number) + ": indices are 0 to 1"));
  }
  EXPECT_THAT(refusal(sound + "[[perturb]]\nbody = 1\nmass = -0.625"),
              HasSubstr("s.toml:13:8: `mass` is added to that of the body, 0.5, which would become -0.125"));
  EXPECT_THAT(refusal(sound + "[[perturb]]\nbody = 1"), HasSubstr("s.toml:12:8: [[perturb]] changes nothing"));
  EXPECT_THAT(refusal(sound + "[[perturb]]\nmass = 1"), HasSubstr("s.toml:11:1: [perturb] needs `body`"));
  EXPECT_THAT(refusal(sound + "[[perturb]]\nbody = 1\nposition = [1, 2]"), HasSubstr("must have 3 entries"));
  EXPECT_THAT(refusal(sound + "[[perturb]]\nbody = 1\nvelocity = [1, nan, 2]"), HasSubstr("must be finite"));
  EXPECT_THAT(refusal(sound, {"perturb[0].body=7", "perturb[0].mass=1"}),
              HasSubstr("--set perturb[0].body=7: there is no body 7"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
