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

TEST_F(Kills, ASampleWhileItIsTold) {
  expect_no_loss("kill before a call: small frames (sample)", Scene(kSmall).kills("kill", 29));
  expect_no_loss("kill inside a call: small frames (sample)", Scene(kSmall).kills("tear", 31));
}
TEST_F(Kills, EveryCallSmallFramesSlow) {
  expect_no_loss("kill inside every call: 6 bodies", Scene(kSmall).kills("tear", 1));
  expect_no_loss("kill before every call: 6 bodies", Scene(kSmall).kills("kill", 1));
}

}  // namespace
}  // namespace orrery::pipeline::testing
