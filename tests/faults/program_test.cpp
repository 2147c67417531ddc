// SPDX-License-Identifier: MIT
// The program itself under faulty_io: killed, or out of space, and the same command once more.
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
    const Outcome outcome = orrery("run", streams);
    for (const char* name : {"LD_PRELOAD", "FAULTY_IO_FILE", "FAULTY_IO_DO", "FAULTY_IO_AT", "FAULTY_IO_ERRNO"})
      ::unsetenv(name);
    return outcome;
  }

  // The same command gives the same file; where nothing was committed yet it says so, and is told to begin anew.
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

// As in `orrery run … > log 2>&1` where the log is on the same disk.
TEST_F(Disturbed, OutOfSpaceForItsWordsToo) {
  EXPECT_EQ(disturbed("fail", 500, std::to_string(ENOSPC), {.output = "", .errors = "/dev/full"}).code, 1);
  expect_a_way_on();
}

}  // namespace
}  // namespace orrery::pipeline::testing
