// SPDX-License-Identifier: MIT
// orrery resume, the summary of a completed run, and signals at awkward moments.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "pipeline/trajectory/trajectory.hpp"
#include "sim/integrator.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProgramResume : public ::testing::Test {
 protected:
  ProgramResume() { write(folder_ / "s.toml", sound); }

  /// Writes NAME.toml, a run of the given number of steps.
  void write_run(const std::string& name, int n, std::string_view integrator, std::int64_t steps) {
    write(folder_ / (name + ".toml"),
          fmt::format("[initial]\nkind = \"random-cube\"\nn = {}\n[force]\nsoftening = 0.1\n"
                      "[integrator]\nkind = \"{}\"\ndt = 1e-6\nsteps = {}\n[trajectory]\nframes = 41\ncommit = 0.02\n"
                      "[observables]\nevery = {}\n",
                      n, integrator, steps, std::max<std::int64_t>(1, steps / 60)));
  }

  /// A number of steps that takes about a fifth of a second on this machine, estimated from a run.
  std::int64_t a_while(int n, std::string_view integrator) {
    write_run("trial", n, integrator, 100'000'000);
    const std::string plan = run(folder_, {"check", "trial.toml", "--json"}).output, key = "\"seconds\": ";
    const double a_step = std::stod(plan.substr(plan.find(key) + key.size())) / 1e8;
    return std::max<std::int64_t>(100, static_cast<std::int64_t>(0.2 / a_step));
  }

  std::int64_t reached(const std::string& file) {
    try {
      return TrajectoryReader(folder_ / file).restart().value_or(sim::Snapshot{}).step;
    } catch (const Error&) {
      return 0;  // not there yet
    }
  }

  /// Starts it and sends the signal once it is beyond `step`.
  Outcome stopped(const std::vector<std::string>& arguments, const std::string& file, int signal, std::int64_t step) {
    Running running(folder_, arguments);
    EXPECT_TRUE(wait_until([&] { return reached(file) > step; }));
    running.send(signal);
    return running.wait();
  }

  bool done(const std::string& folder) { return std::filesystem::exists(folder_ / (folder + "/summary.json")); }

  Folder folder_;
};

/// Every integrator at awkward sizes: killed, and resumed with other numbers of threads and on another backend.
TEST_F(ProgramResume, KilledAndResumedToTheSameState) {
  constexpr int sizes[] = {1, 2, 257};
  std::size_t k = 0;
  for (const sim::Integrator* integrator : sim::integrators()) {
    // A single body feels no force: a run with adaptive steps would end before it could be killed.
    const int n = std::max(sizes[k++ % std::size(sizes)], integrator->advance_to != nullptr ? 2 : 1);
    SCOPED_TRACE(fmt::format("{} with {} bodies", integrator->name, n));
    const std::int64_t steps = a_while(n, integrator->name);
    const std::string name = fmt::format("r{}", k), file = name + "/run.h5";
    write_run(name, n, integrator->name, steps);
    const std::vector<std::string> simulate{"simulate", name + ".toml", "--quiet", "--threads", "1"};
    std::vector<std::string> whole = simulate;
    whole.insert(whole.end(), {"-o", name + "w"});
    const std::string state = state_in(run(folder_, whole), steps);

    const Outcome killed = stopped(simulate, file, SIGKILL, 0);
    if (!done(name) && reached(file) < steps) {  // on a machine that stood still it may have come to its end
      EXPECT_EQ(killed.code, 137);
      (void)stopped({"resume", file, "--quiet", "--threads", "3"}, file, SIGKILL, reached(file));
    }
    const Outcome rest = run(folder_, {"resume", file, "--threads", "2"});
    EXPECT_EQ(rest.code, 0) << rest.errors;
    EXPECT_EQ(state_in(rest, steps), state);
    EXPECT_TRUE(done(name));
    expect_same_content(folder_ / file, folder_ / (name + "w/run.h5"));
  }
}

TEST_F(ProgramResume, InterruptSaysHowToResume) {
  write_run("a b", 2, "leapfrog", 1'000'000'000'000);
  const Outcome stop = stopped({"run", "a b.toml", "--quiet"}, "a b/run.h5", SIGTERM, 0);
  EXPECT_EQ(stop.code, 143);
  EXPECT_THAT(stop.errors, EndsWith("; `orrery resume 'a b/run.h5'` goes on from there\n"));
  const std::int64_t step = reached("a b/run.h5");
  const Outcome again = stopped({"resume", "a b/run.h5"}, "a b/run.h5", SIGINT, step);
  EXPECT_EQ(again.code, 130);
  EXPECT_THAT(again.output, HasSubstr(fmt::format("a b/run.h5: goes on from step {} of 1000000000000\n", step)));
  EXPECT_THAT(again.errors, EndsWith("; `orrery resume 'a b/run.h5'` goes on from there\n"));
  EXPECT_FALSE(done("a b"));
}

TEST_F(ProgramResume, RefusesALiveWriter) {
  write_run("l", 2, "leapfrog", 1'000'000'000'000);
  Running running(folder_, {"simulate", "l.toml", "--quiet"}, {.output = "/dev/null", .errors = "/dev/null"});
  ASSERT_TRUE(wait_until([&] { return reached("l/run.h5") > 0; }));
  const Outcome refused = run(folder_, {"resume", "l/run.h5"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors, "orrery: l/run.h5: another orrery is writing it: wait for it, or stop it\n");
}

TEST_F(ProgramResume, OtherPhysicsIsRefusedWithBothValues) {
  write_run("p", 3, "leapfrog", 1'000'000'000'000);
  (void)stopped({"simulate", "p.toml", "--quiet"}, "p/run.h5", SIGINT, 0);
  const std::int64_t step = reached("p/run.h5");
  const Outcome refused = run(folder_, {"resume", "p/run.h5", "--set", "integrator.dt=2e-6", "--set", "seed=7"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors,
            "orrery: p/run.h5: holds another run: integrator.dt (there 1e-06, here 2e-06), seed (there 1, here 7); "
            "--set can only make it longer, by integrator.time or integrator.steps: `orrery run` begins another\n");
  const Outcome frames = run(folder_, {"resume", "p/run.h5", "--set", "trajectory.frames=42"});
  EXPECT_EQ(frames.code, 2);
  EXPECT_THAT(frames.errors, HasSubstr("trajectory.frames (there 41, here 42)"));
  const Outcome unknown = run(folder_, {"resume", "p/run.h5", "--set", "integrator.dtt=1"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("unknown key `dtt`"));
  EXPECT_EQ(reached("p/run.h5"), step);
}

TEST_F(ProgramResume, FilesThatCannotBeResumed) {
  EXPECT_EQ(run(folder_, {"resume", "nix.h5"}).errors, "orrery: nix.h5: no such file\n");
  write(folder_ / "mine.h5", "mine");
  EXPECT_THAT(run(folder_, {"resume", "mine.h5"}).errors, HasSubstr("mine.h5: not an HDF5 file"));
  const Scenario scenario = parse_scenario(sound, "s.toml");
  const auto setup = set_up(scenario);
  RunRecord record;
  record.resolved = resolved(scenario);
  record.dt = setup.model.dt;
  record.steps = setup.model.steps;
  record.frames = setup.output.frames.size();
  { const TrajectoryWriter never(folder_ / "empty.h5", setup.model.bodies, record, {}); }
  const Outcome empty = run(folder_, {"resume", "empty.h5"});
  EXPECT_EQ(empty.code, 2);
  EXPECT_EQ(empty.errors, "orrery: empty.h5: stopped before its first commit: there is no state to resume from\n");
}

TEST_F(ProgramResume, FinishedRunsAreUnchangedExceptForAMissingSummary) {
  const std::string state = state_in(run(folder_, {"simulate", "s.toml"}), 20);
  ASSERT_TRUE(done("s"));
  const std::string summary = read(folder_ / "s/summary.json");
  const Outcome again = run(folder_, {"resume", "s/run.h5"});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.output, HasSubstr("s/run.h5: finished already\n"));
  EXPECT_EQ(state_in(again, 20), state);
  EXPECT_EQ(read(folder_ / "s/summary.json"), summary);
  std::filesystem::remove(folder_ / "s/summary.json");
  EXPECT_EQ(run(folder_, {"resume", "run.h5", "--quiet"}).code, 2);
  EXPECT_EQ(run(folder_, {"resume", "s/run.h5", "--quiet"}).code, 0);
  EXPECT_TRUE(is_json(read(folder_ / "s/summary.json")));
}

TEST(ProgramSummary, DescribesTheRun) {
  const Folder folder;
  write(folder / "s.toml", "title = \"A \\\"title\\\"\"\n" + sound +
                               "[[figure]]\nkind = \"projection\"\n"
                               "file = \"p.svg\"\n");
  const Outcome outcome = run(folder, {"run", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::string summary = read(folder / "s/summary.json");
  EXPECT_TRUE(is_json(summary)) << summary;
  for (const std::string fact : {"\"file\": \"run.h5\"",
                                 "\"title\": \"A \\\"title\\\"\"",
                                 "\"bodies\": 2",
                                 "\"frames\": 21",
                                 "\"rows\": 21",
                                 "\"steps\": 20",
                                 "\"dt\": 0.1",
                                 "\"time\": 2",
                                 "\"reproducible\": \"everywhere\"",
                                 "\"first_energy\": -0.25",
                                 "\"last_energy\": -0.2",
                                 "\"greatest_energy_error\": ",
                                 "\"seconds\": ",
                                 "\"precision\": \"float64\"",
                                 "\"backend\": \"cpu\"",
                                 "\"version\": \"",
                                 "\"commit\": \"",
                                 "\"compiler\": \"",
                                 "\"device\": \"",
                                 "\"finished_at\": \"20"}) {
    EXPECT_THAT(summary, HasSubstr(fact));
  }
  EXPECT_THAT(summary, HasSubstr("\"state\": \"" + state_in(outcome, 20) + "\""));
  if (std::filesystem::exists(folder / "s/p.svg")) {
    EXPECT_THAT(summary, HasSubstr("\"p.svg\""));
  }
  EXPECT_THAT(drafts_in(folder / "s"), IsEmpty());
}

/// summary.json is reliable: it is removed before anything changes and written last.
TEST(ProgramSummary, ExistsOnlyAfterEverythingIsDone) {
  const Folder folder;
  write(folder / "s.toml", sound);
  ASSERT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  const auto summary = folder / "s/summary.json";
  ASSERT_TRUE(std::filesystem::exists(summary));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--set", "seed=3"}).code, 2);
  EXPECT_TRUE(std::filesystem::exists(summary)) << "what is refused changes nothing";
  Running running(folder, {"simulate", "s.toml", "--force", "--quiet", "--set", "integrator.steps=1e12"});
  ASSERT_TRUE(wait_until([&] { return being_written(folder / "s/run.h5"); }));
  EXPECT_FALSE(std::filesystem::exists(summary));
  running.send(SIGINT);
  EXPECT_EQ(running.wait().code, 130);
  EXPECT_FALSE(std::filesystem::exists(summary));
}

TEST(ProgramSummary, UnwritableFolders) {
  const Folder folder;
  write(folder / "s.toml", sound);
  std::filesystem::create_directories(folder / "s/summary.json");
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("s/summary.json: is a folder, not a file"));
  EXPECT_FALSE(std::filesystem::exists(folder / "s/run.h5")) << "before anything is stepped";
}

/// A signal while pictures are drawn: no incomplete file has a picture's name, and the message says how to draw the
/// rest.
TEST(ProgramSummary, InterruptedWhilePicturesAreDrawn) {
  const Folder folder;
  write(folder / "s.toml", sound +
                               "[[figure]]\nkind = \"projection\"\nfile = \"p.svg\"\n"
                               "[[film]]\nkind = \"projection\"\nfile = \"f.mp4\"\nduration = 600\n");
  Running running(folder, {"run", "s.toml", "--quiet"});
  const auto drawn = [&] {  // some of it
    std::error_code none;
    return std::ranges::any_of(drafts_in(folder / "s"), [&](const std::string& name) {
      const auto size = std::filesystem::file_size(folder / ("s/" + name), none);
      return name.starts_with("f.part-") && name.ends_with(".mp4") && !none && size > 5000;
    });
  };
  const auto ended = [&] { return std::filesystem::exists(folder / "s/summary.json"); };
  ASSERT_TRUE(wait_until([&] { return drawn() || ended(); }));
  if (ended()) GTEST_SKIP() << "this build draws no films";
  EXPECT_TRUE(std::filesystem::exists(folder / "s/p.svg"));
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.errors,
            "orrery: the run is finished, stopped at picture 2 of 2; `orrery resume s/run.h5` draws them\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "s/f.mp4"));
  EXPECT_TRUE(std::filesystem::exists(folder / "s/f.part.mp4")) << "what there is of it plays";
  EXPECT_THAT(drafts_in(folder / "s"), IsEmpty());
  EXPECT_FALSE(ended());
  EXPECT_TRUE(TrajectoryReader(folder / "s/run.h5").finished());
  const Outcome rest = run(folder, {"resume", "s/run.h5", "--quiet", "--set", "film[0].duration=1"});
  EXPECT_EQ(rest.code, 0) << rest.errors;
  EXPECT_TRUE(std::filesystem::exists(folder / "s/f.mp4"));
  EXPECT_FALSE(std::filesystem::exists(folder / "s/f.part.mp4"));
  EXPECT_THAT(read(folder / "s/summary.json"), AllOf(HasSubstr("\"p.svg\""), HasSubstr("\"f.mp4\"")));
}

}  // namespace
}  // namespace orrery::pipeline::testing
