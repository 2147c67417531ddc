// SPDX-License-Identifier: MIT
// From a scenario to bodies, whole steps and schedules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/orbit.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

double total(const std::vector<double>& mass, const std::vector<double>& value) {
  double sum = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * value[i];
  return sum;
}

TEST(ScenarioSetup, TimesAreWholeNumbersOfSteps) {
  EXPECT_EQ(setup_of(timed("0.1", "0.3")).model.steps, 3);  // 0.3/0.1 is 2.9999999999999996
  EXPECT_EQ(setup_of(timed("0.1", "0")).model.steps, 0);
  EXPECT_EQ(setup_of(timed("1e-4", "50.0")).model.steps, 500'000);
  EXPECT_EQ(setup_of(timed("\"1/1000 period\"", "\"20 periods\"")).model.steps, 20'000);
  EXPECT_EQ(setup_of(timed("\"1/3 period\"", "\"1/3 period\"")).model.steps, 1);
  EXPECT_EQ(setup_of(timed("1e-9", "1e6")).model.steps, 1'000'000'000'000'000);
  EXPECT_THAT(refusal(timed("0.1", "1e-12")), HasSubstr("s.toml:8:8: t = 1e-12 is 1e-11 steps of dt = 0.1"));
  EXPECT_THAT(refusal(timed("1e-12", "1e6")), HasSubstr("1e+18 steps are more than 1e15"));
  EXPECT_THAT(refusal(timed("1e-300", "1e300")), HasSubstr("more than 1e15"));
}

/// Other times are rounded, which is said, and read back from the stored scenario the same.
TEST(ScenarioSetup, OtherTimesAreRoundedAloud) {
  const auto scenario = parse_scenario(timed("0.1", "0.37"), "s.toml");
  const auto setup = set_up(scenario);
  EXPECT_EQ(setup.model.steps, 4);
  EXPECT_EQ(setup.notes, std::vector<std::string>{"s.toml:8:8: t = 0.37 is 3.7 steps of dt = 0.1 and was rounded to 4, "
                                                  "t = 0.4; dt = 0.0925 divides it"});
  EXPECT_EQ(set_up(read_again(scenario)).model.steps, 4);
  const auto year = setup_of("units = \"astronomical\"\n" + timed("\"1 day\"", "\"1 year\""));
  EXPECT_EQ(year.model.steps, 365);
  EXPECT_EQ(year.model.dt, 1);
  ASSERT_EQ(year.notes.size(), 1U);
  const auto at = setup_of(timed("0.3", "1.0")).notes.front().find("; dt = ");
  const std::string divides = setup_of(timed("0.3", "1.0")).notes.front().substr(at + 7);
  EXPECT_TRUE(setup_of(timed(divides.substr(0, divides.find(' ')), "1.0")).notes.empty());
  // Times of frames and rows.
  const auto between = setup_of(sound +
                                "[trajectory]\ntimes = [0.0, 0.14, 0.26, 1.9999]\n[observables]\nevery = 3\n"
                                "first = 0.44");
  EXPECT_EQ(between.output.frames.from(1), 1);
  EXPECT_EQ(between.output.frames.from(2), 3);
  EXPECT_EQ(between.output.frames.from(4), 20);
  EXPECT_EQ(between.output.rows.from(1), 4);
  ASSERT_EQ(between.notes.size(), 2U);
  EXPECT_EQ(between.notes[0],
            "s.toml:12:9: t = 0.14 is 1.4 steps of dt = 0.1 and was rounded to 1, t = 0.1; and 2 more");
  EXPECT_EQ(between.notes[1], "s.toml:15:9: t = 0.44 is 4.4 steps of dt = 0.1 and was rounded to 4, t = 0.4");
}

/// With dt, frames of an adaptive integrator are at its multiples; the note says how to have them anywhere.
TEST(ScenarioSetup, RoundedFramesOfAdaptiveStepsHaveARemedy) {
  const std::string text = with(sound, "leapfrog", "ias15") + "[trajectory]\ntimes = [0.14]";
  EXPECT_THAT(setup_of(text).notes.front(), ::testing::EndsWith("; without `dt`, which this integrator does not need, "
                                                                "none is"));
}

/// An integrator with steps of its own needs no dt: outputs are exactly where they are asked for.
TEST(ScenarioSetup, AdaptiveStepsNeedNoDt) {
  const auto free = [](const std::string& more, const std::string& kind = "ias15") {
    return with(with(with(sound, "leapfrog", kind), "dt = 0.1\n", ""), "steps = 20", "time = 2.0") + more;
  };
  const auto usual = setup_of(free(""));
  EXPECT_EQ(usual.output.frames.size(), 601);
  EXPECT_EQ(usual.model.steps, 600);
  EXPECT_EQ(usual.model.end(), 2);
  const auto both = setup_of(free("[trajectory]\nframes = 11\n[observables]\nrows = 5", "rk45"));
  EXPECT_EQ(both.model.steps, 20) << "the least common multiple of 10 and 4";
  EXPECT_EQ(both.output.frames.from(1), 2);
  EXPECT_EQ(both.output.rows.from(1), 5);
  const auto at = setup_of(free("[trajectory]\ntimes = [0.11, 0.74, 2]"));
  EXPECT_EQ(at.model.steps, 200);
  EXPECT_EQ(at.output.frames.from(0), 11);
  EXPECT_EQ(at.output.frames.from(12), 74);
  EXPECT_TRUE(at.notes.empty());
  // Times without a common divisor.
  const auto any = setup_of(free("[trajectory]\ntimes = [0.14142135623730951, \"0.1 periods\", 1.7320508]"));
  EXPECT_NEAR(static_cast<double>(any.output.frames.from(0)) * any.model.dt, 0.14142135623730951, 1e-12);
  EXPECT_NEAR(static_cast<double>(any.output.frames.from(any.output.frames.from(0) + 1)) * any.model.dt,
              any.facts.timescale / 10, 1e-12);
  EXPECT_EQ(any.model.end(), 2);
  EXPECT_TRUE(any.notes.empty());
  const auto log = setup_of(free("[trajectory]\nframes = 5\nspacing = \"log\"\nfirst = 0.002"));
  const double second = static_cast<double>(log.output.frames.from(log.output.frames.from(1) + 1)) * log.model.dt;
  EXPECT_NEAR(second, 0.02, 1e-5);
  EXPECT_LT(setup_of(with(free(""), "2.0", "-2.0")).model.dt, 0) << "backward";
  EXPECT_EQ(setup_of(with(free(""), "2.0", "0")).model.steps, 0);
  // The stored scenario reads back the same.
  const Scenario scenario = parse_scenario(free("[trajectory]\ntimes = [0.11, 0.74, 2]"), "s.toml");
  const Scenario again = read_again(scenario);
  EXPECT_EQ(resolved(again), resolved(scenario));
  EXPECT_EQ(physics_texts(again, set_up(again)), physics_texts(scenario, set_up(scenario)));

  EXPECT_THAT(refusal(with(sound, "dt = 0.1\n", "")), HasSubstr("s.toml:5:1: [integrator] needs `dt`"));
  EXPECT_THAT(refusal(free("", "ias15\"\ntolerance = 0\n#\"")), HasSubstr("[integrator] needs `dt`"));
  EXPECT_THAT(refusal(free("", "hermite4")), HasSubstr("[integrator] needs `dt`"));
  EXPECT_EQ(refusal(free("", "hermite4\"\neta = 0.01\n#\"")), "");
  EXPECT_THAT(refusal(with(free(""), "time = 2.0", "steps = 3")), HasSubstr("`steps` are steps of dt"));
  EXPECT_THAT(refusal(free("[trajectory]\nevery = 2")), HasSubstr("`every` counts steps of dt"));
  EXPECT_THAT(refusal(free("[observables]\nrows = 5\nspacing = \"log\"")), HasSubstr("give [integrator] a `dt`, or"));
}

TEST(ScenarioSetup, PeriodsAreThoseOfTheInitialState) {
  const auto setup = setup_of(timed("\"1/1000 period\"", "\"2 periods\""));
  EXPECT_NEAR(setup.facts.timescale, 2 * M_PI / std::sqrt(1.5), 1e-14);
  EXPECT_DOUBLE_EQ(setup.model.dt, setup.facts.timescale / 1000);
  EXPECT_DOUBLE_EQ(setup.model.end(), 2 * setup.facts.timescale);
  const std::string table = with(timed("0.1", "\"1 period\""), "kind = \"two-body\"\nmasses = [1.0, 0.5]",
                                 "kind = \"table\"\n"
                                 "bodies = [{ mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }]");
  EXPECT_THAT(refusal(table), HasSubstr("s.toml:8:8: the initial state has no timescale"));
}

TEST(ScenarioSetup, TimesInPeriodsAndNumbers) {
  const std::string two = with(sound, "dt = 0.1", "dt = \"1/20 period\"");
  const std::string mixed = "[trajectory]\ntimes = [0, \"1/4 period\", \"3/5 period\"]\n";
  EXPECT_EQ(setup_of(two + mixed).output.frames.from(1), 5);
  EXPECT_EQ(setup_of(two + mixed).output.frames.from(6), 12);
  EXPECT_EQ(setup_of(two + "[observables]\ntimes = [\"1/2 periods\"]\n").output.rows.from(0), 10);
  EXPECT_THAT(refusal(two + "[trajectory]\ntimes = [0, \"1/4 fortnight\"]\n"),
              ::testing::StartsWith("s.toml:12:13: \"1/4 fortnight\" is not a time"));
  EXPECT_THAT(refusal(two + "[trajectory]\ntimes = [\"2 periods\"]\n"),
              ::testing::HasSubstr("after the end of the run"));
  // A list of numbers stays one, and other values stay as written.
  const auto again = [](const std::string& text) { return resolved(parse_scenario(text, "s.toml", {})); };
  EXPECT_THAT(again(two + mixed), ::testing::HasSubstr("times = [\"0\", \"1/4 period\", \"3/5 period\"]"));
  EXPECT_THAT(again(sound + "[trajectory]\ntimes = [0, 0.1]\n"), ::testing::HasSubstr("times = [0.0, 0.1]"));
  EXPECT_EQ(again(again(two + mixed)), again(two + mixed));
}

TEST(ScenarioSetup, FramesAndObservables) {
  EXPECT_EQ(setup_of(sound).output.frames.size(), 21);
  EXPECT_EQ(setup_of(with(sound, "20", "599")).output.frames.size(), 600);
  EXPECT_EQ(setup_of(with(sound, "20", "600")).output.frames.size(), 601);
  EXPECT_EQ(setup_of(with(sound, "20", "1000")).output.frames.from(1), 2) << "501 of them";
  EXPECT_EQ(setup_of(with(sound, "20", "1000")).output.rows.size(), 501);
  EXPECT_EQ(setup_of(with(sound, "20", "1009")).output.frames.size(), 600) << "a prime";
  EXPECT_EQ(setup_of(with(sound, "20", "1000") + "[trajectory]\nframes = 600").output.frames.size(), 600);
  EXPECT_EQ(setup_of(sound + "[trajectory]\nframes = 1").output.frames.size(), 1);
  EXPECT_EQ(setup_of(sound + "[trajectory]\nframes = 11").output.frames.from(1), 2);
  EXPECT_EQ(setup_of(sound + "[trajectory]\nevery = 7").output.frames.size(), 3);
  const auto times = setup_of(sound + "[trajectory]\ntimes = [0.7, 0.3, 0.3, 2.0]");
  EXPECT_EQ(times.output.frames.size(), 3);
  EXPECT_EQ(times.output.frames.from(0), 3);
  EXPECT_EQ(times.output.frames.from(8), 20);
  EXPECT_EQ(times.output.rows.from(4), 7);  // with the frames, unless they say otherwise
  const auto log = setup_of(with(sound, "20", "1000") +
                                "[trajectory]\nframes = 4\nspacing = \"log\"\n[observables]\n"
                                "rows = 3\nspacing = \"log\"\nfirst = \"1/100 period\"",
                            {"integrator.dt=\"1/1000 period\""});
  EXPECT_EQ(log.output.frames.size(), 4);
  EXPECT_EQ(log.output.frames.from(1), 1);
  EXPECT_EQ(log.output.frames.from(2), 32);
  EXPECT_EQ(log.output.rows.from(1), 10);
  EXPECT_EQ(log.output.rows.from(11), 1000);
  EXPECT_EQ(setup_of(sound + "[observables]\nrows = 3").output.rows.from(1), 10);
  EXPECT_EQ(setup_of(sound + "[observables]\ntimes = [0.4]").output.rows.from(1), 4);
  const auto often = setup_of(sound + "[trajectory]\nframes = 3\n[observables]\nevery = 4");
  EXPECT_EQ(often.output.rows.size(), 6);
  EXPECT_EQ(often.output.next_step(0, often.model.steps), 4);
  EXPECT_EQ(often.output.next_step(8, often.model.steps), 10);
  EXPECT_EQ(setup_of(sound + "[trajectory]\nevery = 50").output.next_step(0, 20),
            20);  // the last step is always looked at
}

TEST(ScenarioSetup, SeedsAndStreams) {
  const std::string random = with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"random-cube\"\nn = 5");
  const auto cube = [&](const std::string& seed) { return setup_of("seed = " + seed + "\n" + random).model.bodies; };
  EXPECT_EQ(cube("7").position, cube("7").position);
  EXPECT_NE(cube("7").position, cube("8").position);
  EXPECT_EQ(cube("1").position, setup_of(random).model.bodies.position);
  // All 63 bits count; a conversion to double would lose some.
  EXPECT_NE(cube("9223372036854775807").position, cube("9223372036854775806").position);
  // Two cubes of one scenario differ.
  const auto twice = setup_of(random + "[[initial]]\nkind = \"random-cube\"\nn = 5");
  EXPECT_NE(std::vector(twice.model.bodies.mass.begin(), twice.model.bodies.mass.begin() + 5),
            std::vector(twice.model.bodies.mass.begin() + 5, twice.model.bodies.mass.end()));
}

TEST(ScenarioSetup, Placements) {
  const std::string place = "offset = [10, 20, 30]\nvelocity = [1, 2, 3]\nrecentre = false\n";
  const auto there = setup_of(with(sound, "masses", place + "masses"));
  const auto here = setup_of(with(sound, "masses", "recentre = false\nmasses"));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(there.model.bodies.position.x[i], here.model.bodies.position.x[i] + 10);
    EXPECT_EQ(there.model.bodies.position.y[i], here.model.bodies.position.y[i] + 20);
    EXPECT_EQ(there.model.bodies.position.z[i], here.model.bodies.position.z[i] + 30);
    EXPECT_EQ(there.model.bodies.velocity.x[i], here.model.bodies.velocity.x[i] + 1);
    EXPECT_EQ(there.model.bodies.velocity.z[i], here.model.bodies.velocity.z[i] + 3);
  }
  // By default the centre of mass is at rest at the origin.
  const auto centred = setup_of(with(with(sound, "masses", place + "masses"), "recentre = false", "recentre = true"));
  EXPECT_NEAR(total(centred.model.bodies.mass, centred.model.bodies.position.x), 0, 1e-14);
  EXPECT_NEAR(total(centred.model.bodies.mass, centred.model.bodies.velocity.z), 0, 1e-14);
}

/// A star of mass 1 at x = 8 in a halo at the origin is not recentred, because the halo would not move with it.
TEST(ScenarioSetup, NothingIsRecentredInAnExternalField) {
  const std::string star = R"(
[[initial]]
kind = "table"
bodies = [{ name = "star", mass = 1.0, position = [8, 0, 0], velocity = [0, 0.9, 0] }]
[integrator]
dt = 0.1
steps = 10
[[force]]
)";
  const std::string halo = star + "kind = \"logarithmic-halo\"\n", gravity = star + "kind = \"gravity\"\n";
  EXPECT_EQ(setup_of(halo).model.bodies.position.x[0], 8);
  EXPECT_EQ(setup_of(halo).model.bodies.velocity.y[0], 0.9);
  EXPECT_EQ(setup_of(gravity).model.bodies.position.x[0], 0);
  EXPECT_EQ(setup_of(with(halo, "bodies =", "recentre = true\nbodies =")).model.bodies.position.x[0], 0);
}

/// Rotated, an orbit in the plane x-y has the angles as its elements.
TEST(ScenarioSetup, RotationsAreThoseOfOrbits) {
  const std::string start = "recentre = false\noffset = [0, 7, 0]\n";
  const auto setup = setup_of(with(sound, "masses", start + "rotate = [40, \"70 deg\", -110]\nmasses"));
  const sim::Vectors &x = setup.model.bodies.position, &v = setup.model.bodies.velocity;
  const sim::OrbitalElements found = sim::elements_of(1.5, {x.x[1] - x.x[0], x.y[1] - x.y[0], x.z[1] - x.z[0]},
                                                      {v.x[1] - v.x[0], v.y[1] - v.y[0], v.z[1] - v.z[0]});
  EXPECT_NEAR(found.ascending_node, 40, 1e-12);
  EXPECT_NEAR(found.inclination, 70, 1e-12);
  EXPECT_NEAR(found.argument_of_pericentre, 250, 1e-12);
  EXPECT_NEAR(found.true_anomaly, 0, 1e-12);
  EXPECT_NEAR(x.y[0] * 1.0 + x.y[1] * 0.5, 7 * 1.5, 1e-13);  // turned about its own origin, then moved
  // The same as in a list, whose orbits go through other code.
  const auto zero = setup_of(with(sound, "masses", start + "rotate = [0, 0, 0]\nmasses"));
  const auto none = setup_of(with(sound, "masses", start + "masses"));
  EXPECT_EQ(zero.model.bodies.position, none.model.bodies.position);
  EXPECT_EQ(zero.model.bodies.velocity, none.model.bodies.velocity);
}

TEST(ScenarioSetup, ScalesLengthsAndVelocities) {
  const std::string cube = "recentre = false\noffset = [0, 7, 0]\n";
  const auto here = setup_of(with(sound, "masses", cube + "masses"));
  const auto scaled = setup_of(with(sound, "masses", cube + "scale = [4.0, 0.5]\nmasses"));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(scaled.model.bodies.position.x[i], 4 * here.model.bodies.position.x[i]);
    EXPECT_EQ(scaled.model.bodies.position.y[i], 4 * (here.model.bodies.position.y[i] - 7) + 7);
    EXPECT_EQ(scaled.model.bodies.velocity.y[i], 0.5 * here.model.bodies.velocity.y[i]);
  }
  EXPECT_EQ(scaled.facts.timescale, 8 * here.facts.timescale);
  // What was in equilibrium stays so if velocities follow.
  const auto sphere = [](const char* scale) {
    return setup_of(with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]",
                         "kind = \"plummer\"\nn = 30\nscale = " + std::string(scale)));
  };
  EXPECT_EQ(sphere("[4.0, 0.5]").equilibrium, "plummer");
  EXPECT_EQ(sphere("[4.0, 0.6]").equilibrium, "");
  EXPECT_THAT(refusal(with(sound, "masses", "scale = [2.0, 0.0]\nmasses")), HasSubstr("scale"));
  EXPECT_THAT(refusal(with(sound, "masses", "scale = 2.0\nmasses")), HasSubstr("scale"));
  EXPECT_THAT(refusal(with(sound, "masses", "rotate = [\"3 kg\", 0, 0]\nmasses")), HasSubstr("rotate"));
}

TEST(ScenarioSetup, IsRecentredUnlessDisabled) {
  const std::string cube = "[[initial]]\nkind = \"random-cube\"\nn = 4\nmass = [1, 1]\noffset = [7, 0, 0]\n";
  const auto centred = setup_of(sound + cube);
  EXPECT_NEAR(total(centred.model.bodies.mass, centred.model.bodies.position.x), 0, 1e-12);
  const auto left = setup_of(sound + cube + "recentre = false\n");
  EXPECT_GT(total(left.model.bodies.mass, left.model.bodies.position.x), 4);
}

TEST(ScenarioSetup, OffsetOfRecentringIsStored) {
  const auto setup = setup_of(with(sound, "masses", "offset = [3, 0, 4]\nvelocity = [0, 2, 0]\nmasses"));
  EXPECT_NEAR(setup.moved.x, 3, 1e-14);
  EXPECT_NEAR(setup.moved.z, 4, 1e-14);
  EXPECT_NEAR(setup.slowed.y, 2, 1e-14);
  for (const std::string& still :
       {sound, with(sound, "masses", "offset = [3, 0, 4]\nrecentre = false\nmasses"),
        with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"galaxy\"\nn = 300")}) {
    EXPECT_EQ(setup_of(still).moved, sim::Vec3{}) << "no more than rounding";
    EXPECT_EQ(setup_of(still).slowed, sim::Vec3{});
  }
}

TEST(ScenarioSetup, ComponentsAndSpecies) {
  const auto setup = setup_of(sound + R"([[initial]]
kind = "table"
component = "comets"
bodies = [{ name = "Halley", mass = 0, position = [5, 0, 0], velocity = [0, 0, 0] }]
[[initial]]
kind = "random-cube"
n = 2
velocity = [3, 3]
recentre = false
)");
  EXPECT_EQ(setup.model.components, (std::vector<std::string>{"two-body", "comets", "random-cube"}));
  EXPECT_EQ(setup.model.bodies.species, (std::vector<std::int32_t>{0, 0, 1, 2, 2}));
  EXPECT_EQ(setup.model.bodies.names, (std::vector<std::string>{"", "", "Halley", "", ""}));
  EXPECT_EQ(setup.model.bodies.mass[2], 0);
  EXPECT_EQ(setup.model.bodies.velocity.x[4], 3);   // the cube's own `velocity`, not a shift of all of it
  EXPECT_EQ(setup.facts.timescale_name, "period");  // the first that knows one
}

TEST(ScenarioSetup, NamesAreUniqueAcrossTables) {
  const std::string table =
      "[[initial]]\nkind = \"table\"\nbodies = [\n"
      "{ name = \"Ida\", mass = 1, position = [5, 0, 0], velocity = [0, 0, 0] } ]\n";
  EXPECT_THAT(refusal(sound + table + table), HasSubstr("s.toml:18:1: two bodies are named \"Ida\""));
}

TEST(ScenarioSetup, UnitsDefineG) {
  EXPECT_EQ(setup_of(sound).model.G, 1);
  EXPECT_EQ(setup_of("units = \"nbody\"\n" + sound).model.G, 1);
  EXPECT_EQ(setup_of("units = \"si\"\n" + sound).model.G, 6.67430e-11);
  // The Earth's year in days.
  const auto earth = setup_of("units = \"astronomical\"\n" + with(sound, "0.5]", "3e-6]"));
  EXPECT_NEAR(earth.facts.timescale, 365.2563, 1e-2);
}

}  // namespace
}  // namespace orrery::pipeline::testing
