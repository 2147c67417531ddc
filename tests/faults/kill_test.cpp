// SPDX-License-Identifier: MIT
// kill −9 before and inside write calls: during a run, at its end, when a file is created, and when it is resumed.
#include <random>

#include "tests/faults/scene.hpp"
#include "tests/faults/synthetic_runs.hpp"

namespace orrery::pipeline::testing {
namespace {

class Kills : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
};

void expect_survival(const std::string& what, const SyntheticRun& run, std::int64_t begun, std::size_t step,
                     int resume_every) {
  const Scene scene(run, begun);
  expect_no_loss("kill before a call: " + what, scene.kills("kill", step, resume_every));
  expect_no_loss("kill inside one, at a page's end: " + what,
                 scene.kills("page", step > 1 ? step / 2 : 1, resume_every));
}

TEST_F(Kills, ASampleOfCalls) {
  expect_survival("small frames (sample)", kSmall, 0, 101, 1);
  expect_survival("small frames, resumed (sample)", kSmall, 47, 41, 1);
  expect_survival("rows of 128 frames (sample)", kRows, 0, 67, 1);
  expect_survival("rows of 128 frames, resumed (sample)", kRows, 150, 31, 1);
  expect_survival("rows of 4 frames, own schedule (sample)", kSchedule, 0, 83, 1);
  expect_survival("float32, no velocities (sample)", kSingle, 0, 149, 1);
  expect_survival("periodic box (sample)", kBox, 0, 131, 1);
}

// The end of a run, when the file is not open in SWMR mode, and its beginning.
TEST_F(Kills, EveryCallOfTheEndAndTheBeginning) {
  const Scene scene({.bodies = 5, .frames = 6, .columns = 1, .commit_every = 6});
  expect_no_loss("kill before a call: made, one commit, finished", scene.kills("kill", 7));
  expect_no_loss("kill inside one, at a page's end: the same", scene.kills("page", 2));
}

// A partially filled row that is moved back into a slot, and a view that is removed.
TEST_F(Kills, ResumedAfterTheLastFrame) {
  SyntheticRun run = kRows;
  run.frames = 150;
  const Scene scene(run, 150);
  expect_no_loss("kill before a call: only the last word lacking", scene.kills("kill", 3));
  expect_no_loss("kill inside one, at a page's end: the same", scene.kills("page", 3));
}

// A kill cannot tear a block of metadata; if something did, the file must be refused and not misread.
TEST_F(Kills, TornMetadataIsRefused) {
  const Scene scene(kRows);
  FaultCounts counts = scene.kills("tear", 41);
  for (const auto& reason : counts.reasons)
    EXPECT_NE(reason.find("incorrect metadata checksum"), std::string::npos) << reason;
  EXPECT_EQ(counts.unequal, 0);
}

TEST_F(Kills, SecondWriterIsRefused) {
  const Folder folder;
  TrajectoryWriter writer(folder / "run.h5", kSmall.initial_bodies(), kSmall.record(), {});
  writer.commit(kSmall.at(0));
  const End end =
      in_child(folder / "other", {}, [&](const Report&) { const TrajectoryWriter second(folder / "run.h5", {}); });
  EXPECT_NE(end.complaint.find("another orrery is writing it"), std::string::npos) << end.complaint;
}

FaultCounts random_kills(const SyntheticRun& run, std::int64_t begun, int kills, std::uint64_t seed) {
  const Scene scene(run, begun);
  std::mt19937_64 random(seed);
  FaultCounts counts;
  for (int k = 0; k < kills; ++k) scene.kill_after(static_cast<std::int64_t>(random() % 60000), counts);
  return counts;
}

TEST_F(Kills, RepeatedKills) {
  expect_no_loss("killed and taken up again (sample)", Scene(kRows).repeated_kills(1, 1));
}
TEST_F(Kills, RepeatedKillsSlow) {
  expect_no_loss("killed and taken up again: 6 bodies", Scene(kSmall).repeated_kills(20, 2));
  expect_no_loss("killed and taken up again: rows of 128 frames", Scene(kRows).repeated_kills(20, 3));
  expect_no_loss("killed and taken up again: own schedule", Scene(kSchedule).repeated_kills(20, 4));
}

TEST_F(Kills, AtRandomMoments) {
  expect_no_loss("kill at a random moment (sample)", random_kills(kRows, 0, 10, 1));
}
TEST_F(Kills, AtRandomMomentsSlow) {
  expect_no_loss("kill at a random moment: 6 bodies", random_kills(kSmall, 0, 75, 2));
  expect_no_loss("kill at a random moment: rows of 128 frames", random_kills(kRows, 0, 75, 3));
  expect_no_loss("kill at a random moment: 100000 bodies", random_kills(kLarge, 0, 75, 4));
  expect_no_loss("kill at a random moment: resumed", random_kills(kRows, 150, 75, 5));
}

TEST_F(Kills, EveryCallSmallFramesSlow) {
  expect_survival("6 bodies", kSmall, 0, 1, 1);
}
TEST_F(Kills, EveryCallSmallFramesResumedSlow) {
  expect_survival("6 bodies, resumed", kSmall, 47, 1, 1);
}
TEST_F(Kills, EveryCallRowsSlow) {
  expect_survival("rows of 128 frames", kRows, 0, 1, 1);
}
TEST_F(Kills, EveryCallRowsResumedSlow) {
  expect_survival("rows of 128 frames, resumed", kRows, 150, 1, 1);
}
TEST_F(Kills, EveryCallScheduleSlow) {
  expect_survival("rows of 4 frames, own schedule", kSchedule, 0, 1, 1);
}
TEST_F(Kills, EveryCallSingleSlow) {
  expect_survival("float32, no velocities", kSingle, 0, 1, 1);
}
TEST_F(Kills, EveryCallLargeSlow) {
  expect_survival("100000 bodies", kLarge, 0, 1, 4);
}
TEST_F(Kills, EveryCallLargeResumedSlow) {
  expect_survival("100000 bodies, resumed", kLarge, 7, 1, 4);
}

}  // namespace
}  // namespace orrery::pipeline::testing
