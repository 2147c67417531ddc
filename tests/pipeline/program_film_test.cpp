// SPDX-License-Identifier: MIT
// GIFs of many bodies: their size, and the note on what they leave out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* filmed_crowd = R"([[initial]]
kind = "plummer"
n = 2000
[force]
softening = 0.1
[integrator]
dt = 0.02
steps = 10
[[film]]
kind = "view3d"
file = "crowd.gif"
color_by = "speed"
camera = "orbit"
duration = 0.6
)";

class FilmSizeLimit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
    write(folder_ / "s.toml", filmed_crowd);
    ASSERT_EQ(run(folder_, {"simulate", "s.toml", "--quiet"}).code, 0);
  }
  /// Draws the film with this limit; returns its size in bytes.
  std::uintmax_t drawn(const std::string& limit, Outcome& outcome) {
    outcome = run(folder_, {"render", "s/run.h5", "--set", "film[0].max_file_size=" + limit});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return std::filesystem::file_size(folder_ / "s/crowd.gif");
  }
  Folder folder_;
};

TEST_F(FilmSizeLimit, GifStaysBelowItAndReportsDroppedFrames) {
  Outcome all, fewer, smaller, again;
  const std::uintmax_t whole = drawn("0", all);
  EXPECT_THAT(all.errors, Not(HasSubstr("max_file_size")));
  ASSERT_GT(whole, 300'000U) << "no crowd to speak of";
  const std::string three_quarters = std::to_string(0.75e-6 * static_cast<double>(whole));
  EXPECT_LE(drawn(three_quarters, fewer), 0.75 * static_cast<double>(whole));
  EXPECT_THAT(fewer.errors, AllOf(StartsWith("orrery: crowd.gif: 12.5 of 25 frames per second, to stay below "),
                                  HasSubstr("`max_file_size` in its [[film]] sets the limit, 0 is none")));
  EXPECT_EQ(std::count(fewer.errors.begin(), fewer.errors.end(), '\n'), 1) << fewer.errors;
  EXPECT_LE(drawn("0.2", smaller), 200'000U);
  EXPECT_THAT(smaller.errors,
              AllOf(HasSubstr(" pixels of 480 × 270 and 12.5 of 25 frames per second, to stay below 0.2 MB")));
  const std::string first = read(folder_ / "s/crowd.gif");
  EXPECT_EQ(drawn("0.2", again), first.size());
  EXPECT_EQ(read(folder_ / "s/crowd.gif"), first) << "equal runs have equal films";
}

TEST_F(FilmSizeLimit, SmallestLimitIsKeptWithoutMessagesIfQuiet) {
  const Outcome outcome = run(folder_, {"render", "s/run.h5", "--set", "film[0].max_file_size=0.1", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, IsEmpty());
  EXPECT_LE(std::filesystem::file_size(folder_ / "s/crowd.gif"), 100'000U);
}

TEST_F(FilmSizeLimit, DefaultIsEightMegabytes) {
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).output, HasSubstr("15 frames, 0.6 s, at most 8 MB\n"));
  EXPECT_THAT(run(folder_, {"check", "s.toml", "--set", "film[0].max_file_size=0"}).output,
              HasSubstr("15 frames, 0.6 s\n"));
  for (const auto& [film, why] :
       {std::pair("film[0].file=\"crowd.mp4\"", "max_file_size=0.01: is for GIFs, not for crowd.mp4"),
        std::pair("film[0].size=[480, 270]",
                  "0.01 MB are too small for a film: use at least 0.1, or 0 for no limit")}) {
    const Outcome refused = run(folder_, {"check", "s.toml", "--set", film, "--set", "film[0].max_file_size=0.01"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr(why));
  }
}

constexpr const char* pair = R"([[initial]]
kind = "two-body"
eccentricity = 0.5
[integrator]
dt = "1/500 period"
steps = 1000
)";

/// By default films have frames at equally spaced steps.
TEST(FilmFrames, AreAtEquallySpacedSteps) {
  const Folder folder;
  write(folder / "s.toml", pair);
  EXPECT_THAT(run(folder, {"check", "s.toml"}).output, HasSubstr(" 501, every 2 steps\n"));
  const auto with_frames = [&](const std::string& steps, const std::string& frames) {
    return run(folder, {"check", "s.toml", "--set", "integrator.steps=" + steps, "--set", "trajectory." + frames})
        .output;
  };
  EXPECT_THAT(with_frames("1000", "frames=600"),
              HasSubstr(" 600, 1 or 2 steps apart; `frames = 501` would be every 2 steps\n"));
  EXPECT_THAT(with_frames("1009", "frames=600"),
              HasSubstr(" 600, 1 or 2 steps apart; no number of frames near it is equally spaced in 1009 steps\n"));
  EXPECT_THAT(with_frames("1000", "frames=1001"), HasSubstr(" 1001, every step\n"));
  EXPECT_THAT(with_frames("1000", "every=300"), HasSubstr(" 4, every 300 steps\n"));
  EXPECT_THAT(with_frames("1000", "times=[\"0\", \"1/4 period\", \"1 period\"]"), Not(HasSubstr("apart")));

  const Outcome made = run(folder, {"run", "s.toml"});
  EXPECT_THAT(made.output,
              StartsWith("s/run.h5: frames: 501, every 2 steps; `frames` or `every` in [trajectory] say otherwise\n"));
  const TrajectoryReader trajectory(folder / "s/run.h5");
  ASSERT_EQ(trajectory.size(), 501U);
  for (std::size_t k = 0; k < trajectory.size(); ++k)
    EXPECT_EQ(trajectory.steps()[k], static_cast<std::int64_t>(2 * k));
  for (const char* quiet : {"integrator.steps=500", "trajectory.frames=600"}) {
    EXPECT_THAT(run(folder, {"run", "s.toml", "-o", quiet, "--set", quiet}).output, Not(HasSubstr("frames:")));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
