// SPDX-License-Identifier: MIT
// What lies between frames: the default number of frames, and what check, run and pictures say if it is not seen.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/turning.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BetweenFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  Outcome run_of(const std::string& text, const std::string& command = "run") {
    write(folder_ / "s.toml", text);
    return run(folder_, {command, "s.toml"});
  }
  [[nodiscard]] std::string picture(const std::string& name) const { return read(folder_ / ("s/" + name)); }
  Folder folder_;
};

std::string two_bodies(double e, const std::string& time, const std::string& more = "") {
  return fmt::format(
      "[initial]\nkind = \"two-body\"\neccentricity = {}\n[integrator]\nkind = \"yoshida4\"\ndt = \"1/200 period\"\n"
      "time = \"{}\"\n{}",
      e, time, more);
}

TEST(DefaultFrames, FollowTheFastestOrbitOfFewBodies) {
  const auto frames = [](const std::string& text) { return set_up(parse_scenario(text, "s.toml")).output.frames; };
  const Schedule many = frames(two_bodies(0.3, "1000 periods"));
  EXPECT_GT(many.size(), 1000 * 10) << "at pericentre it is 1.95 times as fast as on average";
  EXPECT_LE(many.size(), 20'000);
  EXPECT_EQ(many.gaps().least, many.gaps().greatest) << "equidistant";
  EXPECT_EQ(frames(two_bodies(0.3, "10 periods")).size(), 501) << "which is enough: the usual number";
  EXPECT_EQ(frames(two_bodies(0.3, "100000 periods")).size(), 626) << "more than a picture reads";
  EXPECT_EQ(frames(two_bodies(0.3, "1000 periods", "[trajectory]\nframes = 77\n")).size(), 77);
}

TEST(DefaultFrames, TheFastestOrbitIsThatOfTheTightestPair) {
  // A pair of a = 0.01 and a star that passes at distance 1, and at 0.1, where it tears the pair apart.
  const auto turning = [](double distance) {
    sim::Bodies bodies;
    bodies.mass = {1, 0.5e-3, 0.5e-3};
    bodies.position.push_back(distance, 0, 0);
    bodies.position.push_back(0, 0, 0);
    bodies.position.push_back(0.01, 0, 0);
    bodies.velocity.push_back(0, 0, 50);
    bodies.velocity.push_back(0, 0, 0);
    bodies.velocity.push_back(0, std::sqrt(1e-3 / 0.01), 0);
    return turning_of(bodies, 1, 0);
  };
  EXPECT_NEAR(turning(1).mean, std::sqrt(1e-3 / 1e-6), 1e-6);
  EXPECT_NEAR(turning(1).pericentre, turning(1).mean, 1e-3);
  EXPECT_EQ(turning(0.1).mean, 0);
}

TEST_F(BetweenFrames, PathsAreFollowedByDefault) {
  const Outcome outcome =
      run_of(two_bodies(0.3, "150 periods", "[[figure]]\nkind = \"projection\"\nfile = \"a.svg\"\n"));
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, Not(HasSubstr("too far apart")));
  EXPECT_THAT(picture("a.svg"), Not(HasSubstr("too far apart")));
}

TEST_F(BetweenFrames, PathsThatAreNotKnownArePointsAndSaySo) {
  std::string pictures;
  for (const char* kind : {"projection", "projections", "view3d", "snapshots", "phase", "elements", "separation"})
    pictures += fmt::format("[[figure]]\nkind = \"{0}\"\nfile = \"{0}.svg\"\n", kind);
  const std::string text = two_bodies(0, "123 periods", "[trajectory]\nframes = 77\n" + pictures);
  const Outcome check = run_of(text, "check");
  EXPECT_THAT(check.output + check.errors, HasSubstr("frames are 1.62 periods of the fastest orbit apart"));
  const Outcome outcome = run_of(text);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("no path where frames are too far apart"));
  EXPECT_THAT(outcome.errors, HasSubstr("77 frames are too few: what lies between is not seen"));
  for (const char* kind : {"projection", "projections", "view3d", "snapshots", "phase", "elements", "separation"})
    EXPECT_THAT(outcome.errors, HasSubstr(std::string(kind) + ".svg"));
}

TEST_F(BetweenFrames, AnEncounterBetweenFramesIsAGap) {
  // A fly-by with a pericentre of 0.01 at about t = 5, between two frames.
  const std::string text =
      "[[initial]]\nkind = \"table\"\nbodies = [{ mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }, "
      "{ mass = 1e-6, position = [-5.0, 0.2, 0], velocity = [1.1, 0, 0] }]\n"
      "[integrator]\nkind = \"ias15\"\ndt = 0.01\ntime = 6.0\n[trajectory]\nframes = 61\n"
      "[[figure]]\nkind = \"separation\"\nfile = \"a.svg\"\n";
  const Outcome outcome = run_of(text);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("a.svg: 61 frames are too few: what lies between is not seen"));
}

TEST_F(BetweenFrames, AFilmSaysThatItStepsOverPeriods) {
  const std::string film =
      "[[film]]\nkind = \"projection\"\nfile = \"a-##.png\"\nduration = 0.5\nfps = 20\nsize = [320, 240]\n";
  const std::string text = two_bodies(0, "23 periods", film);
  const Outcome check = run_of(text, "check");
  EXPECT_THAT(check.output + check.errors, HasSubstr("pictures step over more than half a turn"));
  const Outcome outcome = run_of(text);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("more than half a turn from picture to picture"));
}

TEST_F(BetweenFrames, NearParabolasAreShownByTheInverseOfA) {
  // A comet on a parabola about a star; and the a of a hyperbola, constant but for rounding, on an axis of few digits.
  const auto comet = [](double speed) {
    return fmt::format(
        "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [{{ mass = 1.0, position = [0, 0, 0], velocity = "
        "[0, "
        "0, 0] }}, {{ mass = 0.0, position = [1, 0, 0], velocity = [0, {:.17g}, 0] }}]\n[integrator]\nkind = "
        "\"ias15\"\ndt = 0.01\ntime = 3.0\n[[figure]]\nkind = \"elements\"\nfile = \"a.svg\"\n",
        speed);
  };
  ASSERT_EQ(run_of(comet(std::sqrt(2.0))).code, 0);
  EXPECT_THAT(picture("a.svg"), HasSubstr("aria-label=\"1/a\""));
  EXPECT_THAT(picture("a.svg"), Not(HasSubstr("10¹")));
  write(folder_ / "s.toml", comet(2.0));
  ASSERT_EQ(run(folder_, {"run", "s.toml", "--force"}).code, 0);
  EXPECT_THAT(picture("a.svg"), HasSubstr("aria-label=\"a\""));
  EXPECT_THAT(picture("a.svg"), Not(HasSubstr("0.500000")));
}

}  // namespace
}  // namespace orrery::pipeline::testing
