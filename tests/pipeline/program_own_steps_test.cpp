// SPDX-License-Identifier: MIT
// Runs with adaptive steps: killed and resumed, verified, and ended by collisions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ProgramOwnSteps : public ::testing::Test {
 protected:
  void write_cube(const char* more = "") {
    write(folder_ / "c.toml", fmt::format("[initial]\nkind = \"random-cube\"\nn = 24\n[force]\nsoftening = 0.01\n"
                                          "[integrator]\nkind = \"ias15\"\ndt = 1e-4\nsteps = 20000\n"
                                          "[trajectory]\nframes = 41\ncommit = 0.02\n{}",
                                          more));
  }
  [[nodiscard]] sim::Snapshot reached(const char* file) const {
    return TrajectoryReader(folder_ / file).restart().value_or(sim::Snapshot{});
  }
  Folder folder_;
};

TEST_F(ProgramOwnSteps, ResumeAfterAKillWithTheSameBits) {
  write_cube("[observables]\nevery = 3\n");  // a look each, so that it takes a while
  const Outcome whole = run(folder_, {"simulate", "c.toml", "--quiet", "-o", "whole"});
  ASSERT_EQ(whole.code, 0) << whole.errors;
  // On the slow backend, which does not finish before it is killed; then to the end on the fast one.
  Running running(folder_, {"simulate", "c.toml", "--quiet", "--backend", "reference"});
  EXPECT_TRUE(wait_until([&] {
    try {
      return reached("c/run.h5").step > 300;
    } catch (const Error&) {
      return false;  // not there yet
    }
  }));
  running.send(SIGKILL);
  EXPECT_EQ(running.wait().code, 137);
  EXPECT_LT(reached("c/run.h5").step, 20000);
  const Outcome rest = run(folder_, {"resume", "c/run.h5", "--backend", "cpu"});
  EXPECT_EQ(rest.code, 0) << rest.errors;
  expect_same_content(folder_ / "c/run.h5", folder_ / "whole/run.h5");
  const sim::Snapshot one = reached("c/run.h5"), other = reached("whole/run.h5");
  EXPECT_EQ(one.clock, other.clock);
  EXPECT_EQ(one.columns, other.columns);
  EXPECT_GT(one.clock.steps, 100);

  const Outcome verified = run(folder_, {"verify", "c/run.h5", "--backend", "cpu"});
  EXPECT_EQ(verified.code, 0) << verified.errors;
  EXPECT_THAT(verified.output, HasSubstr("yes, to the last bit"));
  const std::string own =
      fmt::format("{}, {} refused, {} evaluations", one.clock.steps, one.clock.refused, one.clock.evaluations);
  EXPECT_THAT(run(folder_, {"info", "c/run.h5"}).output, HasSubstr(own));
  EXPECT_THAT(read(folder_ / "c/summary.json"), HasSubstr(fmt::format("\"own_steps\": {}", one.clock.steps)));
}

TEST_F(ProgramOwnSteps, DoNotDependOnStoredFrames) {
  write_cube();
  EXPECT_EQ(run(folder_, {"simulate", "c.toml", "--quiet", "-o", "many"}).code, 0);
  EXPECT_EQ(run(folder_, {"simulate", "c.toml", "--quiet", "-o", "few", "--set", "trajectory.frames=3"}).code, 0);
  EXPECT_EQ(reached("many/run.h5").clock, reached("few/run.h5").clock);
  EXPECT_EQ(reached("many/run.h5").columns, reached("few/run.h5").columns);
}

TEST_F(ProgramOwnSteps, StopAtACollisionAndKeepFrames) {
  write(folder_ / "c.toml",
        "[initial]\nkind = \"table\"\nbodies = [\n"
        "{ name = \"Ida\", mass = 1.0, position = [-0.53, 0.1, 0], velocity = [0, 0, 0] },\n"
        "{ name = \"Eva\", mass = 0.7, position = [0.61, 0.3, 0.2], velocity = [0, 0, 0] }]\n"
        "[integrator]\nkind = \"ias15\"\ndt = 0.01\ntime = 3.0\n[trajectory]\nevery = 5\n");
  for (const char* kind : {"ias15", "rk45"}) {
    const std::string folder = std::string("o-") + kind;
    const Outcome outcome =
        run(folder_, {"run", "c.toml", "-o", folder, "--quiet", "--set", fmt::format("integrator.kind=\"{}\"", kind)});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    EXPECT_THAT(outcome.errors, AllOf(HasSubstr("at t = 1.08"), HasSubstr(kind), HasSubstr("softening"),
                                      HasSubstr("the file holds everything up to step 105")));
    const TrajectoryReader trajectory(folder_ / folder / "run.h5");
    EXPECT_EQ(trajectory.size(), 22U);
    EXPECT_EQ(trajectory.times().back(), 105 * 0.01);
    EXPECT_FALSE(std::filesystem::exists(folder_ / folder / "summary.json"));
  }
  const Outcome plan = run(folder_, {"check", "c.toml"});
  EXPECT_EQ(plan.code, 0) << plan.errors;
  EXPECT_THAT(plan.output, HasSubstr("adaptive ones"));
}

TEST_F(ProgramOwnSteps, NeedForcesInDouble) {
  write_cube("[backend]\nkind = \"cpu\"\nprecision = \"float32\"\n");
  const Outcome outcome = run(folder_, {"run", "c.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("c.toml:15:"), HasSubstr("ias15 needs precision = \"float64\"")));
}

TEST_F(ProgramOwnSteps, RefuseInvalidTolerances) {
  write_cube();
  for (const char* value : {"-1e-9", "1", "nan", "1e-21", "4.9e-12", "1e-13", "\"small\""}) {
    const Outcome outcome = run(folder_, {"run", "c.toml", "--set", fmt::format("integrator.tolerance={}", value)});
    EXPECT_EQ(outcome.code, 2) << value;
    EXPECT_THAT(outcome.errors, HasSubstr("tolerance")) << value;
  }
  EXPECT_THAT(run(folder_, {"run", "c.toml", "--set", "integrator.tolerance=1e-13"}).errors,
              HasSubstr("`tolerance` must be 0, for steps of dt, or at least 5e-12, the precision of a double"));
  EXPECT_THAT(run(folder_, {"list", "integrator", "ias15"}).output,
              AllOf(HasSubstr("tolerance = 1e-9"), HasSubstr("at most 12 iterations"),
                    HasSubstr("at least 14 force evaluations")));
}

}  // namespace
}  // namespace orrery::pipeline::testing
