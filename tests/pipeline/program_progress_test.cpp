// SPDX-License-Identifier: MIT
// Progress during a run: one line that is redrawn on a terminal, plain lines elsewhere.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "pipeline/progress.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string endless_run =
    "[initial]\nkind = \"random-cube\"\n[force]\nsoftening = 0.1\n[integrator]\ndt = 1e-9\nsteps = 1e12\n";

TEST(InWords, OfTimesAndNumbers) {
  EXPECT_EQ(to_text(0s), "0.0 s");
  EXPECT_EQ(to_text(3.21s), "3.2 s");
  EXPECT_EQ(to_text(0.4s), "0.4 s");
  EXPECT_EQ(to_text(99ms), "99 ms");
  EXPECT_EQ(to_text(1.23ms), "1.2 ms");
  EXPECT_EQ(to_text(999us), "1 ms");
  EXPECT_EQ(to_text(41us), "41 µs");
  EXPECT_EQ(to_text(54ns), "54 ns");
  EXPECT_EQ(to_text(80s), "1 min 20 s");
  EXPECT_EQ(to_text(3600s + 300s), "1 h 05 min");
  EXPECT_EQ(to_text(49h), "2 d 01 h");
  EXPECT_EQ(to_text(std::chrono::duration<double>(1e300)), "ages");
  EXPECT_EQ(with_prefix(0), "0");
  EXPECT_EQ(with_prefix(999), "999");
  EXPECT_EQ(with_prefix(999.7), "1 k");
  EXPECT_EQ(with_prefix(1.2e9), "1.2 G");
  EXPECT_EQ(with_prefix(-4500), "-4.5 k");
  EXPECT_EQ(in_bytes(12), "12 B");
  EXPECT_EQ(in_bytes(2.5e6), "2.5 MB");
}

/// The first 300 characters that `simulate` prints on a terminal before it is stopped; "" if there are no terminals.
std::string shown_of(const std::string& scenario) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return "";
  EXPECT_EQ(::grantpt(terminal), 0);
  EXPECT_EQ(::unlockpt(terminal), 0);
  const Folder folder;
  write(folder / "e.toml", scenario);
  Running running(folder, {"simulate", "e.toml"}, {.output = "", .errors = ::ptsname(terminal)});
  std::string shown;
  while (shown.size() < 300) {
    char buffer[256];
    const auto count = ::read(terminal, buffer, sizeof buffer);
    EXPECT_GT(count, 0);
    if (count <= 0) break;
    shown.append(buffer, static_cast<std::size_t>(count));
  }
  running.send(SIGINT);
  EXPECT_EQ(running.wait().code, 130);
  ::close(terminal);
  return shown;
}

TEST(ProgramProgress, OneLineOnATerminal) {
  const std::string shown = shown_of(endless_run);
  if (shown.empty()) GTEST_SKIP() << "this machine has no terminals to give";
  EXPECT_THAT(shown, HasSubstr("\r\033[Kstepping   0.0 % · "));
  for (const char* part : {" steps/s · ", " interactions/s · ", "ΔE/|E₀| ", " left"})
    EXPECT_THAT(shown, HasSubstr(part));
  EXPECT_THAT(shown, Not(HasSubstr("\n")));
}

/// The second member is a third of the work, and the first one takes almost no time.
TEST(ProgramProgress, OneLineForASweep) {
  const std::string shown = shown_of(
      endless_run + "[sweep]\ncombine = \"zip\"\nintegrator.steps = [7, 1e11, 2e11]\ntitle = [\"a\", \"b\", \"" +
      std::string(60, 'c') + "\"]\n");
  if (shown.empty()) GTEST_SKIP() << "this machine has no terminals to give";
  EXPECT_THAT(shown, HasSubstr("\r\033[Ksweep 2 of 3 · integrator.steps=100000000000.0, title=\"b\"   0.0 % · "));
  EXPECT_THAT(shown, HasSubstr(" left"));
  for (const char* part : {"stepping", " steps/s", "\n"}) EXPECT_THAT(shown, Not(HasSubstr(part)));
}

TEST(ProgramProgress, PlainLinesWithoutATerminalSlow) {
  const Folder folder;
  write(folder / "e.toml", endless_run);
  Running running(folder, {"simulate", "e.toml"});
  ASSERT_TRUE(wait_until([&] { return !read(folder / ".errors").empty(); }));
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 143);
  EXPECT_THAT(outcome.errors, ::testing::StartsWith("stepping   0.0 % · "));
  EXPECT_THAT(outcome.errors, Not(HasSubstr("\033")));
  EXPECT_THAT(outcome.errors, Not(HasSubstr("\r")));
  EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 2);  // and the one that says where it stopped
}

TEST(ProgramProgress, QuietPrintsNothing) {
  const Folder folder;
  write(folder / "e.toml", endless_run);
  Running running(folder, {"simulate", "e.toml", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder / "e/run.h5"); }));
  running.send(SIGKILL);
  EXPECT_EQ(running.wait().errors, "");
}

}  // namespace
}  // namespace orrery::pipeline::testing
