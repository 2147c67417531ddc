// SPDX-License-Identifier: MIT
// kill −9 before and inside the calls that write: while a run goes on, comes to its end, is made, or is taken up again.
#include <random>

#include "tests/faults/scene.hpp"

namespace orrery::pipeline::testing {
namespace {

// Every shape of chunk rows: thousands of frames, 128 frames, some frames, less than one.
const Tale kSmall{.bodies = 6, .frames = 60, .columns = 1, .commit_every = 2};
const Tale kRows{.bodies = 257, .frames = 300, .columns = 1, .rows_a_frame = 1, .commit_every = 37};
const Tale kSchedule{.bodies = 9000, .frames = 14, .rows_a_frame = 3, .commit_every = 5};
const Tale kLarge{.bodies = 100000, .frames = 12, .commit_every = 2};
const Tale kSingle{.bodies = 3000,
                   .frames = 70,
                   .columns = 2,
                   .commit_every = 3,
                   .options = {.single_precision = true, .velocities = false}};

class Kills : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
};

void expect_survival(const std::string& what, const Tale& tale, std::int64_t begun, std::size_t step,
                     int resume_every) {
  const Scene scene(tale, begun);
  expect_no_loss("kill before a call: " + what, scene.kills("kill", step, resume_every));
  expect_no_loss("kill inside one, at a page's end: " + what, scene.kills("page", step > 1 ? 3 : 1, resume_every));
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
