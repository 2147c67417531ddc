// SPDX-License-Identifier: MIT
// The program itself under faulty_io: killed, or with a full disk, then the same command again.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "tests/faults/children.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScenario = R"(
[initial]
kind = "figure-eight"
[integrator]
kind = "yoshida4"
dt = "1/100 period"
time = "1 periods"
[trajectory]
frames = 101
commit = 0
)";

/// The program with a fault, then once more without.
class Disturbed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
    write(folder_ / "eight.toml", kScenario);
    calm_ = last_line(orrery("calm").output);
    content_ = content_of(folder_ / "calm/run.h5");
  }
  Outcome orrery(const std::string& into, const Streams& streams = {}) const {
    return run(folder_, {"simulate", "eight.toml", "-o", into}, streams);
  }

  Outcome disturbed(const std::string& what, int at, const std::string& error = "0",
                    const Streams& streams = {}) const {
    fs::remove_all(folder_ / "run");
    const auto say = [](const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); };
    say("LD_PRELOAD", FAULTY_IO);
    say("FAULTY_IO_FILE", folder_ / "run/run.h5");
    say("FAULTY_IO_DO", what);
    say("FAULTY_IO_AT", std::to_string(at));
    say("FAULTY_IO_ERRNO", error);
    Outcome outcome = orrery("run", streams);
    calm_down();
    return outcome;
  }
  static void calm_down() {
    for (const char* name : {"LD_PRELOAD", "FAULTY_IO_FILE", "FAULTY_IO_DO", "FAULTY_IO_AT", "FAULTY_IO_ERRNO",
                             "FAULTY_IO_CALLS", "FAULTY_IO_SLEEP"})
      ::unsetenv(name);
  }

  // The same command gives the same file; if nothing was committed yet it says so, and a new run is started.
  void expect_a_way_on() const {
    Outcome again = orrery("run");
    if (again.code == 2) {
      EXPECT_NE(again.errors.find("stopped before its first commit"), std::string::npos) << again.errors;
      again = run(folder_, {"simulate", "eight.toml", "-o", "run", "--force"});
    }
    EXPECT_EQ(again.code, 0) << again.errors;
    EXPECT_EQ(last_line(again.output), calm_);
    EXPECT_TRUE(content_of(folder_ / "run/run.h5") == content_);
  }

  Folder folder_;
  std::string calm_;
  std::map<std::string, std::vector<char>> content_;
};

TEST_F(Disturbed, Killed) {
  for (int at = 40; at < 3000; at += 900) {
    SCOPED_TRACE(at);
    EXPECT_EQ(disturbed("kill", at).code, 128 + SIGKILL);
    expect_a_way_on();
  }
}

TEST_F(Disturbed, OutOfSpace) {
  for (int at = 10; at < 3000; at += 1100) {
    SCOPED_TRACE(at);
    const Outcome outcome = disturbed("fail", at, std::to_string(ENOSPC));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("No space left on device"), std::string::npos) << outcome.errors;
    expect_a_way_on();
  }
}

// As in `orrery run … > log 2>&1` with the log on the same disk.
TEST_F(Disturbed, NoSpaceForErrorMessage) {
  EXPECT_EQ(disturbed("fail", 500, std::to_string(ENOSPC), {.output = "", .errors = "/dev/full"}).code, 1);
  expect_a_way_on();
}

// Not every file system can rename only if the name is free; a hard link serves instead.
TEST_F(Disturbed, FileSystemWithoutRenameNoReplace) {
  ::setenv("FAULTY_IO_CALLS", "rename", 1);
  const Outcome outcome = disturbed("fail", 1, std::to_string(EINVAL));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(last_line(outcome.output), calm_);
  EXPECT_TRUE(content_of(folder_ / "run/run.h5") == content_);
  EXPECT_EQ(drafts_in(folder_ / "run").size(), 0U);
}

// The slower process finds the name taken, and leaves the file of the faster one.
TEST_F(Disturbed, OfTwoConcurrentRunsOneFails) {
  ::setenv("FAULTY_IO_FILE", (folder_ / "run/run.h5").c_str(), 1);
  ::setenv("FAULTY_IO_DO", "sleep", 1);
  ::setenv("FAULTY_IO_SLEEP", "20000", 1);
  ::setenv("LD_PRELOAD", FAULTY_IO, 1);
  Running slow(folder_, {"simulate", "eight.toml", "-o", "run"}, {.output = folder_ / "o", .errors = folder_ / "e"});
  calm_down();
  ASSERT_TRUE(wait_until([&] { return !drafts_in(folder_ / "run").empty(); }));
  const Outcome quick = orrery("run");
  EXPECT_EQ(quick.code, 0) << quick.errors;
  EXPECT_EQ(last_line(quick.output), calm_);
  const Outcome refused = slow.wait();
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors, "orrery: run/run.h5: another orrery made it just now: give the same command again\n");
  EXPECT_TRUE(content_of(folder_ / "run/run.h5") == content_);
  EXPECT_TRUE(fs::exists(folder_ / "run/summary.json"));
  EXPECT_EQ(drafts_in(folder_ / "run").size(), 0U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
