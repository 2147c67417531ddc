// SPDX-License-Identifier: MIT
// The memory that a scenario needs is compared with the available memory before allocation, in every command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/memory_support.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

/// The run of `small` in run.h5, forged to claim that it was made from another text.
void write_run_that_says(const Folder& folder, const std::string& from, const std::string& to) {
  write(folder / "small.toml", cluster);
  ASSERT_EQ(run(folder, {"simulate", "small.toml", "-o", "."}).code, 0);
  const TrajectoryReader small(folder / "run.h5");
  RunRecord record = small.record();
  const std::size_t at = record.resolved.find(from);
  ASSERT_NE(at, std::string::npos) << record.resolved;
  record.resolved.replace(at, from.size(), to);
  const SyntheticRun run{.bodies = 3, .frames = 5, .commit_every = 1};
  TrajectoryWriter writer(folder / "says.h5", run.initial_bodies(), record, {});
  run.write(writer, 0, 2);
}

TEST(ScenarioMemory, IsCheckedByEveryCommand) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  const Folder folder;
  const LittleMemory little(rlim_t{8} << 30U);
  const std::string many = "n = 100000000";
  write(folder / "s.toml", with(cluster, "n = 2000", many));
  write(folder / "sweep.toml", with(cluster, "n = 2000", many) + "[sweep]\nseed = [1, 2]\n");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", "s.toml"},
                                                  {"run", "s.toml"},
                                                  {"simulate", "s.toml"},
                                                  {"check", "sweep.toml"},
                                                  {"run", "sweep.toml"}}) {
    const Outcome outcome = run(folder, command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.errors, HasSubstr("toml:3:5: 1e8 bodies need ")) << command[0];
    EXPECT_THAT(outcome.errors, HasSubstr("this machine has")) << command[0];
  }
  ASSERT_NO_FATAL_FAILURE(write_run_that_says(folder, "n = 2000", many));
  for (const std::string command : {"resume", "verify"}) {
    const Outcome outcome = run(folder, {command, "says.h5"});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.errors, HasSubstr("1e8 bodies need ")) << command;
  }
  if (draws_pictures()) {
    const Outcome drawn = run(folder, {"render", "says.h5", "--figure", "projection"});
    EXPECT_EQ(drawn.code, 0) << drawn.errors;
  }
  for (const std::vector<std::string>& command : {std::vector<std::string>{"info", "says.h5"},
                                                  {"diff", "says.h5", "says.h5"},
                                                  {"export", "says.h5", "--format", "csv"},
                                                  {"repair", "says.h5"}})
    EXPECT_EQ(run(folder, command).code, 0) << command[0];
  EXPECT_LT(peak_of_programs(), 600e6);
}

}  // namespace
}  // namespace orrery::pipeline::testing
