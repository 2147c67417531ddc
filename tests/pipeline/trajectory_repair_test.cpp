// SPDX-License-Identifier: MIT
// Repair: files of killed writers become ordinary ones that can be resumed; damage is named and left out of a copy.
#include "pipeline/trajectory/trajectory_repair.hpp"

#include <gmock/gmock.h>

#include "pipeline/trajectory/trajectory_copy.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The length of the first axis, read through plain HDF5.
std::size_t length_of(const std::filesystem::path& path, const std::string& dataset) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(file, 0);
  const hid_t id = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), space = H5Dget_space(id);
  hsize_t extents[3] = {};
  H5Sget_simple_extent_dims(space, extents, nullptr);
  H5Sclose(space);
  H5Dclose(id);
  H5Fclose(file);
  return extents[0];
}

std::size_t stored_bodies_of(const SyntheticRun& run) {
  return run.options.bodies.empty() ? run.bodies : run.options.bodies.size();
}

/// The file of a writer that is killed after some steps and their commit.
void leave(const std::filesystem::path& path, const SyntheticRun& run, std::int64_t steps) {
  const std::filesystem::path live = path.string() + ".live.h5";
  TrajectoryWriter writer(live, run.initial_bodies(), run.record(), run.options);
  run.write(writer, 0, steps - 1);
  writer.commit(run.at(steps - 1));
  std::filesystem::copy_file(live, path);
}

class Repair : public ::testing::TestWithParam<SyntheticRun> {
 protected:
  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5", whole_ = folder_ / "whole.h5";
};

TEST_P(Repair, FileOfAKilledWriterIsRepaired) {
  const SyntheticRun run = GetParam();
  run.write(whole_);
  const std::int64_t steps = run.last_step() / 2 + 1;
  leave(path_, run, steps);
  const auto frames = static_cast<std::size_t>((steps - 1) / run.rows_a_frame + 1);

  const RepairSummary repaired = repair(path_);
  EXPECT_TRUE(repaired.changed);
  EXPECT_FALSE(repaired.finished);
  EXPECT_EQ(repaired.frames, frames);
  EXPECT_EQ(repaired.rows, static_cast<std::size_t>(steps));
  EXPECT_EQ(repaired.step, steps - 1);
  EXPECT_THAT(find_damage(path_), IsEmpty());
  for (const char* dataset : {"position/step", "position/time", "position/value", "checksum", "stamp"})
    EXPECT_EQ(length_of(path_, std::string("/particles/all/") + dataset), frames) << dataset;
  EXPECT_EQ(length_of(path_, "/observables/total_energy/value"), static_cast<std::size_t>(steps));
  EXPECT_EQ(length_of(path_, "/VTKHDF/Points"), frames * stored_bodies_of(run));
  {
    const TrajectoryReader reader(path_);
    ASSERT_EQ(reader.size(), frames);
    if (run.options.bodies.empty()) expect_frames(run, reader);
  }
  EXPECT_FALSE(repair(path_).changed);

  run.go_on(path_);
  expect_same_content(path_, whole_);
  EXPECT_EQ(length_of(path_, "/VTKHDF/Points"), run.frames * stored_bodies_of(run));
  const RepairSummary again = repair(path_);
  EXPECT_FALSE(again.changed);
  EXPECT_TRUE(again.finished);
}

/// Resumed and killed again after a repair, whose view is then outdated.
TEST_P(Repair, RepeatedRepair) {
  const SyntheticRun run = GetParam();
  run.write(whole_);
  std::int64_t at = run.last_step() / 4 + 1;
  leave(path_, run, at);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(repair(path_).changed);
    ASSERT_EQ(TrajectoryReader(path_).restart()->step, at - 1);
    const std::int64_t next = std::min(at + run.last_step() / 5 + 1, run.last_step());
    {
      TrajectoryWriter writer(path_, run.options);
      run.write(writer, at, next - 1);
      writer.commit(run.at(next - 1));
      std::filesystem::copy_file(path_, folder_ / "killed.h5", std::filesystem::copy_options::overwrite_existing);
    }
    std::filesystem::copy_file(folder_ / "killed.h5", path_, std::filesystem::copy_options::overwrite_existing);
    at = next;
  }
  EXPECT_TRUE(repair(path_).changed);
  run.go_on(path_);
  expect_same_content(path_, whole_);
}

TEST_P(Repair, CopyOfAnIntactFileIsTheSame) {
  const SyntheticRun run = GetParam();
  run.write(whole_);
  const CopySummary all = salvage(whole_, folder_ / "copy.h5");
  EXPECT_EQ(all.frames, run.frames);
  EXPECT_EQ(all.rows, static_cast<std::size_t>(run.last_step() + 1));
  EXPECT_TRUE(all.state);
  expect_same_content(folder_ / "copy.h5", whole_);
  EXPECT_TRUE(TrajectoryReader(folder_ / "copy.h5").finished());

  const std::int64_t steps = run.last_step() / 2 + 1;
  leave(path_, run, steps);
  EXPECT_TRUE(salvage(path_, folder_ / "half.h5").state);
  EXPECT_TRUE(repair(path_).changed) << "the file itself was left alone";
  run.go_on(folder_ / "half.h5");
  expect_same_content(folder_ / "half.h5", whole_);
}

INSTANTIATE_TEST_SUITE_P(
    SyntheticRuns, Repair,
    ::testing::Values(SyntheticRun{.bodies = 1, .frames = 40, .columns = 1, .commit_every = 3},
                      SyntheticRun{.bodies = 2, .frames = 4100, .commit_every = 400},
                      SyntheticRun{.bodies = 257, .frames = 300, .columns = 2, .rows_a_frame = 2, .commit_every = 37},
                      SyntheticRun{.bodies = 257, .frames = 30, .options = {.bodies = {0, 3, 200, 256}}},
                      SyntheticRun{
                          .bodies = 70000, .frames = 5, .options = {.single_precision = true, .velocities = false}}));

TEST(RepairOf, InterruptedFiles) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.frames = 20};
  {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
    EXPECT_EQ(complaint([&] { (void)repair(path); }),
              path.string() + ": another orrery is writing it: wait for it, or stop it");
    run.write(writer, 0, 7);
    writer.commit(run.at(7));
  }
  EXPECT_EQ(repair(path).frames, 8U);
  EXPECT_EQ(length_of(path, "/particles/all/position/value"), 8U);
}

TEST(RepairOf, FilesWithoutFrames) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{};
  {
    const TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
    std::filesystem::copy_file(path, folder / "killed.h5");
  }
  const RepairSummary repaired = repair(folder / "killed.h5");
  EXPECT_TRUE(repaired.changed);
  EXPECT_EQ(repaired.frames, 0U);
  EXPECT_FALSE(repaired.step);
  EXPECT_THAT(find_damage(folder / "killed.h5"), IsEmpty());
}

TEST(RepairOf, FilesThatAreNoTrajectories) {
  const Folder folder;
  EXPECT_EQ(complaint([&] { (void)repair(folder / "nix.h5"); }), (folder / "nix.h5").string() + ": no such file");
  const hid_t other = H5Fcreate((folder / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(other);
  EXPECT_THAT(complaint([&] { (void)repair(folder / "other.h5"); }), HasSubstr("not a trajectory of orrery"));
}

TEST(RepairOf, DamageIsNamedAndOmitted) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.bodies = 257, .frames = 200};  // chunk rows of 128 frames
  run.write(path);
  const std::size_t frame = 257 * 3 * 8;
  const std::string all = "/particles/all/";
  for (const std::size_t i : {130, 131, 132, 150}) {
    const std::size_t at = place_of(path, all + "position/value", 128, (i - 128) * frame + 17);
    flip(path, at);
  }
  flip(path, place_of(path, all + "position/time", 0, 7 * 8));
  flip(path, place_of(path, "/observables/total_energy/value", 0, 60 * 8));
  flip(path, place_of(path, "/observables/momentum/value", 0, 61 * 24));
  EXPECT_FALSE(repair(path).changed) << "damage is another matter";
  EXPECT_THAT(
      find_damage(path),
      ElementsAre("frame 7: its step, time or checksum is damaged", "frames 130 to 132: it does not match its checksum",
                  "frame 150: it does not match its checksum", "rows 60 to 61: it does not match its checksum"));
  const CopySummary copy = salvage(path, folder / "copy.h5");
  EXPECT_EQ(copy.frames, 195U);
  EXPECT_EQ(copy.all_frames, 200U);
  EXPECT_EQ(copy.rows, 198U);
  EXPECT_THAT(find_damage(folder / "copy.h5"), IsEmpty());
  EXPECT_EQ(length_of(folder / "copy.h5", "/VTKHDF/Points"), 195U * 257U);
  const TrajectoryReader reader(folder / "copy.h5");
  EXPECT_TRUE(reader.finished());
  ASSERT_EQ(reader.size(), 195U);
  for (std::size_t i = 0; i < reader.size(); ++i) {
    ASSERT_TRUE(reader.snapshot(i).velocity == run.at(reader.steps()[i]).velocity) << i;
  }
  EXPECT_EQ(reader.steps()[7], 8);
  EXPECT_EQ(reader.history().time.size(), 198U);
  EXPECT_THAT(complaint([&] { (void)salvage(path, folder / "copy.h5"); }), HasSubstr("copy.h5: it exists already"));
}

TEST(RepairOf, TextsAndBodiesThatAreDamaged) {
  const Folder folder;
  const auto path = folder / "run.h5";
  SyntheticRun{.bodies = 33, .frames = 4}.write(path);
  flip(path, place_of(path, "/particles/all/species", 0, 9));
  EXPECT_THAT(find_damage(path), ElementsAre("/particles/all/species does not match its checksum"));
  flip(path, place_of(path, "/parameters/resolved", 0, 2));
  EXPECT_THAT(find_damage(path), ElementsAre("/particles/all/species does not match its checksum",
                                             "/parameters/resolved does not match its checksum"));
}

TEST(RepairOf, MissingRecord) {
  const Folder folder;
  const auto path = folder / "run.h5";
  SyntheticRun{.frames = 20}.write(path);
  flip(path, place_of(path, "/parameters/scenario", 0, 5));
  const std::string why = "/parameters/scenario does not match its checksum";
  EXPECT_THAT(find_damage(path), ElementsAre(why));
  EXPECT_EQ(complaint([&] { (void)salvage(path, folder / "copy.h5"); }), path.string() + ": " + why);
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.h5"));
}

TEST(RepairOf, MissingStates) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.bodies = 33, .frames = 20, .commit_every = 5};
  leave(path, run, 15);
  EXPECT_TRUE(repair(path).step);
  for (const char* slot : {"a", "b", "c"}) {
    const auto names = objects(path, "/restart");
    const std::string dataset = std::string("/restart/") + slot + "/velocity";
    if (std::ranges::find(names, dataset) != names.end()) flip(path, place_of(path, dataset, 0, 100));
  }
  EXPECT_THAT(find_damage(path), ElementsAre("there is no state to resume from: every copy of it is damaged"));
  const CopySummary copy = salvage(path, folder / "copy.h5");
  EXPECT_FALSE(copy.state);
  EXPECT_EQ(copy.frames, 15U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
