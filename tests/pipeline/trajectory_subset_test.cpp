// SPDX-License-Identifier: MIT
// Frames with a subset of the bodies; a run is resumed from all of them.
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

const std::vector<std::int64_t> some{0, 3, 4, 129, 256};

SyntheticRun synthetic_run(bool single, bool velocities) {
  return {.bodies = 257,
          .frames = 300,
          .columns = 2,
          .rows_a_frame = 2,
          .commit_every = 7,
          .options = {.single_precision = single, .velocities = velocities, .bodies = some}};
}

TEST(TrajectorySubset, FramesHaveTheSubsetAndStatesAllBodies) {
  for (const bool single : {false, true}) {
    for (const bool velocities : {false, true}) {
      const Folder folder;
      const SyntheticRun run = synthetic_run(single, velocities);
      run.write(folder / "run.h5");
      const auto checksums = stored_checksums(folder / "run.h5");
      const TrajectoryReader reader(folder / "run.h5");
      ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
      EXPECT_EQ(reader.size(), 300U);
      EXPECT_EQ(reader.whole(), 257U);
      EXPECT_EQ(reader.ids(), some);
      EXPECT_EQ(reader.options().bodies, some);
      EXPECT_EQ(reader.frame(7).size(), some.size());
      const sim::Snapshot last = run.at(run.last_step());
      EXPECT_TRUE(reader.restart()->position == last.position);
      EXPECT_TRUE(reader.restart()->velocity == last.velocity);
      EXPECT_TRUE(reader.restart()->columns == last.columns);
      for (const std::size_t i : {0U, 17U, 299U}) {
        const sim::Snapshot told = run.at(static_cast<std::int64_t>(i) * run.rows_a_frame);
        EXPECT_EQ(checksums.at(i), frame_checksum(told, run.options));
        EXPECT_NE(checksums.at(i), frame_checksum(told, {.single_precision = single, .velocities = velocities}));
      }
      const sim::Bodies made = run.initial_bodies(), &stored = reader.bodies();
      ASSERT_EQ(stored.size(), some.size());
      for (std::size_t k = 0; k < some.size(); ++k) {
        const auto i = static_cast<std::size_t>(some[k]);
        EXPECT_EQ(stored.mass[k], made.mass[i]);
        EXPECT_EQ(stored.species[k], made.species[i]);
        EXPECT_EQ(stored.names[k], made.names[i]);
      }
    }
  }
}

TEST(TrajectorySubset, AllBodiesAreNumbered) {
  const Folder folder;
  SyntheticRun{.bodies = 3}.write(folder / "run.h5");
  const TrajectoryReader reader(folder / "run.h5");
  EXPECT_EQ(reader.whole(), 3U);
  EXPECT_EQ(reader.ids(), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_TRUE(reader.options().bodies.empty());
}

TEST(TrajectorySubset, ResumesToTheSameFile) {
  for (const std::int64_t steps : {8, 70, 255, 300, 598}) {
    const Folder folder;
    const SyntheticRun run = synthetic_run(true, false);
    run.write(folder / "calm.h5");
    const auto path = folder / "run.h5";
    {
      TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
      run.write(writer, 0, steps - 1);
    }
    ASSERT_NO_FATAL_FAILURE(run.go_on(path));
    ASSERT_NO_FATAL_FAILURE(expect_same_content(path, folder / "calm.h5"));
  }
}

TEST(TrajectorySubset, UnknownBodiesAreRefused) {
  const Folder folder;
  const SyntheticRun run{};
  for (const std::vector<std::int64_t>& wrong : {std::vector<std::int64_t>{0, 3}, {1, 0}, {1, 1}, {-1}}) {
    EXPECT_EQ(complaint([&] {
                const TrajectoryWriter none(folder / "n.h5", run.initial_bodies(), run.record(), {.bodies = wrong});
              }),
              (folder / "n.h5").string() + ": bodies to keep: ascending numbers");
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
