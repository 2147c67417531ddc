// SPDX-License-Identifier: MIT
// H5MD as its specification has it: files of other programs, and the one that orrery exports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/formats/body_format.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/written_hdf5.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<double> h5md_numbers(std::size_t count, double from) {
  std::vector<double> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = from + 0.3 * static_cast<double>(k);
  return all;
}

/// A group with positions and velocities in three frames, of `count` particles.
void moving_group(WrittenHdf5& file, const std::string& group, hsize_t count, hsize_t axes = 3,
                  hid_t type = H5T_IEEE_F64LE) {
  for (const auto& [element, from] : {std::pair("/position", 1.0), {"/velocity", -2.0}}) {
    file.dataset(group + element + "/value", type, {3, count, axes}, h5md_numbers(3 * count * axes, from));
    file.dataset(group + element + "/step", H5T_STD_I32LE, {3}, std::vector<int>{0, 10, 30});
    file.dataset(group + element + "/time", H5T_IEEE_F64LE, {3}, std::vector<double>{0, 0.1, 0.3});
  }
  file.dataset(group + "/mass", type, {count}, h5md_numbers(count, 1));
}

class H5mdBodies : public ::testing::Test {
 protected:
  void make(const std::function<void(WrittenHdf5&)>& fill) const {
    WrittenHdf5 file(path_);
    file.group("/h5md");
    file.attribute<int>("/h5md", "version", H5T_STD_I32LE, {1, 1});
    fill(file);
  }
  [[nodiscard]] BodyFile read(const BodyFileOptions& options = {}) const {
    const BodyFormat& format = format_of(path_);
    EXPECT_EQ(format.name, "h5md");
    return format.read(path_, options);
  }
  [[nodiscard]] std::string fault(const BodyFileOptions& options = {}) const {
    return complaint([&] { (void)read(options); });
  }
  Folder folder_;
  std::filesystem::path path_ = folder_ / "dump.h5";
};

TEST_F(H5mdBodies, AFrameByItsNumber) {
  for (const hsize_t count : {1, 2, 257}) {
    make([&](auto& file) { moving_group(file, "/particles/solvent", count); });
    for (const std::int64_t frame : {0, 1, -1}) {
      const BodyFile file = read({.frame = frame});
      EXPECT_EQ(file.frames, 3);
      const std::size_t row = frame < 0 ? 2 : static_cast<std::size_t>(frame);
      const auto all = h5md_numbers(9 * count, 1), speeds = h5md_numbers(9 * count, -2);
      for (std::size_t k = 0; k < 3 * count; ++k) {
        ASSERT_EQ(file.bodies->numbers.at("position")[k], all[row * 3 * count + k]);
        ASSERT_EQ(file.bodies->numbers.at("velocity")[k], speeds[row * 3 * count + k]);
      }
      EXPECT_EQ(file.time, (std::vector<double>{0, 0.1, 0.3}[row]));
    }
    EXPECT_THROW((void)read({.frame = 3}), ArgumentError);
  }
}

TEST_F(H5mdBodies, PlanesUnitsSpeciesChargesAndBoxes) {
  make([&](auto& file) {
    const std::string group = "/particles/ions";
    moving_group(file, group, 2, 2);
    file.dataset(group + "/species", H5T_STD_I32LE, {2}, std::vector<int>{4, 7});
    file.dataset(group + "/charge", H5T_IEEE_F32LE, {2}, std::vector<double>{-1, 0.5});
    file.text(group + "/position/value", "unit", "km");
    file.text(group + "/velocity/value", "unit", "km s-1", true);
    file.text(group + "/position/time", "unit", "s");
    file.group(group + "/box");
    file.texts(group + "/box", "boundary", {"periodic", "none"});
    file.dataset(group + "/box/edges", H5T_IEEE_F64LE, {2}, std::vector<double>{12, 14});
  });
  const BodyFile file = read({.frame = 1});
  const auto all = h5md_numbers(12, 1);
  EXPECT_THAT(file.bodies->numbers.at("position"), ElementsAre(all[4], all[5], 0, all[6], all[7], 0));
  EXPECT_THAT(file.bodies->numbers.at("charge"), ElementsAre(-1, 0.5));
  EXPECT_THAT(file.bodies->texts.at("component"), ElementsAre("4", "7"));
  EXPECT_EQ(file.units->length, "km");
  EXPECT_EQ(file.units->velocity, "km s-1");
  EXPECT_EQ(file.units->mass, "") << "asked for";
  EXPECT_THAT(file.periodic, ElementsAre(true, false, false));
  EXPECT_THAT(file.edges, ElementsAre(12, 14, 0));
  EXPECT_FALSE(file.time.has_value()) << "in s";
}

TEST_F(H5mdBodies, GroupsAreChosen) {
  make([&](auto& file) {
    moving_group(file, "/particles/a", 2);
    moving_group(file, "/particles/b", 1);
    file.group("/particles/empty");
  });
  try {
    (void)read();
    FAIL() << "one of several groups was taken";
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), "components");
    EXPECT_THAT(error.what(), HasSubstr("several groups of particles, which may overlap: a, b"));
  }
  EXPECT_EQ(read({.components = {"b"}}).bodies->rows, 1U);
  EXPECT_THAT(read({.components = {"b", "a"}}).bodies->texts.at("component"), ElementsAre("b", "a", "a"));
}

TEST_F(H5mdBodies, LiesAreRefusedAtTheirObject) {
  const std::string group = "/particles/all", name = path_.string() + ": " + group;
  make([&](auto& file) { file.dataset(group + "/position/value", H5T_IEEE_F64LE, {1, 2, 3}, h5md_numbers(6, 0)); });
  ASSERT_EQ(read().asked.size(), 1U);
  EXPECT_EQ(read().asked.front().key, "mass");
  EXPECT_THAT(read({.mass = 2.5}).bodies->numbers.at("mass"), ElementsAre(2.5, 2.5));
  make([&](auto& file) {
    moving_group(file, group, 2);
    file.dataset(group + "/charge", H5T_IEEE_F64LE, {3}, h5md_numbers(3, 0));
  });
  EXPECT_THAT(fault(), StartsWith(name + "/charge: has the shape 3"));
  make([&](auto& file) {
    file.dataset(group + "/position/value", H5T_IEEE_F64LE, {2, 1, 3}, h5md_numbers(6, 0));
    file.dataset(group + "/position/step", H5T_STD_I32LE, {2}, std::vector<int>{0, 5});
    file.dataset(group + "/velocity/value", H5T_IEEE_F64LE, {2, 1, 3}, h5md_numbers(6, 0));
    file.dataset(group + "/velocity/step", H5T_STD_I32LE, {2}, std::vector<int>{0, 6});
    file.dataset(group + "/mass", H5T_IEEE_F64LE, {1}, h5md_numbers(1, 1));
  });
  EXPECT_THAT(fault(), StartsWith(name + "/velocity/value: has no values at the step of frame 1 of the positions, 5"));
  make([&](auto& file) {
    file.dataset(group + "/position/value", H5T_IEEE_F64LE, {1'000'000'000'000, 2, 3}, std::vector<double>(), true);
  });
  EXPECT_THAT(fault(), StartsWith(name + "/position/value: claims to be larger than the file"));
}

/// What is exported is H5MD that any reader of it understands, ours included.
TEST_F(H5mdBodies, ExportedFramesHaveTheSameBits) {
  for (const std::size_t bodies : {1, 2, 257}) {
    const SyntheticRun synthetic{.bodies = bodies, .frames = 5, .rows_a_frame = 3};
    synthetic.write(folder_ / "run.h5");
    const Outcome outcome =
        run(folder_, {"export", "run.h5", "--format", "h5md", "--frames", "1:3", "-o", path_, "--force"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const TrajectoryReader reader(folder_ / "run.h5");
    for (std::size_t i = 1; i <= 3; ++i) {
      const sim::Snapshot frame = reader.snapshot(i);
      const BodyFile file = read({.frame = static_cast<std::int64_t>(i) - 1});
      EXPECT_EQ(file.bodies->numbers.at("mass"), reader.bodies().mass);
      for (std::size_t n = 0; n < bodies; ++n) {
        ASSERT_EQ(file.bodies->numbers.at("position")[3 * n + 1], frame.position.y[n]);
        ASSERT_EQ(file.bodies->numbers.at("velocity")[3 * n + 2], frame.velocity.z[n]);
      }
    }
    const hid_t file = open_plain(path_);
    const hid_t energy = H5Dopen2(file, "/observables/total_energy/value", H5P_DEFAULT);
    std::vector<double> energies(3);
    EXPECT_GE(H5Dread(energy, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, energies.data()), 0);
    H5Dclose(energy), H5Fclose(file);
    const History history = reader.history();
    EXPECT_THAT(energies, ElementsAre(history.total_energy[3], history.total_energy[6], history.total_energy[9]))
        << "the rows of the frames";
    std::filesystem::remove(folder_ / "run.h5");
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
