// SPDX-License-Identifier: MIT
// Following a run that another process is computing: its status, info --watch, render --follow.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

const std::string endless =
    "[initial]\nkind = \"random-cube\"\n[force]\nsoftening = 0.1\n[integrator]\ndt = 1e-6\nsteps = 1e9\n"
    "[trajectory]\ncommit = 0.1\nframes = 1000001\n[[figure]]\nkind = \"energy-error\"\nfile = \"e.svg\"\n"
    "[[figure]]\nkind = \"projection\"\nfile = \"p.png\"\nsize = [320, 240]\ndpi = 100\n";

TEST(RunStatus, EqualsTheReader) {
  for (const std::size_t bodies : {1, 257}) {
    const Folder folder;
    const auto path = folder / "run.h5";
    const SyntheticRun synthetic{.bodies = bodies, .frames = 300, .rows_a_frame = 2, .commit_every = 37};
    const auto expect_seen = [&](std::int64_t step, bool finished) {
      const TrajectoryReader reader(path);
      const RunStatus seen = run_status(path);
      const auto history = reader.history();
      EXPECT_EQ(seen.finished, finished);
      EXPECT_EQ(seen.frames, reader.size());
      EXPECT_EQ(seen.step, step);
      EXPECT_EQ(seen.steps, synthetic.last_step());
      EXPECT_EQ(seen.seconds, reader.seconds());
      if (history.time.empty()) return;
      EXPECT_EQ(seen.energy_error,
                (history.total_energy.back() - history.total_energy.front()) / std::abs(history.total_energy.front()));
    };
    TrajectoryWriter writer(path, synthetic.initial_bodies(), synthetic.record(), {});
    expect_seen(0, false);
    synthetic.write(writer, 0, synthetic.last_step() - 1, [&](std::int64_t step) { expect_seen(step, false); });
    writer.append(synthetic.at(synthetic.last_step()), true);
    writer.finish(synthetic.at(synthetic.last_step()));
    expect_seen(synthetic.last_step(), true);
  }
}

class Watch : public ::testing::Test {
 protected:
  Watch() { write(folder_ / "e.toml", endless); }
  bool said(const std::string& file, const std::string& words) const {
    return wait_until([&] { return read(folder_ / file).find(words) != std::string::npos; });
  }
  Folder folder_;
  const Streams aside_{.output = folder_ / "seen", .errors = folder_ / "complaints"};
};

TEST_F(Watch, WaitsForTheEndOfTheRun) {
  Running watching(folder_, {"info", "run.h5", "--watch"}, aside_);
  ASSERT_TRUE(said("seen", "waiting for run.h5\n"));
  const SyntheticRun synthetic{.bodies = 2, .frames = 41};
  synthetic.write(folder_ / "run.h5");
  const Outcome outcome = watching.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(last_line(outcome.output), MatchesRegex("run.h5: finished, 40 steps, 41 frames, ΔE/.E₀. = [-+].*"));
  EXPECT_EQ(run(folder_, {"info", "run.h5", "--watch"}).output, last_line(outcome.output) + "\n");
  EXPECT_EQ(run(folder_, {"info", "run.h5", "--watch", "--json"}).code, 2);
}

TEST_F(Watch, ReportsProgressAndADeadWriter) {
  Running running(folder_, {"simulate", "e.toml", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder_ / "e/run.h5"); }));
  {
    Running stopped(folder_, {"info", "e/run.h5", "--watch"}, aside_);
    ASSERT_TRUE(said("seen", " frames"));
    stopped.send(SIGINT);
    EXPECT_EQ(stopped.wait().code, 130);
  }
  std::filesystem::remove(folder_ / "seen");
  Running watching(folder_, {"info", "e/run.h5", "--watch"}, aside_);
  ASSERT_TRUE(said("seen", " frames"));
  running.send(SIGKILL);
  EXPECT_EQ(running.wait().code, 137);
  const Outcome outcome = watching.wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, AllOf(StartsWith("run.h5   "), HasSubstr(" % · step "), HasSubstr(" of 1000000000 · "),
                                    HasSubstr(" · ΔE/|E₀| "), Not(HasSubstr("\033"))));
  EXPECT_THAT(outcome.errors, MatchesRegex("orrery: e/run.h5: its writer is gone at step [0-9]+ of 1000000000; "
                                           "`orrery resume e/run.h5` goes on\n"));
}

TEST_F(Watch, RedrawsALineOnATerminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "this machine has no terminals to give";
  ASSERT_EQ(::grantpt(terminal), 0);
  ASSERT_EQ(::unlockpt(terminal), 0);
  Running running(folder_, {"simulate", "e.toml", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder_ / "e/run.h5"); }));
  Running watching(folder_, {"info", "e/run.h5", "--watch"}, {.output = ::ptsname(terminal), .errors = ""});
  std::string shown;
  while (shown.size() < 300) {
    char buffer[256];
    const auto count = ::read(terminal, buffer, sizeof buffer);
    ASSERT_GT(count, 0);
    shown.append(buffer, static_cast<std::size_t>(count));
  }
  watching.send(SIGTERM);
  EXPECT_EQ(watching.wait().code, 143);
  ::close(terminal);
  EXPECT_THAT(shown, AllOf(StartsWith("\r\033[Krun.h5   "), HasSubstr(" % · step "), HasSubstr(" steps/s · "),
                           HasSubstr(" left\r"), Not(HasSubstr("\n"))));
}

class Follow : public Watch {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  }
};

TEST_F(Follow, FiguresAreRedrawnAtomically) {
  Running following(folder_, {"render", "e/run.h5", "--follow", "-o", "pictures"}, aside_);
  ASSERT_TRUE(said("complaints", "orrery: waiting for e/run.h5\n"));
  Running running(folder_, {"simulate", "e.toml", "--quiet"});
  std::string first;
  const bool changed = wait_until([&] {
    const std::string now = read(folder_ / "pictures/p.png");
    if (now.empty()) return false;
    EXPECT_EQ(now.substr(now.size() - 8, 4), "IEND");  // a reader never sees half of it
    if (first.empty()) first = now;
    return now != first;
  });
  EXPECT_TRUE(changed);
  EXPECT_THAT(read(folder_ / "pictures/e.svg"), HasSubstr("</svg>"));
  running.send(SIGKILL);
  EXPECT_EQ(running.wait().code, 137);
  const Outcome outcome = following.wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("\norrery: e/run.h5: its writer is gone at step "));
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "pictures"))
    EXPECT_THAT(entry.path().filename(), ::testing::AnyOf("p.png", "e.svg"));
}

TEST_F(Follow, EndOfTheRunDrawsAllPictures) {
  write(folder_ / "s.toml",
        "[initial]\nkind = \"two-body\"\n[integrator]\ndt = \"1/100 period\"\ntime = \"1 period\"\n"
        "[trajectory]\nframes = 3\n[[figure]]\nkind = \"energy-error\"\nfile = \"e.png\"\n"
        "[[film]]\nkind = \"projection\"\nfile = \"f.gif\"\nduration = 0.2\nsize = [160, 120]\n");
  Running following(folder_, {"render", "s/run.h5", "--follow"}, aside_);
  ASSERT_TRUE(said("complaints", "orrery: waiting for s/run.h5\n"));
  EXPECT_EQ(run(folder_, {"run", "s.toml", "--quiet"}).code, 0);  // draws there too
  const Outcome outcome = following.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "s/e.png\ns/f.gif\n");
  EXPECT_THAT(read(folder_ / "s/f.gif"), StartsWith("GIF89a"));
}

TEST(Info, MultilineTextsAreAligned) {
  const Folder folder;
  write(folder / "s.toml", "[initial]\nkind = \"two-body\"\n[integrator]\ndt = 0.1\nsteps = 9\n");
  ASSERT_EQ(run(folder, {"simulate", "s.toml", "--set", "integrator.steps=3", "--set", "seed=5"}).code, 0);
  const std::string text = run(folder, {"info", "s/run.h5"}).output;
  EXPECT_THAT(text, ::testing::ContainsRegex("\noverrides  +integrator.steps=3\n {12} *seed=5\nprecision  "));
  const Outcome missing = run(folder, {"info", "none.h5"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.errors, "orrery: none.h5: no such file\n");
}

}  // namespace
}  // namespace orrery::pipeline::testing
