// SPDX-License-Identifier: MIT
// Snapshots given to the writer thread are written in order and committed when due; failures are reported.
#include "pipeline/run/background_writer.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

BackgroundWriter::SharedSnapshot moment(sim::Snapshot snapshot) {
  return std::make_shared<sim::Snapshot>(std::move(snapshot));
}

// 3 snapshots are handed over together, 5000 almost one by one.
class Background : public ::testing::TestWithParam<std::size_t> {
 protected:
  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};
INSTANTIATE_TEST_SUITE_P(Bodies, Background, ::testing::Values(3, 5000));

TEST_P(Background, WritesInOrder) {
  const SyntheticRun run{.bodies = GetParam(), .frames = 30};
  {
    TrajectoryWriter file(path_, run.initial_bodies(), run.record(), run.options);
    BackgroundWriter writer(file, -1);
    for (std::int64_t step = 0; step < run.last_step(); ++step) writer.append(moment(run.at(step)), true);
    EXPECT_LE(writer.committed_step(), run.last_step() - 1);
    writer.append(moment(run.at(run.last_step())), true);
    writer.flush();
    file.finish(run.at(run.last_step()));
  }
  const TrajectoryReader reader(path_);
  ASSERT_EQ(reader.size(), run.frames);
  ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
}

TEST_P(Background, CommitWritesAllQueuedFrames) {
  const SyntheticRun run{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, run.initial_bodies(), run.record(), run.options);
  BackgroundWriter writer(file, -1);
  for (std::int64_t step = 0; step < 7; ++step) writer.append(moment(run.at(step)), true);
  writer.commit(moment(run.at(7)));
  writer.flush();
  EXPECT_EQ(writer.committed_step(), 7);
  const TrajectoryReader reader(path_);  // as it is at this moment
  EXPECT_EQ(reader.size(), 7U);
  EXPECT_EQ(reader.restart()->step, 7);
}

TEST_P(Background, CommitsEveryFrameIfIntervalIsZero) {
  SyntheticRun run{.bodies = GetParam(), .frames = 9};
  run.options.commit = 0;
  TrajectoryWriter file(path_, run.initial_bodies(), run.record(), run.options);
  BackgroundWriter writer(file, -1);
  for (std::int64_t step = 0; step < 5; ++step) writer.append(moment(run.at(step)), true);
  writer.flush();
  EXPECT_EQ(writer.committed_step(), 4);
  EXPECT_EQ(TrajectoryReader(path_).size(), 5U);
}

TEST_P(Background, RethrowsErrorsOfTheWriter) {
  const SyntheticRun run{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, run.initial_bodies(), run.record(), run.options);
  BackgroundWriter writer(file, -1);
  writer.append(moment(run.at(4)), true);
  const std::string said = complaint([&] {
    writer.append(moment(run.at(4)), true);  // steps must increase
    writer.flush();
  });
  EXPECT_NE(said.find("run.h5"), std::string::npos) << said;
}

/// Nothing is written after a failure, since later data would hide the gap.
TEST_P(Background, WritesNothingAfterAFailure) {
  const SyntheticRun run{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, run.initial_bodies(), run.record(), run.options);
  {
    BackgroundWriter writer(file, -1);
    writer.append(moment(run.at(4)), true);
    writer.commit(moment(run.at(4)));
    writer.flush();
    const auto fail = [&] {
      writer.append(moment(run.at(4)), true);  // steps must increase
      writer.flush();
    };
    const std::string said = complaint(fail);
    EXPECT_EQ(complaint([&] { writer.commit(moment(run.at(6))); }), said);
    EXPECT_EQ(complaint([&] { writer.flush(); }), said);
    EXPECT_EQ(writer.committed_step(), 4);
    complaint([&] { writer.append(moment(run.at(6)), true); });
  }
  file.commit(run.at(7));
  EXPECT_EQ(TrajectoryReader(path_).steps(), (std::vector<std::int64_t>{4}));
}

/// Queued snapshots are written even if nothing waits for them.
TEST_P(Background, DestructorWritesQueuedFrames) {
  const SyntheticRun run{.bodies = GetParam(), .frames = 9};
  TrajectoryWriter file(path_, run.initial_bodies(), run.record(), run.options);
  {
    BackgroundWriter writer(file, -1);
    for (std::int64_t step = 0; step < 4; ++step) writer.append(moment(run.at(step)), true);
  }
  file.commit(run.at(4));
  EXPECT_EQ(TrajectoryReader(path_).size(), 4U);
}

/// A disk that blocks until released, and then records what is written.
class Stuck {
 public:
  BackgroundWriter::Sink sink() {
    return {.append = [this](const sim::Snapshot& s, bool) { take(s.step); },
            .commit = [this](const sim::Snapshot& s) { take(-s.step); },
            .commit_due = [] { return false; }};
  }
  void go_on() {
    stuck_ = false;
    stuck_.notify_all();
  }
  [[nodiscard]] std::vector<std::int64_t> taken() const {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

 private:
  void take(std::int64_t step) {
    stuck_.wait(true);
    const std::lock_guard lock(mutex_);
    taken_.push_back(step);
  }
  std::atomic<bool> stuck_ = true;
  mutable std::mutex mutex_;  ///< of taken_, which tests also read while the thread writes
  std::vector<std::int64_t> taken_;
};

TEST(BackgroundWriter, DoesNotBlockOnSlowDisk) {
  Stuck disk;
  std::vector<std::int64_t> wanted;
  {
    BackgroundWriter writer(disk.sink(), -1);
    for (std::int64_t step = 1; step <= 30; step += 3) {  // also commits without a frame are left to the thread
      writer.append(moment(SyntheticRun{}.at(step)), true);
      writer.append(moment(SyntheticRun{}.at(step + 1)), false);
      writer.commit(moment(SyntheticRun{}.at(step + 2)));
      EXPECT_FALSE(writer.commit_due());
      wanted.insert(wanted.end(), {step, step + 1, -(step + 2)});
    }
    EXPECT_EQ(writer.committed_step(), -1);
    disk.go_on();
    writer.flush();
    EXPECT_EQ(writer.committed_step(), 30);
  }
  EXPECT_EQ(disk.taken(), wanted);
}

/// The number of equal snapshots, all kept, that are queued before the caller has to wait for the disk.
std::int64_t room_for(std::size_t bodies) {
  Stuck disk;
  const auto snapshot = moment(SyntheticRun{.bodies = bodies}.at(1));
  std::atomic<std::int64_t> given = 0;
  BackgroundWriter writer(disk.sink(), -1);
  std::int64_t room = 0;
  {
    const std::jthread stepping([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        writer.append(snapshot, true);
        ++given;
      }
    });
    for (std::int64_t before = -1; before != room;) {  // until nothing moves
      before = room;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      room = given;
    }
    disk.go_on();
  }
  writer.flush();
  EXPECT_EQ(static_cast<std::int64_t>(disk.taken().size()), given);
  return room;
}

TEST(BackgroundWriter, MemoryIsBounded) {
  EXPECT_EQ(room_for(1'000'000), 4);
  const double few = static_cast<double>(room_for(6)) * (sizeof(sim::Snapshot) + 6 * (6 * 8 + 16));
  EXPECT_GT(few, 60e6);
  EXPECT_LT(few, 68e6);
}

TEST(BackgroundWriter, PartialBatchIsWrittenWithoutDelay) {
  Stuck disk;
  disk.go_on();
  BackgroundWriter writer(disk.sink(), -1);
  writer.append(moment(SyntheticRun{}.at(1)), true);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_FALSE(writer.commit_due());
  EXPECT_TRUE(wait_until([&] { return !disk.taken().empty(); }));
}

}  // namespace
}  // namespace orrery::pipeline::testing
