// SPDX-License-Identifier: MIT
// Sweeps on the command line: members in folders, completed ones reused, stopped ones resumed, and their table.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/run_record.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Six members of 40, 20 and 10 steps, with two eccentricities each.
const std::string swept = with(sound, "steps = 20", "time = 2.0") + R"([sweep]
initial.eccentricity = [0.3, 0.7]
"integrator.dt" = [0.05, 0.1, 0.2]
)";

class ProgramSweep : public ::testing::Test {
 protected:
  ProgramSweep() { write(folder_ / "s.toml", swept); }

  Outcome orrery(const std::vector<std::string>& arguments) { return run(folder_, arguments); }
  std::string hash(const std::string& run) {
    const auto state = TrajectoryReader(folder_ / run).restart();
    return state ? state_hash(*state) : "";
  }
  std::vector<std::string> hashes(const std::string& folder) {
    std::vector<std::string> all;
    for (int task = 0; task < 6; ++task) all.push_back(hash(fmt::format("{}/00{}/run.h5", folder, task)));
    return all;
  }
  /// The cells of each line; no cell here has a comma in it.
  std::vector<std::vector<std::string>> table(const std::vector<std::string>& arguments) {
    const Outcome outcome = orrery(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      std::istringstream cells(line + ",");
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
  }

  Folder folder_;
};

TEST_F(ProgramSweep, RunsEveryMember) {
  const Outcome outcome = orrery({"simulate", "s.toml", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 6);
  EXPECT_THAT(outcome.output,
              HasSubstr(fmt::format("\n004 initial.eccentricity=0.7, integrator.dt=0.1: state {} after 20 "
                                    "steps, the same bits everywhere, but its energy is not conserved\n",
                                    hash("s/004/run.h5"))));
  // A member is the same as a run started by hand, without reference to the sweep.
  write(folder_ / "one.toml", swept.substr(0, swept.find("[sweep]")));
  ASSERT_EQ(orrery({"simulate", "one.toml", "--set", "initial.eccentricity=0.7", "--set", "integrator.dt=0.1"}).code,
            0);
  EXPECT_EQ(hash("s/004/run.h5"), hash("one/run.h5"));
  expect_same_content(folder_ / "s/004/run.h5", folder_ / "one/run.h5");
  const TrajectoryReader member(folder_ / "s/004/run.h5"), one(folder_ / "one/run.h5");
  EXPECT_EQ(member.record().frames, one.record().frames);
  EXPECT_EQ(member.record().resolved, one.record().resolved);
  EXPECT_EQ(member.record().provenance.at("overrides"), "initial.eccentricity=0.7\nintegrator.dt=0.1\n");
  // Only the members are in the folder.
  const std::filesystem::directory_iterator all(folder_ / "s"), end;
  EXPECT_EQ(std::distance(all, end), 6);
}

TEST_F(ProgramSweep, TasksGiveTheSameRunsAsTheSweep) {
  ASSERT_EQ(orrery({"simulate", "s.toml", "--quiet"}).code, 0);
  for (const char* task : {"3", "0", "5", "1", "4", "2"}) {
    const Outcome outcome = orrery({"run", "s.toml", "--task", task, "-o", "t"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(last_line(outcome.output), StartsWith(fmt::format("00{} initial.eccentricity=", task)));
  }
  EXPECT_EQ(hashes("t"), hashes("s"));
}

TEST_F(ProgramSweep, RefusedTasks) {
  const Outcome behind = orrery({"run", "s.toml", "--task", "6"});
  EXPECT_EQ(behind.code, 2);
  EXPECT_EQ(behind.errors, "orrery: --task 6: the tasks of s.toml are 0 to 5\n");
  EXPECT_EQ(orrery({"run", "s.toml", "--task", "-1"}).code, 2);
  write(folder_ / "one.toml", sound);
  const Outcome none = orrery({"run", "one.toml", "--task", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.errors, "orrery: one.toml: has no [sweep] of which --task could run a member\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s"));
}

TEST_F(ProgramSweep, FinishedMembersAreUnchanged) {
  ASSERT_EQ(orrery({"run", "s.toml", "--quiet"}).code, 0);
  const auto before = hashes("s");
  std::filesystem::remove(folder_ / "s/002/run.h5");
  const auto written = std::filesystem::last_write_time(folder_ / "s/001/run.h5");
  const Outcome again = orrery({"run", "s.toml"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.output, AllOf(HasSubstr("s/001/run.h5: reused, the same physics"),
                                  HasSubstr("s/002/run.h5: 2 bodies, 10 steps in ")));
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "s/001/run.h5"), written);
  EXPECT_EQ(hashes("s"), before);
}

/// A time that is rounded for one member is said, but not if a figure compares all of them at one time.
TEST_F(ProgramSweep, MembersEndTogetherIfAFigureComparesThem) {
  const std::string uneven = with(swept, "0.1, 0.2]", "0.1, 0.3]");
  write(folder_ / "u.toml", uneven);
  const Outcome alone = orrery({"simulate", "u.toml", "--quiet"});
  EXPECT_EQ(alone.code, 0) << alone.errors;
  EXPECT_THAT(alone.errors, HasSubstr("002 initial.eccentricity=0.3, integrator.dt=0.3: u.toml:8:8: t = 2 is 6.66667"));
  if (!draws_pictures()) return;
  write(folder_ / "c.toml", uneven + "[[figure]]\nkind = \"convergence\"\nfile = \"c.svg\"\n");
  for (const char* command : {"run", "check"}) {
    const Outcome outcome = orrery({command, "c.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: c.toml:8:8: is no whole number of steps of dt = 0.3"),
                                      HasSubstr("(task 2: initial.eccentricity=0.3, integrator.dt=0.3; see")));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c"));
}

/// The scenario and folder of every member are checked before any is run.
TEST_F(ProgramSweep, RefusedMembersLeaveNoFiles) {
  write(folder_ / "bad.toml", with(swept, "0.1, 0.2]", "0.1, 5.0]"));
  for (const char* command : {"run", "simulate", "check"}) {
    const Outcome outcome = orrery({command, "bad.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: bad.toml:8:8: t = 2 is "), HasSubstr("(task 2: initial.ecc"),
                                      HasSubstr("see bad.toml:12:25, bad.toml:13:31)")));
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));

  ASSERT_EQ(orrery({"simulate", "s.toml", "--quiet", "--task", "5"}).code, 0);
  const std::string state = hash("s/005/run.h5");
  const Outcome other = orrery({"run", "s.toml", "--set", "initial.masses=[1, 1]"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.errors, AllOf(StartsWith("orrery: s/005/run.h5: holds another run: initial[0].masses"),
                                  HasSubstr("--force replaces it"), HasSubstr("(task 5: ")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/000"));
  EXPECT_EQ(hash("s/005/run.h5"), state);
  EXPECT_EQ(orrery({"run", "s.toml", "--set", "initial.masses=[1, 1]", "--force", "--quiet"}).code, 0);
  EXPECT_NE(hash("s/005/run.h5"), state);
}

/// What a later member lacks is known before the first one is run.
TEST_F(ProgramSweep, BackendsOfAllMembersAreCheckedFirst) {
  write(folder_ / "k.toml", sound + "[backend]\nkind = \"cpu\"\n[sweep]\nbackend.kernel = [\"auto\", \"tiled\"]\n");
  for (const char* command : {"check", "simulate"}) {
    const Outcome outcome = orrery({command, "k.toml"});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.errors,
                AllOf(StartsWith("orrery: k.toml:"), HasSubstr("the cpu backend has no kernel `tiled`")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "k"));
  }
}

/// Two bodies that collide in the second member.
TEST_F(ProgramSweep, OtherMembersRunIfOneFails) {
  write(folder_ / "c.toml", R"([initial]
kind = "table"
bodies = [{ name = "Ida", mass = 1, position = [-1, 0, 0], velocity = [1, 0, 0] },
          { name = "Eva", mass = 1, position = [1, 0, 0], velocity = [-1, 0, 0] }]
[force]
G = 0
[integrator]
dt = 0.125
steps = 20
[sweep]
force.softening = [0.1, 0, 0.2]
)");
  for (int k = 0; k < 2; ++k) {
    const Outcome outcome = orrery({"run", "c.toml"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors,
                AllOf(StartsWith("orrery: 001 force.softening=0: "), HasSubstr("Ida and Eva came within"),
                      HasSubstr("\norrery: 1 of 3 members failed: 001\n")));
    EXPECT_TRUE(TrajectoryReader(folder_ / "c/002/run.h5").finished());
  }
  const auto rows = table({"table", "c"});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2][2], "no");
  EXPECT_EQ(rows[2][3], "7");
}

/// The rounding residue of a vanishing angular momentum is no reference for relative errors.
TEST_F(ProgramSweep, TableOfNoAngularMomentum) {
  write(folder_ / "eight.toml",
        "initial.kind = \"figure-eight\"\nintegrator = { kind = \"yoshida4\", dt = \"1/500 period\", steps = 500 }\n");
  ASSERT_EQ(orrery({"simulate", "eight.toml", "-o", "d/eight", "--quiet"}).code, 0);
  const auto rows = table({"table", "d"});
  ASSERT_EQ(rows.size(), 2U);
  const auto column = std::ranges::find(rows[0], "greatest_angular_momentum_error") - rows[0].begin();
  EXPECT_LT(std::stod(rows[1].at(static_cast<std::size_t>(column))), 1e-14);
}

TEST_F(ProgramSweep, Table) {
  ASSERT_EQ(orrery({"simulate", "s.toml", "--quiet"}).code, 0);
  std::filesystem::remove_all(folder_ / "s/003");
  write(folder_ / "s/004/run.h5", "broken");
  const auto rows = table({"table", "s"});
  EXPECT_THAT(read(folder_ / ".errors"), HasSubstr("s/004/run.h5: not an HDF5 file"));
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_THAT(rows[0], ElementsAre("task", "initial.eccentricity", "integrator.dt", "finished", "steps", "dt", "time",
                                   "state", "energy_error", "greatest_energy_error", "angular_momentum_error",
                                   "greatest_angular_momentum_error", "seconds", "G", "file", "energy_error_name",
                                   "massless_error", "massless_error_name"));
  for (std::size_t task = 0; task < 6; ++task) {
    const auto& row = rows[task + 1];
    ASSERT_EQ(row.size(), rows[0].size());
    const double dt[] = {0.05, 0.1, 0.2};
    EXPECT_EQ(row[0], std::to_string(task));
    EXPECT_EQ(row[1], task < 3 ? "0.3" : "0.7");
    EXPECT_EQ(std::stod(row[2]), dt[task % 3]);
    const bool lost = task == 3 || task == 4;
    EXPECT_EQ(row[3], lost ? "no" : "yes");
    EXPECT_EQ(row[14], task == 3 ? "" : fmt::format("s/00{}/run.h5", task));
    if (lost) {
      EXPECT_EQ(row[4] + row[7] + row[9], "");
      continue;
    }
    const TrajectoryReader reader(folder_ / row[14]);
    EXPECT_EQ(row[4], fmt::format("{}", reader.record().steps));
    EXPECT_EQ(row[6], fmt::format("{}", reader.times().back()));
    EXPECT_EQ(row[7], state_hash(*reader.restart()));
    const auto energy = reader.history().total_energy;
    EXPECT_EQ(std::stod(row[8]), std::abs((energy.back() - energy.front()) / energy.front()));
    EXPECT_GE(std::stod(row[9]), std::stod(row[8]));
    EXPECT_GT(std::stod(row[9]), 1e-6);
    EXPECT_LT(std::stod(row[11]), 1e-12);
    EXPECT_EQ(row[13], "1");
  }
  EXPECT_EQ(orrery({"table", "s", "-o", "t.csv"}).output, "");
  EXPECT_EQ(read(folder_ / "t.csv"), orrery({"table", "s"}).output);
  const Outcome none = orrery({"table", "nix"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.errors, StartsWith("orrery: nix: no such folder"));
}

/// Runs without a sweep: the keys in which they differ.
TEST_F(ProgramSweep, TableOfAnyRuns) {
  write(folder_ / "one.toml", sound);
  ASSERT_EQ(orrery({"simulate", "one.toml", "-o", "d/coarse", "--quiet"}).code, 0);
  ASSERT_EQ(orrery({"simulate", "one.toml", "-o", "d/fine", "--quiet", "--set", "integrator.dt=\"1/80\"", "--threads",
                    "1", "--set", "title=\"a, \\\"b\\\"\""})
                .code,
            0);
  const std::string text = orrery({"table", "d"}).output;
  EXPECT_THAT(text, AllOf(StartsWith("task,backend.threads,integrator.dt,title,finished,steps,"),
                          HasSubstr("\ncoarse,,0.1,,yes,20,"),
                          HasSubstr("\nfine,1,0.0125,\"\"\"a, \\\"\"b\\\"\"\"\"\",yes,20,")));
}

TEST_F(ProgramSweep, Check) {
  const Outcome plan = orrery({"check", "s.toml"});
  EXPECT_EQ(plan.code, 0) << plan.errors;
  EXPECT_THAT(plan.output, AllOf(HasSubstr("members "), HasSubstr(" 6; "), HasSubstr("roughly "),
                                 HasSubstr("\n003 initial.eccentricity=0.7, integrator.dt=0.05\n")));
  const Outcome json = orrery({"check", "s.toml", "--json"});
  EXPECT_TRUE(is_json(json.output)) << json.output;
  EXPECT_THAT(json.output, AllOf(HasSubstr("\"members\": ["), HasSubstr("\"task\": 5"), HasSubstr("\"steps\": 10"),
                                 HasSubstr("\"initial.eccentricity=0.7\""), HasSubstr("\"sweep_seconds\": ")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s"));
}

/// Two long members of about a second each, between short ones; each is stopped in its middle, and the same command
/// resumes to the same end.
TEST_F(ProgramSweep, StoppedAndKilledSweepsResume) {
  const std::string cube =
      "[initial]\nkind = \"random-cube\"\nn = 33\n[force]\nsoftening = 0.1\n[integrator]\ndt = 1e-6\nsteps = "
      "1_000_000\n"
      "[trajectory]\nframes = 5\ncommit = 0.02\n";
  write(folder_ / "cube.toml", cube);
  const std::string plan = orrery({"check", "cube.toml", "--json"}).output, key = "\"seconds\": ";
  const double a_step = std::stod(plan.substr(plan.find(key) + key.size())) / 1e6;
  const auto steps = std::max<std::int64_t>(400, static_cast<std::int64_t>(1.0 / a_step));
  write(folder_ / "l.toml", cube + fmt::format("[sweep]\ncombine = \"zip\"\nseed = [1, 2, 3, 4]\n"
                                               "integrator.steps = [20, {}, {}, 40]\n",
                                               steps, steps + 7));
  ASSERT_EQ(orrery({"simulate", "l.toml", "--quiet", "-o", "whole"}).code, 0);
  const auto step_of = [&](const char* run) {
    try {
      return TrajectoryReader(folder_ / run).restart().value_or(sim::Snapshot{}).step;
    } catch (const Error&) {
      return std::int64_t{-1};  // not there yet
    }
  };
  const auto stopped = [&](int signal, const char* run) {
    Running running(folder_, {"simulate", "l.toml", "--quiet"});
    EXPECT_TRUE(wait_until([&] { return step_of(run) > 0; }));
    running.send(signal);
    return running.wait();
  };
  EXPECT_EQ(stopped(SIGKILL, "l/001/run.h5").code, 137);
  EXPECT_LT(step_of("l/001/run.h5"), steps);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "l/002"));
  const Outcome interrupted = stopped(SIGINT, "l/002/run.h5");
  EXPECT_EQ(interrupted.code, 130);
  EXPECT_THAT(interrupted.errors, HasSubstr("the sweep was stopped in task 2 of 0 to 3; the same command goes on"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "l/003"));
  const auto rows = table({"table", "l"});
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[2][3], "yes");
  EXPECT_EQ(rows[3][3], "no");
  EXPECT_EQ(rows[4][1], "4");
  EXPECT_EQ(orrery({"simulate", "l.toml", "--quiet"}).code, 0);
  for (const char* run : {"/000/run.h5", "/001/run.h5", "/002/run.h5", "/003/run.h5"}) {
    expect_same_content(folder_ / (std::string("l") + run), folder_ / (std::string("whole") + run));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
