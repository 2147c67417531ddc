// SPDX-License-Identifier: MIT
// Images of bodies in a periodic box: stored like positions, and only for such a box.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "pipeline/trajectory/trajectory_copy.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"
#include "sim/boundaries/list.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

const sim::Domain plane{
    .dimensions = 2, .boundary = {&sim::Periodic::kind, &sim::Periodic::kind, &sim::Open::kind}, .edges = {1, 2, 0}};
const sim::Domain tube{.boundary = {&sim::Reflecting::kind, &sim::Open::kind, &sim::Periodic::kind},
                       .low = {-1, 0, 0},
                       .edges = {1, 0, 3}};
const sim::Domain cube{.boundary = {&sim::Periodic::kind, &sim::Periodic::kind, &sim::Periodic::kind},
                       .edges = {1, 1, 1}};

class TrajectoryImage : public ::testing::Test {
 protected:
  /// A file closed after the given number of steps, with commits on the way.
  void interrupt(const SyntheticRun& run, std::int64_t steps) const {
    std::filesystem::remove(path_);
    TrajectoryWriter writer(path_, run.initial_bodies(), run.record(), run.options);
    run.write(writer, 0, steps - 1);
  }
  /// Opens the file without SWMR and modifies it.
  void change(const std::function<void(hid_t)>& work) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    work(file);
    H5Fclose(file);
  }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};

TEST_F(TrajectoryImage, IsReadBackFromFramesAndStates) {
  const std::vector<std::int64_t> all, some{0, 3, 129, 256};
  for (const sim::Domain& domain : {plane, tube, cube}) {
    for (const auto& kept : {all, some}) {
      for (const bool single : {false, true}) {
        for (const bool velocities : {false, true}) {
          std::filesystem::remove(path_);
          const SyntheticRun run{.bodies = 257,
                                 .frames = 150,
                                 .columns = 1,
                                 .rows_a_frame = 2,
                                 .commit_every = 7,
                                 .options = {.single_precision = single, .velocities = velocities, .bodies = kept},
                                 .domain = domain};
          run.write(path_);
          const auto checksums = stored_checksums(path_);
          const TrajectoryReader reader(path_);
          ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
          EXPECT_TRUE(reader.restart()->image == run.at(run.last_step()).image);
          for (const std::size_t i : {0U, 17U, 149U}) {
            const sim::Snapshot told = run.at(static_cast<std::int64_t>(i) * run.rows_a_frame);
            EXPECT_EQ(checksums.at(i), frame_checksum(told, run.options));
            const render::Frame frame = reader.frame(i);
            ASSERT_EQ(frame.image.size(), 3 * frame.size());
            const std::size_t last = kept.empty() ? 256 : static_cast<std::size_t>(kept.back());
            EXPECT_THAT(std::vector(frame.image.end() - 3, frame.image.end()),
                        ElementsAre(told.image.x[last], told.image.y[last], told.image.z[last]));
          }
        }
      }
    }
  }
}

/// A frame is a chunk row, of several chunks.
TEST_F(TrajectoryImage, IsReadBackFromLargeFrames) {
  for (const bool single : {false, true}) {
    std::filesystem::remove(path_);
    const SyntheticRun run{.bodies = 70000,
                           .frames = 5,
                           .commit_every = 2,
                           .options = {.single_precision = single},
                           .expected_frames = 1,
                           .domain = cube};
    run.write(path_);
    expect_frames(run, TrajectoryReader(path_));
  }
}

TEST_F(TrajectoryImage, IsStoredBesidePositions) {
  const SyntheticRun run{.bodies = 6, .frames = 3, .domain = plane, .virial = true};
  run.write(path_);
  const hdf5::Handle file(open_plain(path_));
  const hdf5::Handle value = hdf5::open_dataset(file, "/particles/all/image/value");
  EXPECT_THAT(hdf5::extents(value), ElementsAre(3, 6, 3));
  EXPECT_EQ(hdf5::chunk_rows(value), hdf5::chunk_rows(hdf5::open_dataset(file, "/particles/all/position/value")));
  EXPECT_GT(H5Tequal(hdf5::Handle(H5Dget_type(value)), H5T_STD_I32LE), 0);
  EXPECT_EQ(H5Pget_nfilters(hdf5::Handle(H5Dget_create_plist(value))), 1);
  for (const char* part : {"/step", "/time"})
    EXPECT_EQ(hdf5::path_of(hdf5::open_dataset(file, std::string("/particles/all/image") + part)).empty(), false);
  for (const char* slot : {"/tail/b/image", "/restart/c/image"}) EXPECT_TRUE(hdf5::exists(file, slot)) << slot;
  EXPECT_EQ(hdf5::read_attribute<std::int32_t>(hdf5::open_group(file, "/parameters"), "format"), 5);
}

TEST_F(TrajectoryImage, ResumesToTheSameFile) {
  for (const SyntheticRun& run :
       {SyntheticRun{.bodies = 257, .frames = 300, .columns = 2, .commit_every = 20, .domain = cube, .virial = true},
        SyntheticRun{
            .bodies = 30, .frames = 700, .rows_a_frame = 3, .commit_every = 7, .domain = plane, .virial = true},
        SyntheticRun{.bodies = 70000, .frames = 6, .commit_every = 2, .expected_frames = 1, .domain = tube}}) {
    const auto calm = folder_ / "calm.h5";
    std::filesystem::remove(calm);
    run.write(calm);
    const std::int64_t rows = run.last_step() + 1;
    for (const std::int64_t steps : {rows / 2, rows}) {
      SCOPED_TRACE(::testing::Message() << run.bodies << " bodies, interrupted after " << steps);
      interrupt(run, steps);
      const auto state = TrajectoryReader(path_).restart();
      ASSERT_TRUE(state);
      EXPECT_TRUE(state->image == run.at(state->step).image);
      EXPECT_EQ(state->observables.virial, run.at(state->step).observables.virial);
      ASSERT_NO_FATAL_FAILURE(run.go_on(path_));
      ASSERT_NO_FATAL_FAILURE(expect_same_content(path_, calm));
    }
  }
}

TEST_F(TrajectoryImage, IsCopiedAndRepaired) {
  const SyntheticRun run{.bodies = 257, .frames = 300, .commit_every = 20, .domain = cube, .virial = true};
  run.write(folder_ / "calm.h5");
  (void)salvage(folder_ / "calm.h5", folder_ / "copy.h5");
  expect_same_content(folder_ / "calm.h5", folder_ / "copy.h5");
  EXPECT_TRUE(TrajectoryReader(folder_ / "copy.h5").restart()->image == run.at(299).image);
  interrupt(run, 160);
  EXPECT_EQ(repair(path_).frames, 160U);
  EXPECT_TRUE(find_damage(path_).empty());
  EXPECT_EQ(TrajectoryReader(path_).in_place(), 160U);
  expect_frames(run, TrajectoryReader(path_));
}

TEST_F(TrajectoryImage, DamageIsDetectedByItsChecksum) {
  const SyntheticRun run{.bodies = 257, .frames = 140, .commit_every = 10, .domain = cube};
  interrupt(run, 140);
  // 128 frames a chunk row: the fifth of them, of 257 bodies
  flip(path_, place_of(path_, "/particles/all/image/value", 0, (4 * 257 + 200) * 12));
  {
    const TrajectoryReader reader(path_);
    EXPECT_EQ(complaint([&] { (void)reader.snapshot(4); }),
              path_.string() + ": frame 4 (step 4): it does not match its checksum");
    EXPECT_TRUE(reader.snapshot(5).image == run.at(5).image);
  }
  EXPECT_THAT(find_damage(path_), ElementsAre("frame 4: it does not match its checksum"));

  for (const char* slots : {"/tail", "/restart"}) {
    interrupt(run, 140);
    for (const char* slot : {"/a", "/b", "/c"}) {
      if (TrajectoryReader(path_).restart()->step == 129) break;
      const auto place = place_of(path_, slots + std::string(slot) + "/image", 0, 9);
      flip(path_, place);
      if (TrajectoryReader(path_).restart()->step == 139) flip(path_, place);
    }
    EXPECT_EQ(TrajectoryReader(path_).restart()->step, 129) << slots;
    ASSERT_NO_FATAL_FAILURE(run.go_on(path_));
    expect_frames(run, TrajectoryReader(path_));
  }
}

/// Other programs read such files: not a byte may change.
TEST_F(TrajectoryImage, FilesOfOpenSpaceAreUnchanged) {
  const SyntheticRun run{.bodies = 6, .frames = 5, .columns = 1, .commit_every = 2};
  EXPECT_EQ(frame_checksum(run.at(3), run.options), 0x7bb1b092073ceddfU);
  EXPECT_EQ(frame_checksum(run.at(3), {.single_precision = true, .velocities = false, .bodies = {1, 4}}),
            0x531053598da90ff8U);
  run.write(path_);
  const hdf5::Handle file(open_plain(path_));
  EXPECT_EQ(hdf5::read_attribute<std::int32_t>(hdf5::open_group(file, "/parameters"), "format"), 5);
  const hdf5::Handle type(H5Dget_type(hdf5::open_dataset(file, "/restart/a/header")));
  EXPECT_EQ(H5Tget_size(type), 344U);
  EXPECT_EQ(H5Tget_nmembers(type), 17);
  trajectory::Hash hash;
  for (const auto& [name, bytes] : content_of(path_)) {
    hash.add(std::span<const char>(name));
    hash.add(std::span<const char>(bytes));
  }
  EXPECT_EQ(hash.value(), 0xb193567c0c990a42U);
}

TEST_F(TrajectoryImage, OverflowOf32BitsIsRefusedWithoutLoss) {
  const SyntheticRun run{.frames = 5, .domain = cube};
  for (const double image : {2147483648.0, -3e9, std::numeric_limits<double>::quiet_NaN()}) {
    std::filesystem::remove(path_);
    TrajectoryWriter writer(path_, run.initial_bodies(), run.record(), run.options);
    run.write(writer, 0, 1);
    sim::Snapshot far = run.at(2);
    far.image.y[1] = image;
    const std::string said = complaint([&] { writer.append(far, true); });
    EXPECT_THAT(said, HasSubstr("run.h5: body 1 was moved down more lengths of the box than 32 bits count"));
    run.write(writer, 2, run.last_step());
    writer.finish(run.at(run.last_step()));
    expect_frames(run, TrajectoryReader(path_));
  }
  TrajectoryWriter writer(folder_ / "none.h5", run.initial_bodies(), run.record(), run.options);
  sim::Snapshot without = run.at(0);
  without.image = {};
  EXPECT_THAT(complaint([&] { writer.append(without, true); }), EndsWith("must have an image of every body"));
  EXPECT_THAT(complaint([&] { writer.commit(without); }), EndsWith("must have as many bodies as the run"));
}

/// A foreign object in its place gives a one-line error.
TEST_F(TrajectoryImage, InvalidImagesAreRefusedInOneLine) {
  const SyntheticRun run{.bodies = 6, .frames = 5, .domain = cube};
  const auto replaced = [&](hid_t type, const hdf5::Extents& shape) {
    std::filesystem::remove(path_);
    run.write(path_);
    change([&](hid_t file) {
      H5Ldelete(file, "/particles/all/image/value", H5P_DEFAULT);
      hdf5::create_growing(file, "/particles/all/image/value", type, shape, shape, false);
    });
    return complaint([&] { (void)TrajectoryReader(path_).snapshot(0); });
  };
  const std::string shape = ": /particles/all/image/value has the wrong shape";
  const std::string type = ": /particles/all/image/value has the wrong number type";
  EXPECT_THAT(replaced(H5T_NATIVE_INT32, {5, 6}), EndsWith(shape));
  EXPECT_THAT(replaced(H5T_NATIVE_INT32, {5, 6, 2}), EndsWith(shape));
  EXPECT_THAT(replaced(H5T_NATIVE_INT32, {5, 7, 3}), EndsWith(shape));
  EXPECT_THAT(replaced(H5T_NATIVE_DOUBLE, {5, 6, 3}), EndsWith(type));
  EXPECT_THAT(replaced(H5T_NATIVE_UINT32, {5, 6, 3}), EndsWith(type));
  EXPECT_THAT(replaced(H5T_C_S1, {5, 6, 3}), EndsWith(type));
  EXPECT_THAT(replaced(H5T_NATIVE_INT32, {5, 6, 3}), HasSubstr("frame 0 (step 0): "));  // nothing is in it

  std::filesystem::remove(path_);
  run.write(path_);
  change([&](hid_t file) { H5Ldelete(file, "/particles/all/image", H5P_DEFAULT); });
  EXPECT_THAT(complaint([&] { const TrajectoryReader reader(path_); }),
              EndsWith(": its box is periodic, and it has no /particles/all/image"));
  std::filesystem::remove(path_);
  SyntheticRun{.bodies = 6, .frames = 5}.write(path_);
  change([&](hid_t file) {
    const hdf5::Handle group = hdf5::create_group(file, "/particles/all/image");
    hdf5::create_growing(group, "value", H5T_NATIVE_INT32, {5, 6, 3}, {5, 6, 3}, false);
  });
  EXPECT_THAT(complaint([&] { const TrajectoryReader reader(path_); }),
              EndsWith("object 'image' doesn't exist"));  // in slots
}

}  // namespace
}  // namespace orrery::pipeline::testing
