// SPDX-License-Identifier: MIT
// Rows between frames are read back without states: the file still has them all, even if the run ends in an error.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Two bodies that collide at step 8, and a distant one.
const std::string meeting = R"([initial]
kind = "table"
bodies = [{ name = "Ida", mass = 1, position = [-1, 0, 0], velocity = [1, 0, 0] },
          { name = "Eva", mass = 1, position = [1, 0, 0], velocity = [-1, 0, 0] },
          { name = "Far", mass = 0, position = [0, 9, 0], velocity = [0, 0, 0] }]
[force]
G = 0
[integrator]
dt = 0.125
steps = 100
[trajectory]
every = 5
commit = 1000.0
[observables]
every = 1
)";

TEST(RowsWithoutStates, AreStoredUpToACollision) {
  const Folder folder;
  write(folder / "c.toml", meeting);
  for (const char* kind : {"leapfrog", "rk4", "hermite4"}) {
    const Outcome outcome =
        run(folder, {"simulate", "c.toml", "-o", kind, "--quiet", "--set", fmt::format("integrator.kind={}", kind)});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors,
                AllOf(HasSubstr("Ida"), HasSubstr("at step 8"), HasSubstr("(the file holds everything up to step 7)")));
    const TrajectoryReader reader(folder / kind / "run.h5");
    EXPECT_EQ(reader.size(), 2U);
    EXPECT_EQ(reader.history().step, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(reader.restart()->step, 7);
  }
}

/// A body out of range is detected only at the next frame: rows after it left the range are not kept.
TEST(RowsWithoutStates, AreNotStoredAfterABodyLeftTheRange) {
  const Folder folder;
  std::string leaving = meeting;
  leaving.replace(leaving.rfind("[0, 0, 0]"), 9, "[0, 4e101, 0]");
  write(folder / "c.toml", leaving);
  const Outcome outcome =
      run(folder, {"simulate", "c.toml", "--quiet", "--set", "force.softening=0.1", "--set", "integrator.dt=0.4"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("Far left the range of numbers at step 4"),
                                    HasSubstr("(the file holds everything up to step 3)")));
  EXPECT_EQ(TrajectoryReader(folder / "c/run.h5").history().step, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

/// The file is the same however often commits need a state.
TEST(RowsWithoutStates, DoNotDependOnStoredStates) {
  const Folder folder;
  write(folder / "c.toml", meeting);
  for (const char* kind : {"leapfrog", "ias15"}) {
    for (const char* commit : {"0.0", "1000.0"}) {
      EXPECT_EQ(run(folder, {"simulate", "c.toml", "--quiet", "-o", fmt::format("{}-{}", kind, commit), "--set",
                             "force.softening=0.1", "--set", "force.G=1.0", "--set", "integrator.steps=3000", "--set",
                             "trajectory.every=1500", "--set", fmt::format("integrator.kind={}", kind), "--set",
                             fmt::format("trajectory.commit={}", commit)})
                    .code,
                0);
    }
    expect_same_content(folder / fmt::format("{}-0.0/run.h5", kind), folder / fmt::format("{}-1000.0/run.h5", kind));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
