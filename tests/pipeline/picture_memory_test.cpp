// SPDX-License-Identifier: MIT
// Pictures larger than memory are refused before anything is stepped or drawn; the message says what fits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <tuple>

#include "pipeline/pictures/picture_plan.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/memory_support.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

std::string figure(const std::string& kind, const std::string& file, int width, int height) {
  return fmt::format("[[{}]]\nkind = \"{}\"\nfile = \"{}\"\nsize = [{}, {}]\n{}",
                     file.ends_with(".mp4") || file.ends_with(".webm") || file.ends_with(".gif") ? "film" : "figure",
                     kind, file, width, height,
                     file.ends_with(".mp4") || file.ends_with(".gif") ? "duration = 1\n" : "");
}

class PictureMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
    if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  }
  Folder folder_;
};

TEST_F(PictureMemory, TooLargePicturesAreRefused) {
  const LittleMemory little(rlim_t{5} << 29U);
  for (const auto& [file, width, height] :
       {std::tuple{"a.png", 16384, 12288}, {"a.mp4", 8192, 4608}, {"a.gif", 8192, 8192}}) {
    SCOPED_TRACE(file);
    write(folder_ / "s.toml", two_bodies + figure("view3d", file, width, height));
    const Outcome refused = run(folder_, {"check", "s.toml"});
    EXPECT_EQ(refused.code, 2);
    std::smatch fits;
    static const std::regex words(
        R"(^orrery: s\.toml:10:8: (\d+) × (\d+) pixels may need \S+ \S+ of memory, this machine has \S+ \S+: (\d+) × (\d+) fit\n$)");
    ASSERT_TRUE(std::regex_match(refused.errors, fits, words)) << refused.errors;
    EXPECT_EQ(fits[1], std::to_string(width));
    const int less = std::stoi(fits[3]);
    EXPECT_LT(less, width);
    EXPECT_GT(less, width / 8);
    EXPECT_EQ(run(folder_, {"run", "s.toml"}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "s/run.h5")) << "nothing is stepped";
    write(folder_ / "s.toml", two_bodies + figure("view3d", file, less, std::stoi(fits[4])));
    EXPECT_EQ(run(folder_, {"check", "s.toml"}).code, 0);
  }
}

TEST_F(PictureMemory, IsCheckedByEveryDrawingCommand) {
  write(folder_ / "s.toml", two_bodies + figure("view3d", "a.png", 16384, 16384));
  ASSERT_EQ(run(folder_, {"simulate", "s.toml"}).code, 0);
  write(folder_ / "sweep.toml", two_bodies + "[sweep]\nseed = [1, 2]\n" + figure("view3d", "a.png", 16384, 16384));
  const LittleMemory little(rlim_t{5} << 29U);
  const std::string said = "16384 × 16384 pixels may need ";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"render", "s/run.h5"},
        {"render", "s/run.h5", "--figure", "projection", "--set", "figure[0].size=[16384, 16384]"},
        {"check", "sweep.toml"},
        {"run", "sweep.toml"}}) {
    const Outcome outcome = run(folder_, command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.errors, HasSubstr(said)) << command[0];
  }
  EXPECT_EQ(run(folder_, {"render", "s/run.h5", "--preview"}).code, 0) << "what is small is drawn";
}

TEST_F(PictureMemory, ActualUseIsAtMostTheEstimate) {
  // From small to large, because only the peak over all programs is known.
  for (const auto& [text, keys] : {std::pair{two_bodies, figure("energy-error", "a.png", 1500, 1200)},
                                   {two_bodies, figure("view3d", "a.gif", 1200, 900)},
                                   {cluster, figure("view3d", "a.svg", 1600, 1600)},
                                   {two_bodies, figure("view3d", "a.mp4", 1920, 1080)},
                                   {cluster, figure("view3d", "a.png", 5000, 4000)}}) {
    SCOPED_TRACE(keys);
    write(folder_ / "s.toml", text + keys);
    const Scenario scenario = parse_scenario(text + keys, "s.toml");
    const auto made = set_up(scenario);
    const Subject subject = subject_of(scenario, made);
    const double said =
        memory_to_draw(plan_pictures(subject, read_pictures(scenario.document)).front(), subject.bodies.size());
    ASSERT_EQ(run(folder_, {"run", "s.toml", "--force"}).code, 0);
    EXPECT_LT(peak_of_programs(), said);
    EXPECT_GT(peak_of_programs(), said / 3);
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
