// SPDX-License-Identifier: MIT
// The closest approach is in the rows, in `info` and in the summary, whatever the frames show, and energy errors say what
// they are relative to.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/run/energy_record.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Nearly straight past at t = 5.03, between frames 0.1 apart.
const std::string fly_by = R"([initial]
kind = "table"
recentre = false
bodies = [{ name = "A", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "far", mass = 1.0, position = [0, 90, 0], velocity = [0, 0, 0] },
          { name = "B", mass = 1e-3, position = [-10.06, 0.01, 0], velocity = [2, 0, 0] }]
[force]
G = 1e-6
[integrator]
kind = "KIND"
dt = 0.001
steps = 10000
[trajectory]
every = 100
)";

TEST(ClosestApproach, IsKeptBetweenFrames) {
  const Folder folder;
  double distance = 0;
  for (const char* backend : {"cpu", "reference"}) {
    for (const char* method : {"leapfrog", "leapfrog-dkd", "rk4"}) {
      SCOPED_TRACE(std::string(backend) + method);
      write(folder / "s.toml", with(fly_by, "KIND", method));
      EXPECT_EQ(run(folder, {"simulate", "s.toml", "--force", "--quiet", "--backend", backend}).code, 0);
      const TrajectoryReader trajectory(folder / "s/run.h5");
      const History history = trajectory.history();
      ASSERT_EQ(history.closest_approach.size(), history.time.size());
      const auto closest = closest_approach(history);
      ASSERT_TRUE(closest);
      distance = closest->distance;
      EXPECT_NEAR(distance, 0.01, 2e-4);
      EXPECT_THAT(closest->bodies, ::testing::ElementsAre(0, 2));
      EXPECT_EQ(history.step[closest->row], 5100);
      EXPECT_NEAR(history.closest_approach[0], 10.06, 1e-3) << "the start is a row of its own";
      EXPECT_EQ(run(folder, {"verify", "s/run.h5", "--quiet"}).code, 0);
    }
  }
  EXPECT_THAT(run(folder, {"info", "s/run.h5"}).output, HasSubstr("A and B between t = 5 and 5.1 (every step)"));
  EXPECT_THAT(read(folder / "s/summary.json"),
              AllOf(HasSubstr(fmt::format("\"closest_approach\": {}", distance)), HasSubstr("\"A\"")));
}

TEST(ClosestApproach, IsTheSameInAResumedRun) {
  const Folder folder;
  write(folder / "s.toml", with(with(fly_by, "KIND", "leapfrog"), "every = 100", "every = 3000"));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "-o", "whole", "--quiet"}).code, 0);
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--quiet", "--set", "integrator.steps=5600"}).code, 0);
  EXPECT_EQ(run(folder, {"resume", "s/run.h5", "--set", "integrator.steps=10000", "-o", "longer", "--quiet"}).code, 0);
  const auto whole = closest_approach(TrajectoryReader(folder / "whole/run.h5").history()),
             longer = closest_approach(TrajectoryReader(folder / "longer/run.h5").history());
  ASSERT_TRUE(whole && longer);
  EXPECT_EQ(longer->distance, whole->distance);
  EXPECT_NEAR(whole->distance, 0.01, 1e-4);
}

TEST(ClosestApproach, IsNotMeasuredElsewhere) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"plummer\"\nn = 65\n[force]\nsoftening = 0.1\n[integrator]\ndt = 0.01\nsteps = 3\n");
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--quiet"}).code, 0);
  EXPECT_TRUE(TrajectoryReader(folder / "s/run.h5").history().closest_approach.empty());
  EXPECT_THAT(run(folder, {"info", "s/run.h5"}).output, HasSubstr("of up to 64 bodies only"));
  EXPECT_THAT(read(folder / "s/summary.json"), HasSubstr("\"closest_approach_not_measured\""));
}

TEST(EnergyErrors, OfAParabolaAreRelativeToWhatItsEnergyIsMadeOf) {
  const Folder folder;
  write(folder / "s.toml", R"(units = "astronomical"
[initial]
kind = "table"
bodies = [{ name = "Sun", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "comet", mass = 1e-13, position = [1, 0, 0], velocity = [0, 0.024328100392, 0] }]
[integrator]
kind = "leapfrog"
dt = "1 d"
steps = 300
)");
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_EQ(outcome.code, 0);
  const auto record = energy_record(TrajectoryReader(folder / "s/run.h5").history());
  EXPECT_EQ(record->start.error_name(), "ΔE/(K₀+|U₀|)");
  EXPECT_LT(record->greatest_error, 1e-3);
  EXPECT_GT(record->greatest_error, 1e-12);
  const std::string words = fmt::format("ΔE/(K₀+|U₀|) = {:+.2e}", record->error);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr(words), Not(HasSubstr("not conserved"))));
  EXPECT_THAT(run(folder, {"info", "s/run.h5"}).output, HasSubstr(words));
  EXPECT_THAT(run(folder, {"table", "."}).output, HasSubstr("|ΔE|/(K₀+|U₀|)"));
  EXPECT_THAT(read(folder / "s/summary.json"), HasSubstr("\"energy_error_name\": \"ΔE/(K₀+|U₀|)\""));
}

/// Two bodies in one place all along, through which a third one falls.
TEST(EnergyErrors, WarningNamesWhatChanged) {
  const Folder folder;
  write(folder / "s.toml", R"([initial]
kind = "table"
bodies = [{ name = "Ada", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "Bea", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "Cid", mass = 1.0, position = [1, 0.013, 0], velocity = [0, 0, 0] }]
[force]
softening = 0.01
[integrator]
kind = "leapfrog"
dt = 0.011
steps = 200
)");
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("Cid passed each other, "), Not(HasSubstr("Ada and Bea"))));
}

}  // namespace
}  // namespace orrery::pipeline::testing
