// SPDX-License-Identifier: MIT
// A run and its folder: reused, replaced, refused, stopped and resumed, to the same last bit.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ProgramRun : public ::testing::Test {
 protected:
  ProgramRun() { write(folder_ / "s.toml", sound); }
  Folder folder_;
};

TEST_F(ProgramRun, LastLineIsTheState) {
  const Outcome first = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(first.code, 0) << first.errors;
  EXPECT_THAT(first.errors, HasSubstr("|ΔE|/|E₀| reached 4.25e-02"));
  EXPECT_EQ(std::ranges::count(first.errors, '\n'), 1) << first.errors;
  EXPECT_THAT(first.output, HasSubstr("s/run.h5: 2 bodies, 20 steps in "));
  const std::string state = state_in(first, 20);
  const Outcome quiet = run(folder_, {"simulate", "s.toml", "--quiet", "-o", "q"});
  EXPECT_EQ(quiet.output,
            "state " + state + " after 20 steps, the same bits everywhere, but its energy is not conserved\n");
  const Outcome finer = run(folder_, {"simulate", "s.toml", "--quiet", "-o", "f", "--set", "integrator.dt=0.01"});
  EXPECT_THAT(finer.output, ::testing::EndsWith(" after 20 steps, reproducible everywhere\n"));
  EXPECT_EQ(finer.errors, "");
  EXPECT_THAT(run(folder_, {"info", "s/run.h5"}).output, HasSubstr(state + " at step 20"));
}

TEST_F(ProgramRun, SameBitsOnEveryBackendAndThreadCount) {
  for (const char* n : {"1", "2", "3", "33", "257"}) {
    write(folder_ / "c.toml", fmt::format("[initial]\nkind = \"random-cube\"\nn = {}\n[force]\nsoftening = 0.1\n"
                                          "[integrator]\nkind = \"yoshida4\"\ndt = 1e-3\nsteps = 25\n",
                                          n));
    const std::string state = state_in(run(folder_, {"simulate", "c.toml", "--force", "--backend", "reference"}), 25);
    for (const char* threads : {"1", "2", "3"}) {
      const Outcome cpu = run(folder_, {"simulate", "c.toml", "--force", "--backend", "cpu", "--threads", threads});
      EXPECT_EQ(state_in(cpu, 25), state) << n << " bodies, " << threads << " threads";
    }
  }
}

TEST_F(ProgramRun, SecondRunReusesTheFile) {
  const std::string state = state_in(run(folder_, {"run", "s.toml"}), 20);
  const auto written = std::filesystem::last_write_time(folder_ / "s/run.h5");
  for (const char* command : {"run", "simulate"}) {
    // Keys without effect on the physics do not matter, nor how a time is written.
    const Outcome again = run(
        folder_, {command, "s.toml", "--threads", "1", "--set", "title=\"other\"", "--set", "integrator.dt=\"1/10\""});
    EXPECT_EQ(state_in(again, 20), state);
    EXPECT_THAT(again.output, HasSubstr("s/run.h5: reused, the same physics"));
  }
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "s/run.h5"), written);
}

TEST_F(ProgramRun, OtherPhysicsIsRefusedByName) {
  const std::string state = state_in(run(folder_, {"run", "s.toml"}), 20);
  const std::vector<std::string> other{
      "run", "s.toml", "--set", "integrator.dt=0.2", "--set", "initial.masses[1]=0.25"};
  const Outcome refused = run(folder_, other);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors,
            "orrery: s/run.h5: holds another run: initial[0].masses (there [1.0, 0.5], here [1.0, 0.25]), "
            "integrator.dt "
            "(there 0.1, here 0.2); --force replaces it, -o DIR writes elsewhere\n");
  EXPECT_EQ(state_in(run(folder_, {"run", "s.toml"}), 20), state) << "the old run is still there";
  std::vector<std::string> elsewhere = other, forced = other;
  elsewhere.insert(elsewhere.end(), {"-o", "deep/er"});
  forced.emplace_back("--force");
  const std::string new_state = state_in(run(folder_, elsewhere), 20);
  EXPECT_NE(new_state, state);
  EXPECT_EQ(state_in(run(folder_, forced), 20), new_state);
  EXPECT_EQ(state_in(run(folder_, other), 20), new_state);
}

TEST_F(ProgramRun, FilesThatAreNotRuns) {
  std::filesystem::create_directory(folder_ / "s");
  write(folder_ / "s/run.h5", "mine");
  const Outcome refused = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("not an HDF5 file"), HasSubstr("--force replaces it, -o DIR")));
  EXPECT_EQ(read(folder_ / "s/run.h5"), "mine");
  EXPECT_EQ(run(folder_, {"run", "s.toml", "--force"}).code, 0);
}

TEST_F(ProgramRun, UnwritableFolders) {
  const Outcome file = run(folder_, {"run", "s.toml", "-o", "s.toml"});
  EXPECT_EQ(file.code, 2);
  EXPECT_EQ(file.errors, "orrery: s.toml: is a file; give another folder with -o\n");
  const Outcome below = run(folder_, {"run", "s.toml", "-o", "s.toml/x"});
  EXPECT_EQ(below.code, 1);
  EXPECT_EQ(below.errors, "orrery: s.toml/x: cannot be made: Not a directory\n");
  EXPECT_EQ(run(folder_, {"run", "s.toml", "-o", "/proc/orrery"}).code, 1);
  if (geteuid() == 0) return;  // who may write everywhere
  std::filesystem::create_directory(folder_ / "mine");
  std::filesystem::permissions(folder_ / "mine",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const Outcome closed = run(folder_, {"run", "s.toml", "-o", "mine"});
  EXPECT_EQ(closed.code, 1);
  EXPECT_THAT(closed.errors, HasSubstr("mine/run.h5: "));
}

/// The state after a kill in the first moments: nothing to resume from, and nothing to lose.
TEST_F(ProgramRun, RestartsWithoutACommit) {
  std::filesystem::create_directory(folder_ / "s");
  const Scenario scenario = read_scenario(folder_ / "s.toml");
  const auto setup = set_up(scenario);
  const ChosenBackend chosen = make_backend(setup, scenario.backend);
  (void)TrajectoryWriter(folder_ / "s/run.h5", setup.model.bodies, make_record(scenario, setup, chosen, "", ""),
                         setup.output.stored);
  ASSERT_FALSE(TrajectoryReader(folder_ / "s/run.h5").restart());
  const std::string state = state_in(run(folder_, {"run", "s.toml"}), 20);
  EXPECT_EQ(state, state_in(run(folder_, {"run", "s.toml", "-o", "other"}), 20));
}

const std::string collision = R"([initial]
kind = "table"
bodies = [{ name = "Ida", mass = 1, position = [-1, 0, 0], velocity = [1, 0, 0] },
          { name = "Eva", mass = 1, position = [1, 0, 0], velocity = [-1, 0, 0] }]
[force]
G = 0
[integrator]
dt = 0.125
steps = 100
)";

/// The bodies collide at step 8: frames 0 to 7 are kept, the message names the bodies, and a softening helps.
TEST_F(ProgramRun, Collision) {
  write(folder_ / "c.toml", collision);
  for (int k = 0; k < 2; ++k) {
    const Outcome outcome = run(folder_, {"run", "c.toml"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors, AllOf(HasSubstr("Ida and Eva came within"), HasSubstr("at step 8"),
                                      HasSubstr("softening"), HasSubstr("(the file holds everything up to step 7)")));
    const TrajectoryReader reader(folder_ / "c/run.h5");
    EXPECT_EQ(reader.size(), 8U);
    EXPECT_FALSE(reader.finished());
  }
  EXPECT_EQ(run(folder_, {"run", "c.toml", "--set", "force.softening=0.1", "--force"}).code, 0);
}

TEST_F(ProgramRun, CollisionInTheInitialStateLeavesNoFile) {
  write(folder_ / "c.toml", with(collision, "[1, 0, 0], velocity = [-1", "[-1, 0, 0], velocity = [-1"));
  const Outcome outcome = run(folder_, {"run", "c.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("Ida and Eva came within"), HasSubstr("at step 0")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c"));
}

TEST_F(ProgramRun, SmallestRuns) {
  EXPECT_EQ(run(folder_, {"run", "s.toml", "-o", "a", "--set", "integrator.steps=0"}).code, 0);
  EXPECT_EQ(run(folder_, {"run", "s.toml", "-o", "b", "--set", "trajectory.frames=1"}).code, 0);
  EXPECT_EQ(TrajectoryReader(folder_ / "a/run.h5").size(), 1U);
  EXPECT_EQ(TrajectoryReader(folder_ / "b/run.h5").size(), 1U);
  const Outcome massless = run(folder_, {"run", "s.toml", "-o", "c", "--set", "initial.masses=[1, 0]"});
  EXPECT_EQ(massless.code, 0) << massless.errors;
}

/// A run that takes about two seconds on any machine and build.
class ProgramSignals : public ProgramRun {
 protected:
  ProgramSignals() {
    constexpr double trial = 1e6;
    write_long(static_cast<std::int64_t>(trial));
    const std::string plan = run(folder_, {"check", "long.toml", "--json"}).output, key = "\"seconds\": ";
    const double a_step = std::stod(plan.substr(plan.find(key) + key.size())) / trial;
    steps_ = std::max<std::int64_t>(400, static_cast<std::int64_t>(2.0 / a_step));
    write_long(steps_);
  }

  void write_long(std::int64_t steps) {
    write(folder_ / "long.toml", fmt::format("[initial]\nkind = \"random-cube\"\nn = 96\n[force]\nsoftening = 0.1\n"
                                             "[integrator]\ndt = 1e-6\nsteps = {}\n[trajectory]\nframes = 41\n"
                                             "commit = 0.05\n[observables]\nevery = {}\n",
                                             steps, std::max<std::int64_t>(1, steps / 200)));
  }

  /// Starts the run, waits until it is well beyond `step`, and sends the signal.
  Outcome stopped(int signal, std::int64_t step) {
    Running running(folder_, {"simulate", "long.toml", "--quiet"});
    const auto come_far = [&] {
      try {
        return TrajectoryReader(folder_ / "long/run.h5").restart().value_or(sim::Snapshot{}).step > step;
      } catch (const Error&) {
        return false;  // not there yet
      }
    };
    EXPECT_TRUE(wait_until(come_far));
    running.send(signal);
    return running.wait();
  }
  std::int64_t reached() { return TrajectoryReader(folder_ / "long/run.h5").restart().value().step; }

  std::int64_t steps_ = 0;
};

TEST_F(ProgramSignals, InterruptedRunResumesToTheSameState) {
  const std::string state = state_in(run(folder_, {"simulate", "long.toml", "--quiet", "-o", "whole"}), steps_);

  const Outcome interrupted = stopped(SIGINT, 0);
  EXPECT_EQ(interrupted.code, 130);
  EXPECT_EQ(interrupted.output, "");
  const std::int64_t first = reached();
  EXPECT_GT(first, 0);
  EXPECT_LT(first, steps_);
  EXPECT_EQ(
      interrupted.errors,
      fmt::format("orrery: stopped at step {} of {}; `orrery resume long/run.h5` goes on from there\n", first, steps_));
  EXPECT_THAT(run(folder_, {"info", "long/run.h5"}).output,
              HasSubstr(fmt::format("{} of {}, not finished", first, steps_)));

  const Outcome terminated = stopped(SIGTERM, first);
  EXPECT_EQ(terminated.code, 143);
  EXPECT_GT(reached(), first);

  const Outcome rest = run(folder_, {"simulate", "long.toml"});
  EXPECT_EQ(rest.code, 0) << rest.errors;
  EXPECT_THAT(rest.output, HasSubstr("long/run.h5: goes on from step "));
  EXPECT_EQ(state_in(rest, steps_), state);

  // Not only the last state: every frame and row equals that of the uninterrupted run.
  expect_same_content(folder_ / "long/run.h5", folder_ / "whole/run.h5");
}

/// A kill leaves no message, and nothing committed is lost.
TEST_F(ProgramSignals, KilledRunsResume) {
  const Outcome killed = stopped(SIGKILL, 0);
  EXPECT_EQ(killed.code, 137);
  EXPECT_GT(reached(), 0);
  const Outcome other = run(folder_, {"simulate", "long.toml", "--set", "seed=2"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.errors, HasSubstr("holds another run: seed (there 1, here 2)"));
  EXPECT_EQ(stopped(SIGINT, reached()).code, 130);
}

/// The second signal does not wait for a long step.
TEST_F(ProgramSignals, SecondSignalStopsAtOnce) {
  write(folder_ / "slow.toml",
        "[initial]\nkind = \"random-cube\"\nn = 6000\n[force]\nsoftening = 0.1\n"
        "[integrator]\ndt = 1e-4\nsteps = 100\n[backend]\nkind = \"reference\"\n");
  Running running(folder_, {"simulate", "slow.toml", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder_ / "slow/run.h5"); }));
  std::this_thread::sleep_for(100ms);
  running.send(SIGINT);
  std::this_thread::sleep_for(20ms);
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.errors, Not(HasSubstr("stopped at step")));
}

}  // namespace
}  // namespace orrery::pipeline::testing
