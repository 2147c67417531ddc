// SPDX-License-Identifier: MIT
// Resuming a file from its newest state, or the one before, gives the same end.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

// The sequence numbers of slots a, b and c, the first number of their headers.
std::array<std::uint64_t, 3> sequences(const std::filesystem::path& path, const std::string& group) {
  std::array<std::uint64_t, 3> result{};
  const hid_t file = open_plain(path);
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(std::uint64_t));
  H5Tinsert(type, "sequence", 0, H5T_NATIVE_UINT64);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = group + "/" + static_cast<char>('a' + k) + "/header";
    const hid_t header = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    H5Dread(header, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &result[k]);
    H5Dclose(header);
  }
  H5Tclose(type);
  H5Fclose(file);
  return result;
}

// "/restart/b/" of the newest slot.
std::string newest_slot(const std::filesystem::path& path, const std::string& group) {
  const auto numbers = sequences(path, group);
  const auto newest = std::max_element(numbers.begin(), numbers.end()) - numbers.begin();
  return group + "/" + static_cast<char>('a' + newest) + "/";
}

// A file closed after `steps` of the run, with a commit at the last step and others before.
void interrupted(const SyntheticRun& run, const std::filesystem::path& path, std::int64_t steps) {
  TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
  run.write(writer, 0, steps - 1);
}

TEST(TrajectoryResume, SlotsAlternateAndKeepSyncedData) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.frames = 100};
  for (const double sync : {0.0, 1e9}) {
    const auto commits = [&](TrajectoryWriter& writer, std::int64_t from, std::uint64_t first, std::uint64_t safe) {
      for (std::uint64_t k = first; k < first + 6; ++k) {
        const auto now = run.at(from++);
        writer.append(now, true);
        writer.commit(now);
        for (const char* group : {"/restart", "/tail"}) {
          const auto numbers = sequences(path, group);
          EXPECT_THAT(numbers, ::testing::Contains(k));
          EXPECT_THAT(numbers, ::testing::Contains(k - 1));
          EXPECT_THAT(numbers, ::testing::Contains(sync == 0 ? k - std::min<std::uint64_t>(k, 2) : safe)) << k;
        }
        EXPECT_EQ(TrajectoryReader(path).restart()->step, now.step);
      }
    };
    std::filesystem::remove(path);
    {
      TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {.sync = sync});
      commits(writer, 0, 1, 0);
    }
    TrajectoryWriter writer(path, {.sync = sync});
    commits(writer, 6, 7, 6);
  }
}

TEST(TrajectoryResume, PowerLossKeepsSyncedData) {
  // everything after the last fdatasync is lost: the slots, and the data of chunk rows already in the index
  const Folder folder;
  const auto path = folder / "run.h5", calm = folder / "calm.h5";
  const SyntheticRun run{.bodies = 600, .frames = 300, .commit_every = 5};  // 64 frames a chunk row
  run.write(calm);
  for (const std::int64_t steps : {40, 63, 64, 65, 100, 128, 200}) {
    std::filesystem::remove(path);
    {
      TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {.commit = 1, .sync = 1e9});
      run.write(writer, 0, 39);
    }
    TrajectoryWriter writer(path, {.commit = 1, .sync = 1e9});  // which syncs, at step 39
    run.write(writer, 40, steps - 1);
    const auto restart = sequences(path, "/restart"), tail = sequences(path, "/tail");
    { const TrajectoryWriter closing(std::move(writer)); }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string slot(1, static_cast<char>('a' + k));
      if (restart[k] > 8) flip(path, place_of(path, "/restart/" + slot + "/position", 0, 77));
      if (tail[k] > 8) flip(path, place_of(path, "/tail/" + slot + "/position", 0, 77));
    }
    if (steps >= 64) flip(path, place_of(path, "/particles/all/position/value", 0, 77));
    ASSERT_EQ(TrajectoryReader(path).restart()->step, 39) << steps;
    ASSERT_NO_FATAL_FAILURE(run.go_on(path)) << steps;
    ASSERT_NO_FATAL_FAILURE(expect_same_content(path, calm)) << steps;
  }
}

TEST(TrajectoryResume, ResumesToTheSameFile) {
  for (const SyntheticRun& run : {SyntheticRun{.bodies = 257, .frames = 300, .columns = 3, .commit_every = 20},
                                  SyntheticRun{.bodies = 1, .frames = 9000, .commit_every = 1000},
                                  SyntheticRun{.bodies = 30, .frames = 2000, .rows_a_frame = 3, .commit_every = 7},
                                  SyntheticRun{.bodies = 70000, .frames = 9, .columns = 1, .commit_every = 2}}) {
    const Folder folder;
    run.write(folder / "calm.h5");
    const auto rows = static_cast<std::int64_t>(run.last_step() + 1);
    for (const std::int64_t steps : {rows / 9 + 2, rows / 2, rows - 1, rows}) {
      if (steps < run.commit_every) continue;
      SCOPED_TRACE(::testing::Message() << run.bodies << " bodies, interrupted after " << steps);
      const auto path = folder / ("run" + std::to_string(steps) + ".h5");
      interrupted(run, path, steps);
      const auto state = TrajectoryReader(path).restart();
      ASSERT_TRUE(state);
      EXPECT_EQ(state->step, steps / run.commit_every * run.commit_every - 1);
      EXPECT_TRUE(state->columns == run.at(state->step).columns);
      ASSERT_NO_FATAL_FAILURE(run.go_on(path));
      ASSERT_NO_FATAL_FAILURE(expect_same_content(path, folder / "calm.h5"));
      const TrajectoryReader reader(path);
      EXPECT_TRUE(reader.finished());
      ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
    }
  }
}

TEST(TrajectoryResume, ManyInterruptions) {
  const Folder folder;
  const SyntheticRun run{.bodies = 257, .frames = 300, .columns = 1, .commit_every = 5};
  run.write(folder / "calm.h5");
  const auto path = folder / "run.h5";
  interrupted(run, path, 13);
  for (std::int64_t to = 40; to < 290; to += 23) {
    const auto state = TrajectoryReader(path).restart();
    TrajectoryWriter writer(path, {});
    run.write(writer, state->step + 1, to);
  }
  run.go_on(path);
  expect_same_content(path, folder / "calm.h5");
}

TEST(TrajectoryResume, OnlyFinishedMarkMissing) {
  // killed between the last frame and the mark that the run is finished
  for (const std::size_t frames : {1u, 127u, 128u, 129u}) {
    const Folder folder;
    const auto path = folder / "run.h5";
    const SyntheticRun run{.bodies = 257, .frames = frames, .columns = 1, .commit_every = 10};
    run.write(path);
    run.write(folder / "calm.h5");
    const std::array<std::uint64_t, 2> not_yet{0, ~std::uint64_t{0}};
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(place_of(path, "/parameters/finished", 0, 0)));
    file.write(reinterpret_cast<const char*>(not_yet.data()), sizeof not_yet);
    file.close();
    EXPECT_FALSE(TrajectoryReader(path).finished());
    EXPECT_EQ(TrajectoryReader(path).size(), frames);
    { const TrajectoryWriter back_to_the_last_row(path, {}); }
    ASSERT_NO_FATAL_FAILURE(expect_frames(run, TrajectoryReader(path)));
    EXPECT_EQ(TrajectoryReader(path).size(), frames);
    ASSERT_NO_FATAL_FAILURE(run.go_on(path));
    EXPECT_TRUE(TrajectoryReader(path).finished());
    ASSERT_NO_FATAL_FAILURE(expect_same_content(path, folder / "calm.h5"));
  }
}

TEST(TrajectoryResume, DamagedStateFallsBackToThePreviousOne) {
  // 128 frames a chunk row: the state before is in the same row, in the row before, and exactly at its end
  for (const std::int64_t steps : {60, 130, 128, 138, 256}) {
    const Folder folder;
    const auto path = folder / "run.h5", begun = folder / "begun.h5";
    const SyntheticRun run{
        .bodies = 257, .frames = 300, .columns = 1, .commit_every = steps == 128 || steps == 256 ? 32 : 10};
    run.write(folder / "calm.h5");
    interrupted(run, begun, steps);
    for (const char* part : {"header", "position", "velocity", "column_0"}) {
      std::filesystem::copy_file(begun, path, std::filesystem::copy_options::overwrite_existing);
      const auto newest = TrajectoryReader(path).restart();
      ASSERT_TRUE(newest);
      flip(path, place_of(path, newest_slot(path, "/restart") + part, 0, 12));
      const auto state = TrajectoryReader(path).restart();
      ASSERT_TRUE(state);
      EXPECT_EQ(state->step, newest->step - run.commit_every);
      EXPECT_TRUE(state->position == run.at(state->step).position);
      ASSERT_NO_FATAL_FAILURE(run.go_on(path));
      ASSERT_NO_FATAL_FAILURE(expect_same_content(path, folder / "calm.h5"));
    }
  }
}

TEST(TrajectoryResume, DamagedTailFallsBackToThePreviousOne) {
  const Folder folder;
  const auto path = folder / "run.h5", begun = folder / "begun.h5";
  const SyntheticRun run{.bodies = 257, .frames = 300, .commit_every = 10};
  run.write(folder / "calm.h5");
  interrupted(run, begun, 160);
  for (const char* part : {"header", "step", "time", "checksum", "stamp", "position", "velocity"}) {
    std::filesystem::copy_file(begun, path, std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(TrajectoryReader(path).size(), 160u);
    flip(path, place_of(path, newest_slot(path, "/tail") + part, 0, 9));
    {
      const TrajectoryReader reader(path);
      EXPECT_EQ(reader.size(), 150u);
      ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
      EXPECT_EQ(reader.restart()->step, 149);
    }
    ASSERT_NO_FATAL_FAILURE(run.go_on(path));
    ASSERT_NO_FATAL_FAILURE(expect_same_content(path, folder / "calm.h5"));
  }
}

TEST(TrajectoryResume, FilesThatCannotBeResumedAreRefused) {
  const Folder folder;
  const SyntheticRun run{};
  run.write(folder / "finished.h5");
  EXPECT_EQ(complaint([&] { const TrajectoryWriter writer(folder / "finished.h5", {}); }),
            (folder / "finished.h5").string() + ": the run is finished: nothing is left to resume");
  { const TrajectoryWriter writer(folder / "begun.h5", run.initial_bodies(), run.record(), {}); }
  EXPECT_EQ(complaint([&] { const TrajectoryWriter writer(folder / "begun.h5", {}); }),
            (folder / "begun.h5").string() + ": it has no state to resume from");
  EXPECT_EQ(complaint([&] { const TrajectoryWriter writer(folder / "none.h5", {}); }),
            (folder / "none.h5").string() + ": no such file");
  EXPECT_FALSE(std::filesystem::exists(folder / "none.h5"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
