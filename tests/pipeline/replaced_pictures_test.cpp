// SPDX-License-Identifier: MIT
// Pictures in a folder from another source or of a replaced run; and waiting for a turn to draw there.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "pipeline/pictures/picture_file.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string their_drawing = "somebody's drawing";
const std::string figures =
    sound +
    "[[figure]]\nkind = \"projection\"\nfile = \"p.svg\"\n[[figure]]\nkind = \"energy-error\"\nfile = \"e.pdf\"\n";
const std::string frames =
    "[[film]]\nkind = \"energy-error\"\nfile = \"f-##.png\"\nsize = [64, 64]\nfps = 5\nduration = 1\n";

std::string refused_words(const std::string& file) {
  return "orrery: " + file + ": exists and was not written by orrery; --force replaces it, -o DIR writes elsewhere\n";
}

class ReplacedPictures : public ::testing::Test {
 protected:
  ReplacedPictures() { write(folder_ / "s.toml", figures); }
  [[nodiscard]] Outcome orrery(const std::vector<std::string>& arguments) const { return run(folder_, arguments); }
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_ / ("s/" + name); }
  void plant(const std::string& name) const {
    fs::create_directories(folder_ / "s");
    write(file(name), their_drawing);
  }
  Folder folder_;
};

TEST_F(ReplacedPictures, ForeignPictureStopsARunBeforeItStarts) {
  for (const std::string name : {"p.svg", "e.pdf"}) {
    plant(name);
    const Outcome refused = orrery({"run", "s.toml"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.errors, refused_words("s/" + name));
    EXPECT_EQ(read(file(name)), their_drawing);
    EXPECT_FALSE(fs::exists(file("run.h5")));
    fs::remove(file(name));
  }
  plant("p.svg");
  EXPECT_EQ(orrery({"simulate", "s.toml"}).code, 0) << "which draws none";
  EXPECT_EQ(orrery({"run", "s.toml"}).code, 2) << "nor is it replaced beside a run that is finished";
  EXPECT_EQ(read(file("p.svg")), their_drawing);
  EXPECT_EQ(orrery({"run", "s.toml", "--force"}).code, 0);
  EXPECT_TRUE(render::drawn_by_orrery(file("p.svg")));
  EXPECT_EQ(orrery({"run", "s.toml"}).code, 0) << "its own are replaced";
}

TEST_F(ReplacedPictures, ForeignPictureStopsRenderAndResume) {
  ASSERT_EQ(orrery({"run", "s.toml", "--quiet"}).code, 0);
  plant("e.pdf");
  const std::string drawn = read(file("p.svg"));
  fs::remove(file("p.svg"));
  const Outcome refused = orrery({"render", "s/run.h5"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors, refused_words("s/e.pdf"));
  EXPECT_FALSE(fs::exists(file("p.svg"))) << "nothing is drawn before";
  fs::remove(file("summary.json"));
  EXPECT_EQ(orrery({"resume", "s/run.h5"}).code, 2);
  EXPECT_EQ(read(file("e.pdf")), their_drawing);
  EXPECT_EQ(orrery({"render", "s/run.h5", "--force"}).code, 0);
  EXPECT_EQ(read(file("p.svg")), drawn);
  EXPECT_TRUE(render::drawn_by_orrery(file("e.pdf")));
  write(folder_ / "x.svg", their_drawing);
  const std::vector<std::string> one{"render", "s/run.h5", "--figure", "phase", "-o", "x.svg"};
  EXPECT_EQ(orrery(one).errors, refused_words("x.svg"));
  EXPECT_EQ(read(folder_ / "x.svg"), their_drawing);
  fs::remove(folder_ / "x.svg");
  EXPECT_EQ(orrery(one).code, 0);
  EXPECT_EQ(orrery(one).code, 0) << "its own is replaced";
}

TEST_F(ReplacedPictures, ForeignFrameStopsASequence) {
  write(folder_ / "s.toml", sound + frames);
  plant("f-03.png");
  const Outcome refused = orrery({"run", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors, refused_words("s/f-03.png"));
  EXPECT_FALSE(fs::exists(file("run.h5")));
  fs::rename(file("f-03.png"), file("f-07.png"));  // behind the last one
  ASSERT_EQ(orrery({"run", "s.toml", "--quiet"}).code, 0);
  EXPECT_EQ(read(file("f-07.png")), their_drawing);
  EXPECT_EQ(orrery({"run", "s.toml", "--set", "film[0].duration=0.6", "--quiet"}).code, 0);
  EXPECT_FALSE(fs::exists(file("f-04.png")));
  EXPECT_EQ(read(file("f-07.png")), their_drawing);
}

TEST_F(ReplacedPictures, ForeignPictureOfOneMemberStopsASweep) {
  write(folder_ / "s.toml", figures + "[sweep]\nseed = [1, 2]\n");
  plant("../p.svg");
  fs::create_directories(folder_ / "s/001");
  fs::rename(folder_ / "p.svg", folder_ / "s/001/p.svg");
  const Outcome refused = orrery({"run", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("s/001/p.svg: exists and was not written by orrery"));
  EXPECT_FALSE(fs::exists(folder_ / "s/000"));
  EXPECT_EQ(orrery({"run", "s.toml", "--force", "--quiet"}).code, 0);
  EXPECT_EQ(orrery({"run", "s.toml", "--quiet"}).code, 0);
}

/// A file created during the run is detected when the picture gets its name.
TEST_F(ReplacedPictures, PicturesThatAppearDuringTheRunAreKept) {
  Running running(folder_, {"run", "s.toml", "--set", "integrator.steps=3e6"});
  ASSERT_TRUE(wait_until([&] { return being_written(file("run.h5")); }));
  plant("p.svg");
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("s/p.svg: exists and was not written by orrery"));
  EXPECT_EQ(read(file("p.svg")), their_drawing);
  EXPECT_TRUE(TrajectoryReader(file("run.h5")).finished()) << "the run itself is there";
}

/// Pictures of a replaced run are named, since they may be the last record of that run.
TEST_F(ReplacedPictures, ThoseOfAReplacedRunAreNamed) {
  ASSERT_EQ(orrery({"run", "s.toml", "--quiet"}).code, 0);
  ASSERT_EQ(orrery({"render", "s/run.h5", "--figure", "phase", "-o", "s/phase.svg", "--quiet"}).code, 0);
  ASSERT_EQ(orrery({"render", "s/run.h5", "--figure", "separation", "-o", "s/apart.pdf", "--quiet"}).code, 0);
  plant("theirs.svg");
  const std::string before = read(file("phase.svg"));
  const std::string line = "orrery: s/run.h5: apart.pdf, phase.svg show the run that was replaced\n";
  EXPECT_EQ(besides_energy(orrery({"run", "s.toml", "--quiet", "--force"}).errors), "")
      << "the same bits again: nothing is stale";
  EXPECT_EQ(besides_energy(orrery({"run", "s.toml", "--quiet", "--force", "--set", "integrator.dt=0.2"}).errors), line);
  EXPECT_EQ(read(file("phase.svg")), before);
  EXPECT_EQ(read(file("theirs.svg")), their_drawing);
  EXPECT_EQ(besides_energy(orrery({"run", "s.toml", "--quiet", "--force"}).errors), "")
      << "they show a run before the one replaced";
  EXPECT_THAT(orrery({"simulate", "s.toml", "--quiet", "--force", "--set", "integrator.dt=0.3"}).errors,
              AllOf(HasSubstr("e.pdf"), HasSubstr("p.svg"), HasSubstr("phase.svg")))
      << "of the same run as the first, and none is drawn again";
}

/// A process that draws in a folder holds a lock.
class WaitingForATurn : public ReplacedPictures {
 protected:
  void SetUp() override {
    ASSERT_EQ(orrery({"simulate", "s.toml", "--quiet"}).code, 0);
    lock_ = ::open(file("").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(::flock(lock_, LOCK_EX), 0);
  }
  ~WaitingForATurn() override { ::close(lock_); }
  /// Waits until the program in `running` reports that it is waiting.
  [[nodiscard]] bool waits() const {
    return wait_until([&] { return read(folder_ / "said") == "orrery: waiting for another orrery that draws in s\n"; });
  }
  const Streams aside_{.output = "", .errors = folder_ / "said"};
  int lock_ = -1;
};

TEST_F(WaitingForATurn, IsReportedOnce) {
  Running running(folder_, {"render", "s/run.h5", "--quiet"}, aside_);
  ASSERT_TRUE(waits());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(fs::exists(file("p.svg")));
  ::flock(lock_, LOCK_UN);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.errors, "orrery: waiting for another orrery that draws in s\n");
  EXPECT_TRUE(fs::exists(file("p.svg")));
}

TEST_F(WaitingForATurn, SignalEndsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const char* command : {"render", "resume"}) {
      fs::remove(folder_ / "said");
      fs::remove(file("summary.json"));  // or resume would find nothing left to draw
      Running running(folder_, {command, "s/run.h5", "--quiet"}, aside_);
      ASSERT_TRUE(waits());
      const double share = share_of_a_core();
      running.send(signal);
      const auto since = std::chrono::steady_clock::now();
      EXPECT_EQ(running.wait().code, 128 + signal) << command;
      EXPECT_LT(share * std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count(), 2);
      EXPECT_FALSE(fs::exists(file("p.svg")));
      EXPECT_FALSE(fs::exists(file("summary.json")));
    }
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
