// SPDX-License-Identifier: MIT
// A disk that is full, over quota, broken or slow: one line, a file intact up to its last commit, and a way to resume.
#include <cerrno>

#include "tests/faults/scene.hpp"

namespace orrery::pipeline::testing {
namespace {

class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
  static SyntheticRun run() { return {.bodies = 257, .frames = 200, .columns = 1, .commit_every = 9}; }
  static SyntheticRun large() { return {.bodies = 100000, .frames = 6, .commit_every = 2}; }
};

// Fails at every `step`-th call, for `times` calls (0: all later calls).
FaultCounts failures(const Scene& scene, int error, long times, std::size_t step, const std::string& calls = "") {
  FaultCounts counts;
  const std::size_t count = scene.calls().size();
  for (std::size_t k = step / 2; k < count; k += step) {
    scene.run_with_fault(
        {.what = "fail", .at = static_cast<long>(k) + 1, .times = times, .calls = calls, .error = error}, true, counts);
  }
  return counts;
}

TEST_F(FullDisk, PermanentFailure) {
  expect_no_loss("ENOSPC from a call on", failures(Scene(run()), ENOSPC, 0, 151));
  expect_no_loss("ENOSPC from a call on: resumed", failures(Scene(run(), 120), ENOSPC, 0, 83));
}

TEST_F(FullDisk, AnyCallOfAFewCommits) {
  const Scene scene({.bodies = 5, .frames = 6, .columns = 1, .commit_every = 2});
  expect_no_loss("ENOSPC from a call on, a few commits", failures(scene, ENOSPC, 0, 7));
}

TEST_F(FullDisk, TemporaryFailure) {
  expect_no_loss("EIO once", failures(Scene(run()), EIO, 1, 139));
}

TEST_F(FullDisk, EveryCallSlow) {
  const Scene scene(run()), resumed(run(), 120), heavy(large());
  for (const auto& [name, error] : {std::pair{"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EIO", EIO}}) {
    const std::string what = name;
    expect_no_loss(what + " from every 4th call on", failures(scene, error, 0, 4));
    expect_no_loss(what + " from every 4th call on, resumed", failures(resumed, error, 0, 4));
    expect_no_loss(what + " once, at every 4th call", failures(scene, error, 1, 4));
    expect_no_loss(what + " three times, at every 4th call", failures(scene, error, 3, 4));
    expect_no_loss(what + " from every 16th call on, 100000 bodies", failures(heavy, error, 0, 16));
  }
}

TEST_F(FullDisk, ASyncThatFails) {
  SyntheticRun synced = run();
  synced.options.sync = 0;
  const Scene scene(synced);
  FaultCounts counts;
  for (const long at : {1L, 2L, 9L, 23L, 24L})
    scene.run_with_fault({.what = "fail", .at = at, .calls = "sync", .error = EIO}, true, counts);
  EXPECT_EQ(counts.faults, 5);
  expect_no_loss("fdatasync fails with EIO", counts);
}

// Harmless faults: the run completes.
TEST_F(FullDisk, ShortAndSlowWrites) {
  const Scene scene(run());
  FaultCounts counts;
  scene.run_with_fault({.what = "short", .at = 1}, true, counts);
  scene.run_with_fault({.what = "short", .at = 200, .seed = 3}, true, counts);
  scene.run_with_fault({.what = "sleep", .at = 100, .times = 100}, true, counts);
  scene.run_with_fault({.what = "fail", .at = 100, .times = 5, .error = EINTR}, true, counts);
  EXPECT_EQ(counts.faults, 0);
  counts.faults = 4;
  expect_no_loss("short counts, EINTR, slowness", counts);
}

}  // namespace
}  // namespace orrery::pipeline::testing
