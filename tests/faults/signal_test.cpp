// SPDX-License-Identifier: MIT
// Signals while a file is being written, which is prolonged by making every write call slow.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tests/faults/children.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

class Finalising : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
  void TearDown() override {
    for (const char* name : {"LD_PRELOAD", "FAULTY_IO_FILE", "FAULTY_IO_DO", "FAULTY_IO_SLEEP"}) ::unsetenv(name);
  }

  /// From now on, each write to `file` takes so many microseconds, until TearDown().
  void slow_down(const std::string& file, const char* microseconds) {
    ::setenv("FAULTY_IO_FILE", (folder_ / file).c_str(), 1);
    ::setenv("FAULTY_IO_DO", "sleep", 1);
    ::setenv("FAULTY_IO_SLEEP", microseconds, 1);
    ::setenv("LD_PRELOAD", FAULTY_IO, 1);
  }

  /// Runs `s.toml`, slowly, and sends the signals once all steps are taken.
  Outcome signalled(const std::string& text, const std::vector<int>& signals) {
    write(folder_ / "s.toml", text);
    slow_down("s/run.h5", "10000");
    Running running(folder_, {"run", "s.toml", "--quiet"});
    TearDown();
    EXPECT_TRUE(wait_until([&] { return last_step() == 20; }));
    for (const int signal : signals) {
      running.send(signal);
      ::usleep(5000);  // two that come together are one
    }
    return running.wait();
  }

  std::int64_t last_step() {
    try {
      return TrajectoryReader(folder_ / "s/run.h5").restart().value_or(sim::Snapshot{}).step;
    } catch (const Error&) {
      return 0;
    }
  }
  bool done() { return std::filesystem::exists(folder_ / "s/summary.json"); }

  Folder folder_;
};

/// Only the mark that the run is finished is left to be written.
TEST_F(Finalising, SignalDoesNotAffectAFinishedRun) {
  const Outcome outcome = signalled(sound, {SIGTERM});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(state_in(outcome, 20), "");
  EXPECT_TRUE(done());
}

TEST_F(Finalising, SignalPreventsPictures) {
  const Outcome outcome = signalled(sound + "[[figure]]\nkind = \"projection\"\nfile = \"p.svg\"\n", {SIGINT});
  if (outcome.code == 0) GTEST_SKIP() << "this build draws nothing, or was through before the signal";
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.errors,
            "orrery: the run is finished, stopped at picture 1 of 1; `orrery resume s/run.h5` draws them\n");
  EXPECT_FALSE(done());
  EXPECT_TRUE(TrajectoryReader(folder_ / "s/run.h5").finished());
  EXPECT_EQ(run(folder_, {"resume", "s/run.h5"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s/p.svg"));
  EXPECT_TRUE(done());
}

/// Two signals stop at once; the file can be resumed from its last commit, which is the end.
TEST_F(Finalising, SecondSignalStopsAtOnce) {
  const Outcome twice = signalled(sound, {SIGINT, SIGINT});
  EXPECT_EQ(twice.code, 130);
  EXPECT_FALSE(done());
  const Outcome rest = run(folder_, {"resume", "s/run.h5", "--quiet"});
  EXPECT_EQ(rest.code, 0) << rest.errors;
  EXPECT_NE(state_in(rest, 20), "");
  EXPECT_TRUE(done());
}

/// A matrix of 8 MB, in several chunks.
TEST_F(Finalising, InterruptedMatrixLeavesNoFile) {
  write(folder_ / "s.toml", with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"plummer\"\nn = 1000"));
  slow_down("m.h5", "1000000");
  Running running(folder_, {"matrix", "s.toml", "-o", "m.h5", "--threads", "1"});
  TearDown();
  ASSERT_TRUE(wait_until([&] { return !drafts_in(folder_ / "").empty() && running.heeds(SIGINT); }));
  running.send(SIGINT);
  EXPECT_EQ(running.wait().code, 130);
  EXPECT_TRUE(drafts_in(folder_ / "").empty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.h5"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
