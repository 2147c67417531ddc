// SPDX-License-Identifier: MIT
// Sources of scenarios: each is read once, so that pipes work; files that are not scenarios are not waited for.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "pipeline/input_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ScenarioSource : public ::testing::Test {
 protected:
  ScenarioSource() {
    write(folder_ / "s.toml", sound);
    state_ = state_in(run(folder_, {"simulate", "s.toml"}), 20);
  }
  /// Runs a line of bash in the folder; $orrery is the program.
  Outcome script(const std::string& line) {
    write(folder_ / "script", fmt::format("cd '{}'\norrery='{}'\n{}\n", (folder_ / "").string(), ORRERY_PROGRAM, line));
    const int status = std::system(fmt::format("bash '{}' > '{}' 2> '{}'", (folder_ / "script").string(),
                                               (folder_ / ".output").string(), (folder_ / ".errors").string())
                                       .c_str());
    return {WEXITSTATUS(status), read(folder_ / ".output"), read(folder_ / ".errors")};
  }
  Folder folder_;
  std::string state_;
};

TEST_F(ScenarioSource, StandardInput) {
  for (const char* line :
       {"$orrery simulate - -o a < s.toml", "cat s.toml | $orrery simulate - -o b",
        "$orrery simulate /dev/stdin -o c < s.toml", "cat s.toml | $orrery simulate /dev/stdin -o d",
        "$orrery simulate <(cat s.toml) -o e", "(sleep 0.5; cat s.toml) | $orrery simulate - -o f"}) {
    EXPECT_EQ(state_in(script(line), 20), state_) << line;
  }
  EXPECT_EQ(state_in(script("$orrery simulate - < s.toml"), 20), state_);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "scenario/run.h5")) << "what has no name is called so";
  EXPECT_EQ(script("$orrery check - < s.toml").code, 0);
  EXPECT_EQ(script("$orrery check <(cat s.toml) --set nix=1").code, 2);
  EXPECT_THAT(script("$orrery check - --set nix=1 < s.toml").errors,
              StartsWith("orrery: --set nix=1: unknown key `nix`"));
  EXPECT_THAT(script("sed s/masses/mases/ s.toml | $orrery check -").errors,
              StartsWith("orrery: stdin:3:1: unknown key"));
}

TEST_F(ScenarioSource, SweepFromAPipe) {
  const Outcome swept = script(
      "(cat s.toml; printf \"[sweep]\\ninitial.eccentricity = [0.1, 0.2, 0.3]\\n\") | $orrery simulate - -o sweep");
  EXPECT_EQ(swept.code, 0) << swept.errors;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "sweep/002/run.h5"));
}

// CSV files are searched beside the scenario; for a pipe, in the current folder.
TEST_F(ScenarioSource, BodiesBesideAPipe) {
  write(folder_ / "two.csv", "mass,x,y,z,vy\n1,0,0,0,0\n1,1,0,0,1\n");
  write(folder_ / "t.toml",
        with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"table\"\nfile = \"two.csv\""));
  const std::string state = state_in(run(folder_, {"simulate", "t.toml"}), 20);
  EXPECT_EQ(state_in(script("cat t.toml | $orrery simulate - -o piped"), 20), state);
}

TEST_F(ScenarioSource, PipeWrittenLater) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  Running running(folder_, {"simulate", "pipe", "-o", "p"});
  ASSERT_TRUE(
      wait_until([&] { return read(folder_ / ".errors") == "orrery: waiting for what is written into pipe\n"; }));
  write(folder_ / "pipe", sound);
  EXPECT_EQ(state_in(running.wait(), 20), state_);
}

TEST_F(ScenarioSource, PipeWithoutAWriter) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run(folder_, {"check", "pipe"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("orrery: pipe: is a pipe without a writer after 5 s\n"));
  // A signal is not delayed either.
  Running waiting(folder_, {"run", "pipe"});
  ASSERT_TRUE(wait_until([&] { return read(folder_ / ".errors").starts_with("orrery: waiting"); }));
  waiting.send(SIGINT);
  EXPECT_EQ(waiting.wait().code, 130);
}

TEST_F(ScenarioSource, InvalidSources) {
  const auto words = [&](const std::string& operand) {
    const Outcome outcome = run(folder_, {"check", operand});
    EXPECT_EQ(outcome.code, 2) << operand;
    return outcome.errors;
  };
  EXPECT_EQ(words("/dev/zero"), "orrery: /dev/zero: is a device, not a scenario\n");
  EXPECT_EQ(words("/dev/null"), "orrery: /dev/null: is a device, not a scenario\n");
  EXPECT_EQ(words("."), "orrery: .: is a folder, not a scenario\n");
  EXPECT_EQ(words("s"), "orrery: s: is a folder, not a scenario\n");
  EXPECT_EQ(words("s2"), "orrery: s2: there is no such file; `orrery new` writes a scenario to start from\n");
  write(folder_ / "t.toml", "x");
  EXPECT_EQ(words("t"), "orrery: t: there is no such file; did you mean `t.toml`?\n");
  write(folder_ / "large.toml", "");
  std::filesystem::resize_file(folder_ / "large.toml", std::uintmax_t{1} << 40);
  EXPECT_THAT(words("large.toml"), StartsWith("orrery: large.toml: is longer than 64 MiB"));
}

// A run must be a regular file too: nothing else is waited for or written to.
TEST_F(ScenarioSource, RunMustBeARegularFile) {
  ASSERT_EQ(::mkfifo((folder_ / "run.h5").c_str(), 0600), 0);
  for (const char* command : {"info", "verify", "resume", "repair", "render"}) {
    const Outcome outcome = run(folder_, {command, "run.h5"});
    EXPECT_NE(outcome.code, 0) << command;
    EXPECT_THAT(outcome.errors, HasSubstr("run.h5: is a pipe, not an ordinary file")) << command;
  }
  EXPECT_THAT(run(folder_, {"info", "/dev/zero"}).errors, HasSubstr("/dev/zero: is a device, not an ordinary file"));
  if (!draws_pictures()) return;
  // The same holds for other runs named by a picture.
  const Outcome other = run(folder_, {"render", "s/run.h5", "run.h5", "--figure", "energy-error", "-o", "e.svg"});
  EXPECT_NE(other.code, 0);
  EXPECT_THAT(other.errors, HasSubstr("run.h5: is a pipe, not an ordinary file"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
