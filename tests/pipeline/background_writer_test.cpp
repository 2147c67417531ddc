// SPDX-License-Identifier: MIT
// What is handed to a thread is written in order, committed when it is due, and its failures are told.
#include "pipeline/background_writer.hpp"

#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

// 3 are written at once, 5000 by the thread.
class Background : public ::testing::TestWithParam<std::size_t> {
 protected:
  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};
INSTANTIATE_TEST_SUITE_P(Bodies, Background, ::testing::Values(3, 5000));

TEST_P(Background, KeepsEverythingInOrder) {
  const Tale tale{.bodies = GetParam(), .frames = 30};
  {
    TrajectoryWriter file(path_, tale.cast(), tale.record(), tale.options);
    BackgroundWriter writer(file, -1);
    for (std::int64_t step = 0; step < tale.last_step(); ++step) writer.keep(tale.at(step), true);
    EXPECT_LE(writer.safe(), tale.last_step() - 1);
    writer.keep(tale.at(tale.last_step()), true);
    writer.wait();
    file.finish(tale.at(tale.last_step()));
  }
  const TrajectoryReader reader(path_);
  ASSERT_EQ(reader.size(), tale.frames);
  ASSERT_NO_FATAL_FAILURE(expect_frames(tale, reader));
}

TEST_P(Background, CommitsAllThatWaits) {
  const Tale tale{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, tale.cast(), tale.record(), tale.options);
  BackgroundWriter writer(file, -1);
  for (std::int64_t step = 0; step < 7; ++step) writer.keep(tale.at(step), true);
  writer.commit(tale.at(7));
  EXPECT_EQ(writer.safe(), 7);
  const TrajectoryReader reader(path_);  // as it is at this moment
  EXPECT_EQ(reader.size(), 7U);
  EXPECT_EQ(reader.restart()->step, 7);
}

TEST_P(Background, CommitsBySelfWhereThatIsAlwaysDue) {
  Tale tale{.bodies = GetParam(), .frames = 9};
  tale.options.commit = 0;
  TrajectoryWriter file(path_, tale.cast(), tale.record(), tale.options);
  BackgroundWriter writer(file, -1);
  for (std::int64_t step = 0; step < 5; ++step) writer.keep(tale.at(step), true);
  writer.wait();
  EXPECT_EQ(writer.safe(), 4);
  EXPECT_EQ(TrajectoryReader(path_).size(), 5U);
}

TEST_P(Background, TellsWhatTheWriterThrew) {
  const Tale tale{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, tale.cast(), tale.record(), tale.options);
  BackgroundWriter writer(file, -1);
  writer.keep(tale.at(4), true);
  const std::string said = complaint([&] {
    writer.keep(tale.at(4), true);  // steps must increase
    writer.wait();
  });
  EXPECT_NE(said.find("run.h5"), std::string::npos) << said;
  writer.keep(tale.at(5), true);
  writer.commit(tale.at(6));
  EXPECT_EQ(TrajectoryReader(path_).steps().back(), 5);
}

/// What waits is written even where nobody waits for it.
TEST_P(Background, EndsWithItsWorkDone) {
  const Tale tale{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, tale.cast(), tale.record(), tale.options);
  {
    BackgroundWriter writer(file, -1);
    for (std::int64_t step = 0; step < 4; ++step) writer.keep(tale.at(step), true);
  }
  file.commit(tale.at(4));
  EXPECT_EQ(TrajectoryReader(path_).size(), 4U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
