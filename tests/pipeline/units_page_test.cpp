// SPDX-License-Identifier: MIT
// The SI scenarios of docs/units.md and of the README run, and give the orbits described there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

/// The TOML block of a page of the project that contains `words`.
std::string block_of(const std::string& page, const std::string& words) {
  const std::string text = read(std::filesystem::path(ORRERY_SOURCE_DIR) / page), fence = "```toml\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    std::string block = text.substr(at, text.find("```", at) - at);
    if (block.find(words) != std::string::npos) return block;
  }
  ADD_FAILURE() << page << " has no block with " << words;
  return "";
}

double distance(const sim::Snapshot& at, std::size_t i, std::size_t j) {
  const sim::Vectors& p = at.position;
  return std::hypot(p.x[i] - p.x[j], p.y[i] - p.y[j], p.z[i] - p.z[j]);
}

TEST(UnitsPage, OrbitsOfEarthAndMoonAreRight) {
  const Folder folder;
  write(folder / "s.toml", block_of("docs/units.md", "Moon"));
  const Outcome done = run(folder, {"simulate", "s.toml"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("all positions were shifted by 4.47e+05 m and all velocities by 0.0921 m/s"));
  const std::string page = read(std::filesystem::path(ORRERY_SOURCE_DIR) / "docs/units.md");
  EXPECT_THAT(page, HasSubstr("shifted all positions by 447 km and all velocities by 0.0921 m/s"));
  const TrajectoryReader trajectory(folder / "s/run.h5");
  EXPECT_EQ(trajectory.record().dt, 3600);
  EXPECT_EQ(trajectory.record().steps, 8766);
  std::vector<double> earth, moon, perigees;
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const sim::Snapshot at = trajectory.snapshot(i);
    earth.push_back(distance(at, 0, 1));
    moon.push_back(distance(at, 1, 2));
  }
  EXPECT_NEAR(std::ranges::min(earth), 1.471e11, 1e8);
  EXPECT_NEAR(std::ranges::max(earth), 1.521e11, 1e8);
  EXPECT_GT(std::ranges::min(moon), 3.5e8);  // 356 500 … 406 700 km
  EXPECT_LT(std::ranges::max(moon), 4.1e8);
  for (std::size_t i = 1; i + 1 < moon.size(); ++i) {
    if (moon[i] < moon[i - 1] && moon[i] <= moon[i + 1]) perigees.push_back(trajectory.times()[i] / 86400);
  }
  ASSERT_GE(perigees.size(), 12U);
  const double month = (perigees.back() - perigees.front()) / static_cast<double>(perigees.size() - 1);
  EXPECT_NEAR(month, 27.45, 0.3) << "days: between the sidereal month of 27.32 and the anomalistic one of 27.55";
  const sim::Vectors first = trajectory.snapshot(0).position,
                     last = trajectory.snapshot(trajectory.size() - 1).position;
  EXPECT_LT(std::hypot(last.x[1] - first.x[1], last.y[1] - first.y[1]), 1e9) << "back where it was a year ago";
}

TEST(UnitsPage, PicturesAreDrawn) {
  if (!draws_pictures()) GTEST_SKIP();
  const Folder folder;
  write(folder / "s.toml", block_of("docs/units.md", "Moon"));
  const Outcome checked = run(folder, {"check", "s.toml"});
  EXPECT_EQ(checked.code, 0) << checked.errors;
  EXPECT_THAT(checked.output, HasSubstr("moon.mp4"));
  const Outcome done = run(folder, {"run", "s.toml", "--quiet", "--set", "film=[]", "--set", "figure[0].file=a.svg",
                                    "--set", "figure[1].file=b.svg"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(read(folder / "s/b.svg"), HasSubstr("t [d]"));
  EXPECT_THAT(read(folder / "s/b.svg"), HasSubstr("[10⁸ m]"));
  EXPECT_THAT(read(folder / "s/a.svg"), HasSubstr("[10¹¹ m]"));
}

TEST(UnitsPage, ExampleOfTheReadmeRuns) {
  const Folder folder;
  write(folder / "s.toml", block_of("README.md", "units = \"si\""));
  const Outcome done = run(folder, {"simulate", "s.toml"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const TrajectoryReader trajectory(folder / "s/run.h5");
  EXPECT_EQ(trajectory.record().steps, 4383) << "three years are 1095.75 days";
}

/// The message quoted on the page for N-body units is that of the program.
TEST(UnitsPage, QuotedErrorIsThatOfTheProgram) {
  const Folder folder;
  write(folder / "x.toml",
        "[initial]\nkind = \"two-body\"\n\n[integrator]\nkind = \"leapfrog\"\n\ndt = \"1 hour\"\ntime = 1\n");
  const Outcome refused = run(folder, {"check", "x.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(read(std::filesystem::path(ORRERY_SOURCE_DIR) / "docs/units.md"), HasSubstr("\n" + refused.errors));
}

}  // namespace
}  // namespace orrery::pipeline::testing
