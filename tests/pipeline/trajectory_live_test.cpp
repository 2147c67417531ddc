// SPDX-License-Identifier: MIT
// A file that is being written: concurrent readers, a second writer, and writers that are killed.
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, kill
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>

#include "pipeline/trajectory/opening.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// Reports of a child process to its parent.
struct Shared {
  std::atomic<std::int64_t> committed{-1};  // the last step that is
  std::atomic<bool> stop{false};
};

class Board {
 public:
  Board()
      : shared_(new (::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                    Shared) {}
  ~Board() {
    shared_->stop = true;  // no child outlives its test
    ::munmap(shared_, sizeof(Shared));
  }
  Shared* operator->() const { return shared_; }

 private:
  Shared* shared_;
};

pid_t in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");  // kill(-1) would signal every process
  if (child > 0) return child;
  try {
    work();
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

void pause_for(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

/// A writer that resumes a run changes groups, and a reader may find half of that.
TEST(TrajectoryLive, WhatCannotBeReadDuringACommitIsReadAgain) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.bodies = 3, .frames = 7, .commit_every = 2};
  {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
    run.write(writer, 0, 6);
  }
  constexpr std::size_t in_root_group = 60;
  flip(path, in_root_group);
  EXPECT_NE(complaint([&] { TrajectoryReader reader(path); }).find("checksum"), std::string::npos);
  const trajectory::Lock lock(path);
  std::thread writer([&] {
    pause_for(50'000);
    flip(path, in_root_group);
  });
  EXPECT_EQ(complaint([&] { TrajectoryReader reader(path); }), "");
  writer.join();
}

TEST(TrajectoryLive, ReaderInTheProcessOfTheWriter) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.bodies = 257, .frames = 300, .commit_every = 10};
  TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
  EXPECT_EQ(TrajectoryReader(path).size(), 0u);
  EXPECT_FALSE(TrajectoryReader(path).restart());
  run.write(writer, 0, 299, [&](std::int64_t step) {
    const TrajectoryReader reader(path);
    EXPECT_FALSE(reader.finished());
    ASSERT_EQ(reader.size(), static_cast<std::size_t>(step + 1));
    ASSERT_EQ(reader.restart()->step, step);
    ASSERT_EQ(reader.history().time.size(), static_cast<std::size_t>(step + 1));
    if (step % 100 != 39) return;
    ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
  });
}

/// The file was opened as one without a writer; the library keeps that mode for it in this process.
TEST(TrajectoryLive, ReaderOpenedBeforeTheWriter) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.bodies = 3, .frames = 40, .commit_every = 5};
  {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
    run.write(writer, 0, 19);
  }
  int start[2], ready[2];
  ASSERT_EQ(::pipe(start), 0);
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  char byte = 0;
  if (child == 0) {
    (void)!::read(start[0], &byte, 1);
    TrajectoryWriter writer(path, TrajectoryOptions{});
    run.write(writer, 20, 29);
    (void)!::write(ready[1], &byte, 1);
    (void)!::read(start[0], &byte, 1);
    ::_exit(0);
  }
  {
    const TrajectoryReader reader(path);
    (void)!::write(start[1], &byte, 1);
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(reader.size(), 20u);
    EXPECT_GE(reader.restart().value().step, 19);
    EXPECT_GE(TrajectoryReader(path).size(), 20u);
  }
  (void)!::write(start[1], &byte, 1);
  ::waitpid(child, nullptr, 0);
}

TEST(TrajectoryLive, ReaderInAnotherProcess) {
  const Folder folder;
  const Board board;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.bodies = 257, .frames = 1000000, .columns = 1, .commit_every = 10};
  const pid_t child = in_child([&] {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
    for (std::int64_t step = 0; !board->stop; step += 10) {
      run.write(writer, step, step + 9, [&](std::int64_t told) { board->committed = told; });
      pause_for(100000);  // commits ten times as often as a run does
    }
  });
  while (board->committed < 0) pause_for(1000);
  for (int look = 0; look < 20; ++look) {
    const std::int64_t before = board->committed;
    const TrajectoryReader reader(path);
    EXPECT_GE(reader.size(), static_cast<std::size_t>(before + 1));
    EXPECT_TRUE(reader.restart());
    EXPECT_GE(reader.history().time.size(), reader.size());
    for (std::size_t i = reader.size() > 150 ? reader.size() - 150 : 0; i < reader.size(); ++i) {
      ASSERT_TRUE(reader.snapshot(i).position == run.at(static_cast<std::int64_t>(i)).position) << i;
    }
    pause_for(5000);
  }
  EXPECT_NE(complaint([&] { const TrajectoryWriter second(path, {}); }).find("another orrery is writing it"),
            std::string::npos);
  board->stop = true;
  EXPECT_EQ(status_of(child), 0);
}

TEST(TrajectoryLive, OneWriterAtATime) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{};
  {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
    EXPECT_EQ(writer.warning(), "");
    writer.append(run.at(0), true);
    writer.commit(run.at(0));
    EXPECT_EQ(complaint([&] { const TrajectoryWriter second(path, {}); }),
              path.string() + ": another orrery is writing it: wait for it, or stop it");
    EXPECT_EQ(complaint([&] { remove_trajectory(path); }),
              path.string() + ": another orrery is writing it: wait for it, or stop it");
    try {
      remove_trajectory(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::request);
    }
    writer.append(run.at(1), true);
    writer.commit(run.at(1));
  }
  EXPECT_EQ(complaint([&] { const TrajectoryWriter second(path, {}); }), "");
  remove_trajectory(path);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(complaint([&] { remove_trajectory(path); }), "");
}

// After a kill at any moment everything committed is in the file, and the resumed run gives the same
// file as an uninterrupted one. The kill comes a given time after a given number of commits.
void expect_survival(const SyntheticRun& run, const std::filesystem::path& calm, int commits, int microseconds) {
  const Folder folder;
  const Board board;
  const auto path = folder / "run.h5";
  const pid_t child = in_child([&] {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
    run.write(writer, 0, run.last_step(), [&](std::int64_t step) { board->committed = step; });
    writer.finish(run.at(run.last_step()));
  });
  for (int patience = 0; board->committed + 1 < commits * run.commit_every && patience < 200000; ++patience) {
    pause_for(50);
  }
  pause_for(microseconds);
  ::kill(child, SIGKILL);
  status_of(child);
  ASSERT_GE(board->committed + 1, commits * run.commit_every);
  bool finished = false;
  {
    const TrajectoryReader reader(path);
    const auto frames = static_cast<std::size_t>(board->committed / run.rows_a_frame + 1);
    ASSERT_GE(reader.size(), frames);
    ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
    ASSERT_TRUE(reader.restart());
    ASSERT_GE(reader.restart()->step, board->committed);
    finished = reader.finished();
  }
  if (!finished) run.go_on(path);
  ASSERT_NO_FATAL_FAILURE(expect_same_content(path, calm));
}

TEST(TrajectoryLive, KilledAtSeveralMoments) {
  const char* many = std::getenv("ORRERY_KILLS");
  const int kills = many == nullptr ? 6 : std::atoi(many);
  // chunk rows of 128 frames; of 4096 frames, and a schedule of their own; of one frame
  const SyntheticRun middle{.bodies = 257, .frames = 400, .columns = 1, .commit_every = 3};
  const SyntheticRun small{.bodies = 2, .frames = 9000, .rows_a_frame = 2, .commit_every = 501};
  const SyntheticRun large{.bodies = 50000, .frames = 12, .commit_every = 2};
  const Folder calm;
  middle.write(calm / "middle.h5");
  small.write(calm / "small.h5");
  large.write(calm / "large.h5");
  for (int k = 0; k < kills; ++k) {
    const int delay = (k * 7919) % 997;
    SCOPED_TRACE(::testing::Message() << "kill " << k);
    ASSERT_NO_FATAL_FAILURE(expect_survival(middle, calm / "middle.h5", 1 + 132 * k / kills, delay));
    ASSERT_NO_FATAL_FAILURE(expect_survival(small, calm / "small.h5", 1 + 35 * k / kills, delay));
    ASSERT_NO_FATAL_FAILURE(expect_survival(large, calm / "large.h5", 1 + 6 * k / kills, 10 * delay));
  }
}

// Repeated kills in the short moments without SWMR mode: rewinding to the newest state, and the end.
TEST(TrajectoryLive, KilledWhileResumingOrFinishing) {
  const char* many = std::getenv("ORRERY_KILLS");
  const int kills = many == nullptr ? 40 : 10 * std::atoi(many);
  const Folder folder;
  const SyntheticRun run{.bodies = 257, .frames = 140, .columns = 1, .commit_every = 9};
  run.write(folder / "calm.h5");
  {
    TrajectoryWriter writer(folder / "begun.h5", run.initial_bodies(), run.record(), {});
    run.write(writer, 0, 131);
  }
  const auto path = folder / "run.h5";
  for (int k = 0; k < kills; ++k) {
    SCOPED_TRACE(::testing::Message() << "kill " << k);
    if (k % 5 == 0)
      std::filesystem::copy_file(folder / "begun.h5", path, std::filesystem::copy_options::overwrite_existing);
    const pid_t child = in_child([&] { run.go_on(path); });
    pause_for(10000 * k / kills + (k * 7919) % 997);
    ::kill(child, SIGKILL);
    status_of(child);
    const TrajectoryReader reader(path);
    ASSERT_GE(reader.size(), 126u);
    ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
    ASSERT_TRUE(reader.restart());
    if (reader.finished())
      std::filesystem::copy_file(folder / "begun.h5", path, std::filesystem::copy_options::overwrite_existing);
  }
  ASSERT_NO_FATAL_FAILURE(run.go_on(path));
  expect_same_content(path, folder / "calm.h5");
}

TEST(TrajectoryLive, KilledWhileCreated) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{};
  for (int delay = 0; delay < 6000; delay += 200) {
    const pid_t child = in_child([&] {
      const TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
      ::_exit(0);
    });
    pause_for(delay);
    ::kill(child, SIGKILL);
    status_of(child);
    if (std::filesystem::exists(path)) {
      EXPECT_EQ(TrajectoryReader(path).size(), 0u);
      std::filesystem::remove(path);
    }
  }
  run.write(path);
  EXPECT_EQ(TrajectoryReader(path).size(), run.frames);
}

}  // namespace
}  // namespace orrery::pipeline::testing
