// SPDX-License-Identifier: MIT
// The program's flags --set and --unset: what they store, and that it repeats; empty values of flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ProgramOverride : public ::testing::Test {
 protected:
  void done(const std::vector<std::string>& arguments) {
    const Outcome outcome = run(folder_, arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    said_ = outcome.errors;
  }
  Folder folder_;
  std::string said_;
};

const std::string text = with(sound, "dt = 0.1\nsteps = 20", "dt = 0.01\ntime = 2.0") +
                         "[force]\nsoftening = 0.25\nmethod = \"tree\"\naccuracy = 1e-2\n"
                         "[trajectory]\nframes = 101\n[[figure]]\nkind = \"energy-error\"\nfile = \"e.svg\"\n";

/// One value for each flag, wherever it stands: what follows is the scenario.
TEST_F(ProgramOverride, FlagsStandBeforeAndAfterTheScenario) {
  write(folder_ / "s.toml", text);
  done({"simulate", "--set", "integrator.steps=4", "s.toml", "--force"});
  EXPECT_EQ(TrajectoryReader(folder_ / "s/run.h5").record().steps, 4);
  done({"simulate", "--set", "integrator.steps=5", "--unset", "force.accuracy", "s.toml", "--quiet", "-o", "t"});
  EXPECT_EQ(TrajectoryReader(folder_ / "t/run.h5").record().steps, 5);
  done({"validate", "--integrator", "rk4", "--suite", "closure", "--orbit", "figure-eight", "--quick"});
}

/// The stored overrides repeat the run from its text, the stored scenario from the file, and the picture from itself.
TEST_F(ProgramOverride, StoredWithARunRepeatIt) {
  write(folder_ / "s.toml", text);
  const std::vector<std::string> flags{"--set",   "integrator.steps=40",     "--unset", "force.softening",
                                       "--unset", "force.accuracy",          "--set",   "force.method=direct",
                                       "--set",   "initial.eccentricity=0.3"};
  std::vector<std::string> command{!draws_pictures() ? "simulate" : "run", "s.toml"};
  command.insert(command.end(), flags.begin(), flags.end());
  done(command);
  EXPECT_THAT(said_, HasSubstr("s.toml:16:10: 101 frames became 41"));
  const TrajectoryReader first(folder_ / "s/run.h5");
  EXPECT_EQ(first.size(), 41U);
  const std::vector<std::string> overrides = overrides_of(first.record());
  EXPECT_THAT(overrides, ElementsAre("integrator.steps=40", "force.softening", "force.accuracy", "force.method=direct",
                                     "initial.eccentricity=0.3"));
  EXPECT_THAT(first.record().resolved, AllOf(HasSubstr("frames = 41\n"), HasSubstr("softening = 0.0\n"),
                                             Not(HasSubstr("time = ")), Not(HasSubstr("accuracy"))));
  EXPECT_EQ(texts(recorded_recipe(first)), texts(recipe(scenario_of(first, first.path()))));
  done({"verify", "s/run.h5", "--quiet"});
  done({"resume", "s/run.h5", "--quiet"});
  EXPECT_EQ(said_, "") << "it was said when the run began";

  const Scenario again = parse_scenario(first.record().scenario, "again", overrides);
  EXPECT_EQ(physics_texts(again, set_up(again)), texts(physics_of(first)));
  done({"resume", "s/run.h5", "--set", "integrator.time=0.6", "-o", "longer", "--quiet"});
  EXPECT_EQ(TrajectoryReader(folder_ / "longer/run.h5").size(), 61U);
  if (!draws_pictures()) return;
  std::filesystem::copy_file(folder_ / "s/e.svg", folder_ / "alone.svg");
  done({"simulate", "alone.svg", "--quiet"});
  EXPECT_EQ(run(folder_, {"diff", "s/run.h5", "alone/run.h5"}).code, 0);
}

TEST_F(ProgramOverride, SetAndUnsetAreToldApart) {
  write(folder_ / "s.toml", text);
  EXPECT_EQ(run(folder_, {"check", "s.toml", "--set", "integrator.dt"}).errors,
            "orrery: --set integrator.dt: write it as section.key=value\n");
  EXPECT_EQ(run(folder_, {"check", "s.toml", "--unset", "integrator.dt=1"}).errors,
            "orrery: --unset integrator.dt=1: write it as section.key\n");
  EXPECT_EQ(run(folder_, {"check", "s.toml", "--set", "integrator.dt="}).code, 2);
}

/// Rounding and what fell away are said by check and by run.
TEST_F(ProgramOverride, ChangesAreSaid) {
  write(folder_ / "s.toml", with(text, "time = 2.0", "time = 2.004"));
  const std::string rounded = "s.toml:8:8: t = 2.004 is 200.4 steps of dt = 0.01 and was rounded to 200, t = 2; dt = ";
  const std::string fell = "s.toml:14:1: `accuracy` falls away with --set force.method=direct";
  const Outcome checked = run(folder_, {"check", "s.toml", "--set", "force.method=direct"});
  EXPECT_THAT(checked.output, HasSubstr("warning: " + rounded));
  EXPECT_THAT(checked.errors, HasSubstr(fell));
  done({"simulate", "s.toml", "--quiet", "--set", "force.method=direct"});
  EXPECT_THAT(said_, AllOf(HasSubstr(rounded), HasSubstr(fell)));
}

TEST_F(ProgramOverride, OfASweepReplaceItsLists) {
  write(folder_ / "s.toml", with(sound, "steps = 20", "time = 2.0") + "[sweep]\n\"integrator.dt\" = [0.1, 0.05]\n");
  done({"simulate", "s.toml", "--quiet", "-o", "a", "--set", "sweep.integrator.dt=[0.2, 0.1, 0.05]"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a/002/run.h5"));
  done({"simulate", "s.toml", "--quiet", "-o", "b", "--unset", "sweep"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "b/run.h5"));
  done({"simulate", "s.toml", "--quiet", "-o", "c", "--unset", "integrator.dt"});
  done({"table", "c"});
}

/// An adaptive integrator without dt: the file goes on, longer too, and gives frames at any time.
TEST_F(ProgramOverride, RunsWithoutDtResumeAndVerify) {
  write(folder_ / "s.toml", with(with(sound, "leapfrog", "ias15"), "dt = 0.1\nsteps = 20", "time = 3.0") +
                                "[trajectory]\ntimes = [0.3, 1.41421356, 2.5, 3.0]\n");
  done({"simulate", "s.toml", "--quiet"});
  const TrajectoryReader first(folder_ / "s/run.h5");
  ASSERT_EQ(first.size(), 4U);
  EXPECT_NEAR(first.times()[1], 1.41421356, 1e-11);
  done({"verify", "s/run.h5", "--quiet"});
  done({"resume", "s/run.h5", "--set", "integrator.time=5", "--quiet"});
  done({"verify", "s-2/run.h5", "--quiet"});
  // Its steps do not depend on the outputs.
  done({"simulate", "s.toml", "--quiet", "-o", "b", "--set", "trajectory.frames=7", "--set", "integrator.time=5"});
  EXPECT_EQ(TrajectoryReader(folder_ / "b/run.h5").restart()->clock,
            TrajectoryReader(folder_ / "s-2/run.h5").restart()->clock);
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).output, HasSubstr("the integrator chooses its own steps"));
}

TEST_F(ProgramOverride, EmptyValuesAreRefused) {
  write(folder_ / "s.toml", text);
  done({"simulate", "s.toml", "--quiet"});
  const std::vector<std::string> refused[] = {
      {"render", "s/run.h5", "--piece", ""},
      {"render", "s/run.h5", "--frames", ""},
      {"render", "s/run.h5", "--figure", ""},
      {"render", "s/run.h5", "--figure="},
      {"simulate", "s.toml", "--backend", ""},
      {"simulate", "s.toml", "-o", ""},
      {"export", "s/run.h5", "-o", ""},
      {"export", "s/run.h5", "--format", ""},
      {"bench", "--n", ""},
      {"bench", "--json", ""},
      {"simulate", "s.toml", "--set", ""},
      {"simulate", "s.toml", "--unset", ""},
  };
  for (const auto& arguments : refused) {
    const Outcome outcome = run(folder_, arguments);
    const std::string flag = arguments.back().empty() ? arguments[arguments.size() - 2] : "--figure";
    EXPECT_EQ(outcome.code, 2) << flag;
    EXPECT_EQ(outcome.errors, "orrery: the value of " + flag + " is empty: leave the flag out, or give it one\n");
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_EQ(run(folder_, {"run", ""}).errors, "orrery: an argument is empty: leave it out, or name a file\n");
}

}  // namespace
}  // namespace orrery::pipeline::testing
