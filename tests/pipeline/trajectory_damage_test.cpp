// SPDX-License-Identifier: MIT
// Invalid files: one line of message each, and nothing is accepted that a checksum does not confirm.
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

const SyntheticRun kRun{.bodies = 257, .frames = 300, .rows_a_frame = 2};

class TrajectoryDamage : public ::testing::Test {
 protected:
  TrajectoryDamage() { kRun.write(path_); }
  void damage(const std::string& dataset, std::size_t row, std::size_t at) {
    flip(path_, place_of(path_, dataset, row, at));
  }
  std::string opening() const {
    return complaint([&] {
      const TrajectoryReader reader(path_);
      (void)reader.bodies();
      (void)reader.ids();
      (void)reader.frame(0);
    });
  }
  std::string says(const std::string& what) const { return path_.string() + ": " + what; }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};

TEST_F(TrajectoryDamage, OnlyTheDamagedFrameIsRefused) {
  const std::size_t frame = 257 * 3 * 8;
  damage("/particles/all/position/value", 130, 2 * frame + 700);
  damage("/particles/all/velocity/value", 130, 4 * frame + 5);
  const TrajectoryReader reader(path_);
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const std::string why = complaint([&] { (void)reader.frame(i); });
    if (i != 130 && i != 132) {
      ASSERT_EQ(why, "");
      continue;
    }
    const std::string name = "frame " + std::to_string(i) + " (step " + std::to_string(2 * i) + ")";
    EXPECT_EQ(why, says(name + ": it does not match its checksum"));
    EXPECT_EQ(complaint([&] { (void)reader.snapshot(i); }), why);
  }
}

TEST_F(TrajectoryDamage, LargeFramesAreCheckedAsWell) {
  const SyntheticRun large{.bodies = 70'001, .frames = 3, .expected_frames = 3};
  const std::filesystem::path path = folder_ / "large.h5";
  large.write(path);
  flip(path, place_of(path, "/particles/all/velocity/value", 1, 900'001));
  const TrajectoryReader reader(path);
  const auto why = [&](std::size_t i) { return complaint([&] { (void)reader.frame(i); }); };
  EXPECT_EQ(why(0), "");
  EXPECT_EQ(why(1), path.string() + ": frame 1 (step 1): it does not match its checksum");
  EXPECT_EQ(why(2), "");
}

TEST_F(TrajectoryDamage, StepTimeAndChecksumOfAFrameAreChecksummed) {
  for (const char* dataset : {"position/step", "position/time", "checksum", "stamp"}) {
    SCOPED_TRACE(dataset);
    damage("/particles/all/" + std::string(dataset), 0, 17 * 8 + 3);
    const TrajectoryReader reader(path_);
    EXPECT_NE(complaint([&] { (void)reader.frame(17); }).find("frame 17 "), std::string::npos);
    EXPECT_NE(complaint([&] { (void)reader.times(); }).find("frame 17 "), std::string::npos);
    EXPECT_NE(complaint([&] { (void)reader.steps(); }).find("damaged"), std::string::npos);
    EXPECT_EQ(complaint([&] { (void)reader.frame(16); }), "");
    damage("/particles/all/" + std::string(dataset), 0, 17 * 8 + 3);
    EXPECT_EQ(opening(), "");
  }
}

TEST_F(TrajectoryDamage, DamagedRowOfObservablesIsDetected) {
  for (const char* dataset : {"kinetic_energy/step", "kinetic_energy/time", "kinetic_energy/value",
                              "potential_energy/value", "total_energy/value", "checksum"}) {
    SCOPED_TRACE(dataset);
    damage("/observables/" + std::string(dataset), 0, 41 * 8 + 1);
    EXPECT_NE(complaint([&] { (void)TrajectoryReader(path_).history(); }).find("observables row 41 "),
              std::string::npos);
    damage("/observables/" + std::string(dataset), 0, 41 * 8 + 1);
    EXPECT_EQ(complaint([&] { (void)TrajectoryReader(path_).history(); }), "");
  }
  damage("/observables/angular_momentum/value", 0, 3 * 8 * 41 + 20);
  EXPECT_EQ(complaint([&] { (void)TrajectoryReader(path_).history(); }),
            says("observables row 41 (step 41) does not match its checksum"));
}

TEST_F(TrajectoryDamage, MassIdAndSpeciesAreChecksummed) {
  for (const char* name : {"mass", "id", "species"}) {
    damage("/particles/all/" + std::string(name), 0, 30);
    EXPECT_EQ(opening(), says("/particles/all/" + std::string(name) + " does not match its checksum"));
    damage("/particles/all/" + std::string(name), 0, 30);
  }
}

TEST_F(TrajectoryDamage, ZeroedChunkIsDetected) {
  // a possible result of a power loss: zeros, including their Fletcher-32, are valid to the library
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(place_of(path_, "/particles/all/position/value", 128, 0)));
  const std::string zeros(128 * 257 * 3 * 8 + 4, '\0');
  file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
  file.close();
  const TrajectoryReader reader(path_);
  EXPECT_EQ(complaint([&] { (void)reader.frame(127); }), "");
  EXPECT_NE(complaint([&] { (void)reader.frame(128); }), "");
  EXPECT_NE(complaint([&] { (void)reader.frame(255); }), "");
  EXPECT_EQ(complaint([&] { (void)reader.frame(256); }), "");
}

TEST_F(TrajectoryDamage, FilesThatAreNotTrajectories) {
  const auto size = std::filesystem::file_size(path_);
  std::filesystem::resize_file(path_, size - 1000);
  EXPECT_NE(opening().find("truncated file"), std::string::npos) << opening();
  std::filesystem::resize_file(path_, 100);
  EXPECT_NE(opening(), "");
  for (const std::uintmax_t bytes : {9, 10, 11, 12, 48, 1000, 100000}) {
    std::filesystem::resize_file(path_, bytes);
    EXPECT_NE(opening(), "") << bytes;
  }
  std::filesystem::resize_file(path_, 0);
  EXPECT_EQ(opening(), says("the file is empty"));
  std::ofstream(path_) << "title = \"a scenario\"";
  EXPECT_EQ(opening(), says("not an HDF5 file"));
  std::filesystem::remove(path_);
  EXPECT_EQ(opening(), says("no such file"));
  std::filesystem::create_directory(path_);
  EXPECT_EQ(opening(), says("a folder, not a trajectory"));
  std::ofstream(path_ / "run.h5") << "one";
  EXPECT_EQ(opening(), says("a folder, not a trajectory; in it is " + (path_ / "run.h5").string()));
  std::filesystem::remove(path_ / "run.h5");
  std::filesystem::remove(path_);
  H5Fclose(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_EQ(opening(), says("an HDF5 file, but not a trajectory of orrery: it has no /h5md"));
  EXPECT_EQ(complaint([&] { const TrajectoryWriter writer(path_, {}); }), opening());
}

TEST_F(TrajectoryDamage, NoChangedByteCrashesTheReader) {
  // in a separate process, since the library does not free everything after damaged metadata
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto size = std::filesystem::file_size(path_);
    for (std::size_t k = 0; k < 400; ++k) {
      // metadata are mostly at the front
      const std::size_t place = k < 300 ? 8 + k * 41 : (k * 7919 * 131) % size;
      flip(path_, place);
      complaint([&] {
        const TrajectoryReader reader(path_);
        (void)reader.bodies();
        (void)reader.history();
        (void)reader.restart();
        for (const std::size_t i : {0u, 130u, 299u}) (void)reader.frame(i);
      });
      flip(path_, place);
    }
    ::_exit(opening().empty() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace orrery::pipeline::testing
