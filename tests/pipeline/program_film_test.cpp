// SPDX-License-Identifier: MIT
// GIFs of a crowd: how large they are, and what is said of what they leave out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* crowd = R"([[initial]]
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
duration = 1.0
)";

class CrowdOnFilm : public ::testing::Test {
 protected:
  void SetUp() override {
    if (figure_descriptions().empty()) GTEST_SKIP();
    write(folder_ / "s.toml", crowd);
    ASSERT_EQ(run(folder_, {"simulate", "s.toml", "--quiet"}).code, 0);
  }
  /// The film with this limit; how many bytes it has.
  std::uintmax_t drawn(const std::string& limit, Outcome& outcome) {
    outcome = run(folder_, {"render", "s/run.h5", "--set", "film[0].max_file_size=" + limit});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return std::filesystem::file_size(folder_ / "s/crowd.gif");
  }
  Folder folder_;
};

TEST_F(CrowdOnFilm, AGifStaysBelowItsLimitAndSaysWhatItLeavesOut) {
  Outcome all, fewer, smaller, again;
  const std::uintmax_t whole = drawn("0", all);
  EXPECT_THAT(all.errors, Not(HasSubstr("max_file_size")));
  ASSERT_GT(whole, 500'000U) << "no crowd to speak of";
  const std::string three_quarters = std::to_string(0.75e-6 * static_cast<double>(whole));
  EXPECT_LE(drawn(three_quarters, fewer), 0.75 * static_cast<double>(whole));
  EXPECT_THAT(fewer.errors, AllOf(StartsWith("orrery: crowd.gif: 12.5 of 25 frames a second, to stay below "),
                                  HasSubstr("`max_file_size` in its [[film]] sets the limit, 0 is none")));
  EXPECT_EQ(std::count(fewer.errors.begin(), fewer.errors.end(), '\n'), 1) << fewer.errors;
  EXPECT_LE(drawn("0.3", smaller), 300'000U);
  EXPECT_THAT(smaller.errors,
              AllOf(HasSubstr(" pixels of 480 × 270 and 12.5 of 25 frames a second, to stay below 0.3 MB")));
  const std::string first = read(folder_ / "s/crowd.gif");
  EXPECT_EQ(drawn("0.3", again), first.size());
  EXPECT_EQ(read(folder_ / "s/crowd.gif"), first) << "equal runs have equal films";
}

TEST_F(CrowdOnFilm, TheLeastLimitIsKeptAndQuietIsQuiet) {
  const Outcome outcome = run(folder_, {"render", "s/run.h5", "--set", "film[0].max_file_size=0.1", "--set",
                                        "film[0].duration=0.5", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, IsEmpty());
  EXPECT_LE(std::filesystem::file_size(folder_ / "s/crowd.gif"), 100'000U);
}

TEST_F(CrowdOnFilm, TheUsualLimitIsEightMegabytes) {
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).output, HasSubstr("25 frames, 1 s, at most 8 MB\n"));
  EXPECT_THAT(run(folder_, {"check", "s.toml", "--set", "film[0].max_file_size=0"}).output,
              HasSubstr("25 frames, 1 s\n"));
  for (const auto& [film, why] :
       {std::pair("film[0].file=\"crowd.mp4\"", "max_file_size=0.01: is for GIFs; crowd.mp4 is compressed well"),
        std::pair("film[0].size=[480, 270]", "0.01 MB are too few for a film: 0.1 at least, or 0 for no limit")}) {
    const Outcome refused = run(folder_, {"check", "s.toml", "--set", film, "--set", "film[0].max_file_size=0.01"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr(why));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
