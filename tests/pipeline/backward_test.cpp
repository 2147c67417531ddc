// SPDX-License-Identifier: MIT
// A run with dt < 0: its times decrease, and every command accepts it like any other run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(Backward, SignOfTimesIsOptional) {
  for (const char* time : {"0.3", "-0.3"}) {
    const auto setup = setup_of(timed("-0.1", time));
    EXPECT_EQ(setup.model.steps, 3);
    EXPECT_DOUBLE_EQ(setup.model.end(), -0.3);
  }
  EXPECT_EQ(setup_of(timed("-0.1", "0")).model.steps, 0);
  for (const char* time : {"\"20 periods\"", "\"-20 periods\""}) {
    const auto setup = setup_of(timed("\"-1/1000 period\"", time));
    EXPECT_EQ(setup.model.steps, 20'000);
    EXPECT_DOUBLE_EQ(setup.model.end(), -20 * setup.facts.timescale);
  }
  const std::string back = with(sound, "dt = 0.1", "dt = -0.1");
  const auto times = setup_of(back + "[trajectory]\ntimes = [0.7, -0.3, 2.0, 0]");
  EXPECT_EQ(times.output.frames.from(1), 3);
  EXPECT_EQ(times.output.frames.from(4), 7);
  EXPECT_EQ(times.output.frames.size(), 4);
  for (const char* first : {"0.4", "-0.4"}) {
    const auto log = setup_of(back + "[trajectory]\nframes = 4\nspacing = \"log\"\nfirst = " + first);
    EXPECT_EQ(log.output.frames.from(1), 4);
  }
}

TEST(Backward, InconsistentSignsAreRefused) {
  EXPECT_EQ(setup_of(timed("-0.1", "-0.37")).notes,
            std::vector<std::string>{"s.toml:8:8: t = -0.37 is 3.7 steps of dt = -0.1 and was rounded to 4, t = -0.4; "
                                     "dt = -0.0925 divides it"});
  EXPECT_THAT(refusal(timed("0.1", "-0.3")),
              HasSubstr("s.toml:8:8: t = -0.3 is before the start: `time` must be ≥ 0 unless dt is negative"));
  EXPECT_THAT(refusal(timed("0.1", "\"-2 periods\"")), HasSubstr("8:8: t = -10.26"));
  EXPECT_THAT(refusal(sound + "[trajectory]\ntimes = [0.5, -0.5]"), HasSubstr("12:9: t = -0.5 is before the start"));
  EXPECT_THAT(refusal(with(sound, "dt = 0.1", "dt = -0.1") + "[trajectory]\ntimes = [-2.5]"),
              HasSubstr("12:9: t = -2.5 is after the end of the run"));
  EXPECT_THAT(refusal(timed("\"-0.0 periods\"", "1")), HasSubstr("7:6: `dt` must not be 0"));
}

class BackwardRun : public ::testing::Test {
 protected:
  BackwardRun() {
    write(folder_ / "b.toml", R"([initial]
kind = "figure-eight"
[integrator]
dt = "-1/100 period"
time = "2 periods"
[trajectory]
frames = 41
[observables]
every = 3
[[figure]]
kind = "projection"
file = "orbit.png"
size = [160, 120]
[[figure]]
kind = "energy-error"
file = "energy.svg"
size = [160, 120]
[[film]]
kind = "view3d"
file = "film.gif"
camera = "orbit"
size = [96, 64]
duration = 0.2
)");
  }

  /// The output of the command, which must succeed.
  std::string output_of(const std::vector<std::string>& arguments) {
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  }

  Folder folder_;
};

TEST_F(BackwardRun, IsAcceptedByEveryCommand) {
  const Outcome whole = run(folder_, {"run", "b.toml"});
  EXPECT_EQ(whole.code, 0) << whole.errors;
  (void)state_in(whole, 200);
  const TrajectoryReader trajectory(folder_ / "b/run.h5");
  const auto& times = trajectory.times();
  ASSERT_EQ(times.size(), 41U);
  EXPECT_FALSE(std::signbit(times.front()));  // 0, not −0
  EXPECT_TRUE(std::ranges::is_sorted(times, std::greater<>()));
  EXPECT_NEAR(times.back(), -12.65182796585, 1e-10);
  // Reversed in time: after a period all bodies are at their initial positions, having moved the opposite way.
  const sim::Snapshot start = trajectory.snapshot(0), there = trajectory.snapshot(1);
  EXPECT_LT((there.position.y[0] - start.position.y[0]) * start.velocity.y[0], 0);

  EXPECT_THAT(output_of({"check", "b.toml"}), HasSubstr("to t = -12.6518"));
  EXPECT_THAT(output_of({"check", "b.toml"}), HasSubstr(", 2 of them in the run"));
  EXPECT_THAT(output_of({"info", "b/run.h5"}), HasSubstr("0 … -12.6518"));
  EXPECT_TRUE(is_json(output_of({"info", "b/run.h5", "--json"})));
  EXPECT_THAT(output_of({"info", "b/run.h5", "--watch"}), HasSubstr("finished, 200 steps, 41 frames"));
  EXPECT_THAT(output_of({"verify", "b/run.h5"}), HasSubstr("yes, to the last bit"));
  EXPECT_THAT(output_of({"verify", "b/run.h5", "--frames", "11:17"}), ContainsRegex("started from +frame 10 "));
  EXPECT_THAT(output_of({"diff", "b/run.h5", "b/run.h5"}), ContainsRegex("frames compared +41, 41 of them the same"));
  EXPECT_THAT(output_of({"repair", "b/run.h5"}), HasSubstr("nothing to do: 41 frames"));
  EXPECT_THAT(read(folder_ / "b/summary.json"), HasSubstr("\"time\": -12.65182796585"));
  EXPECT_THAT(output_of({"table", "."}), HasSubstr(",-12.65182796585"));
  for (const char* format : {"csv", "xdmf", "json", "cs267"})
    (void)output_of({"export", "b/run.h5", "--format", format, "-o", std::string("e.") + format});
  EXPECT_THAT(read(folder_ / "e.csv"), HasSubstr("\n0,0,0,0,-1,0,0,"));
  EXPECT_THAT(read(folder_ / "e.xdmf"), HasSubstr("<Time Value=\"0\"/>"));
  if (!draws_pictures()) return;  // this build draws no pictures
  (void)output_of({"render", "b/run.h5", "--set", "film[0].trails=0.5"});
  (void)output_of({"render", "b/run.h5", "--follow"});
}

/// Frames of runs with other steps are compared at equal times; a forward run shares only the start.
TEST_F(BackwardRun, DiffComparesAtEqualTimes) {
  (void)output_of({"simulate", "b.toml", "-o", "a"});
  (void)output_of({"simulate", "b.toml", "-o", "fine", "--set", "integrator.dt=\"-1/200 period\""});
  EXPECT_THAT(run(folder_, {"diff", "a/run.h5", "fine/run.h5"}).output, ContainsRegex("frames compared +41, "));
  (void)output_of({"simulate", "b.toml", "-o", "forward", "--set", "integrator.dt=\"1/100 period\""});
  for (const auto& [a, b] : {std::pair("a", "forward"), std::pair("forward", "a")}) {
    const std::string both = run(folder_, {"diff", std::string(a) + "/run.h5", std::string(b) + "/run.h5"}).output;
    EXPECT_THAT(both, ContainsRegex("frames compared +1, "));
    EXPECT_THAT(both, ContainsRegex("frames only in a +40 of"));
  }
}

TEST_F(BackwardRun, Resumes) {
  const std::vector<std::string> longer{"--set", "integrator.time=\"20000 periods\"",
                                        "--set", "observables.every=5000",
                                        "--set", "trajectory.commit=0.02"};
  const auto all = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), longer.begin(), longer.end());
    return arguments;
  };
  const Outcome whole = run(folder_, all({"simulate", "b.toml", "-o", "whole"}));
  const auto reached = [&] {
    try {
      return TrajectoryReader(folder_ / "part/run.h5").restart().value_or(sim::Snapshot{}).step;
    } catch (const Error&) {
      return std::int64_t{0};  // not there yet
    }
  };
  {
    Running running(folder_, all({"simulate", "b.toml", "-o", "part", "--quiet"}));
    EXPECT_TRUE(wait_until([&] { return reached() > 0; }));
    running.send(SIGINT);
    (void)running.wait();
  }
  const Outcome rest = run(folder_, {"resume", "part/run.h5"});
  EXPECT_EQ(rest.code, 0) << rest.errors;
  EXPECT_EQ(state_in(rest, 2'000'000), state_in(whole, 2'000'000));
  EXPECT_THAT(output_of({"diff", "whole/run.h5", "part/run.h5"}), HasSubstr("yes, to the last bit"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
