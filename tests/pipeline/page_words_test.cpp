// SPDX-License-Identifier: MIT
// What a page says of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/page/words.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string two_bodies = R"(title = "Two"
[initial]
kind = "two-body"
masses = [1.0, 0.5]
[integrator]
dt = "1/100 period"
steps = 200
[trajectory]
frames = 21
)";

/// The words of a scenario that is run in a new folder.
RunWords words_of_scenario(const std::string& scenario, const std::vector<std::string>& set = {}) {
  const Folder folder;
  write(folder / "s.toml", scenario);
  simulate(folder, "s.toml", "s", set);
  return words_of(TrajectoryReader(folder / "s/run.h5"));
}

TEST(PageWords, TwoBodies) {
  const RunWords words = words_of_scenario(two_bodies);
  EXPECT_EQ(words.title, "Two");
  EXPECT_THAT(words.simulated, StartsWith("The run follows two bodies, of masses from 0.5 to 1, 1.5 in all."));
  EXPECT_THAT(words.simulated, AllOf(HasSubstr("in 200 steps of"), HasSubstr("(1/100 period)"),
                                     HasSubstr("21 frames, one every 10 steps")));
  EXPECT_EQ(words.scenario, two_bodies);
  EXPECT_EQ(words.commands.front().command, "orrery run two.toml -o two-again");
}

}  // namespace
}  // namespace orrery::pipeline::testing
