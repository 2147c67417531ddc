// SPDX-License-Identifier: MIT
// Snapshots of GADGET-2, GADGET-4 and SWIFT in HDF5, written here with the names that their documentation gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/formats/body_format.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/written_hdf5.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<double> snapshot_numbers(std::size_t count, double from, double step) {
  std::vector<double> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = from + step * std::sqrt(static_cast<double>(k));
  return all;
}

/// Positions and velocities of `count` particles of a type.
void write_particles(WrittenHdf5& file, const std::string& group, std::size_t count, hid_t type,
                     bool compressed = false) {
  file.dataset(group + "/Coordinates", type, {count, 3}, snapshot_numbers(3 * count, 0.1, 1.3), compressed);
  file.dataset(group + "/Velocities", type, {count, 3}, snapshot_numbers(3 * count, -5, 0.7), compressed);
}

void write_gadget_header(WrittenHdf5& file, const std::vector<int>& count, const std::vector<double>& masses) {
  file.group("/Header");
  file.attribute("/Header", "NumPart_ThisFile", H5T_STD_I32LE, count);
  file.attribute("/Header", "NumPart_Total", H5T_STD_U32LE, count);
  file.attribute("/Header", "NumPart_Total_HighWord", H5T_STD_U32LE, std::vector<int>(count.size()));
  file.attribute("/Header", "MassTable", H5T_IEEE_F64LE, masses);
  file.attribute("/Header", "NumFilesPerSnapshot", H5T_STD_I32LE, std::vector<int>{1});
}

class GadgetHdf5 : public ::testing::Test {
 protected:
  [[nodiscard]] BodyFile read(const BodyFileOptions& options = {}) const {
    const BodyFormat& format = format_of(path_);
    EXPECT_EQ(format.name, "gadget-hdf5");
    return format.read(path_, options);
  }
  [[nodiscard]] std::string fault() const {
    return complaint([&] { (void)format_named("gadget-hdf5").read(path_, {}); });
  }
  static std::vector<std::string> keys(const BodyFile& file) {
    std::vector<std::string> names;
    for (const AskedKey& asked : file.asked) names.push_back(asked.key);
    return names;
  }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "snapshot_003.hdf5";
};

TEST_F(GadgetHdf5, FloatsDoublesAndCompressedOnes) {
  for (const std::size_t count : {1, 2, 257}) {
    for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
      for (const bool compressed : {false, true}) {
        {
          WrittenHdf5 file(path_);
          write_gadget_header(file, {0, 1, 0, 0, static_cast<int>(count), 0}, {0, 0.5, 0, 0, 0, 0});
          file.number("/Header", "Time", 1.5);
          write_particles(file, "/PartType1", 1, type);
          write_particles(file, "/PartType4", count, type, compressed);
          file.dataset("/PartType4/Masses", type, {count}, snapshot_numbers(count, 1, 0.1), compressed);
        }
        const BodyFile read_file = read();
        const auto& bodies = *read_file.bodies;
        ASSERT_EQ(bodies.rows, count + 1);
        const auto wanted = snapshot_numbers(3 * count, 0.1, 1.3);
        const auto stored = [&](double x) { return type == H5T_IEEE_F32LE ? static_cast<float>(x) : x; };
        for (std::size_t k = 0; k < wanted.size(); ++k)
          ASSERT_EQ(bodies.numbers.at("position")[3 + k], stored(wanted[k]));
        EXPECT_EQ(bodies.numbers.at("velocity")[3], stored(-5));
        EXPECT_EQ(bodies.numbers.at("mass")[0], 0.5);
        EXPECT_EQ(bodies.numbers.at("mass")[count], stored(snapshot_numbers(count, 1, 0.1).back()));
        EXPECT_EQ(bodies.texts.at("component").back(), "stars");
        EXPECT_EQ(read_file.time, 1.5);
      }
    }
  }
}

/// GADGET-4 and AREPO: exponents of a and h, and units of each dataset.
TEST_F(GadgetHdf5, ScalingsOfGadget4) {
  {
    WrittenHdf5 file(path_);
    write_gadget_header(file, {0, 2}, {0, 3});
    file.number("/Header", "Time", 0.25);
    file.number("/Header", "Redshift", 3);
    file.number("/Header", "BoxSize", 100);
    file.group("/Parameters");
    file.number("/Parameters", "HubbleParam", 0.5);
    file.number("/Parameters", "Omega0", 0.3);
    file.number("/Parameters", "UnitMass_in_g", 1.989e43);
    write_particles(file, "/PartType1", 2, H5T_IEEE_F64LE);
    for (const auto& [name, a, h, cgs] :
         {std::tuple("/PartType1/Coordinates", 1.0, -1.0, 3.085678e21), {"/PartType1/Velocities", 0.5, 0.0, 1e5}}) {
      file.number(name, "a_scaling", a);
      file.number(name, "h_scaling", h);
      file.number(name, "to_cgs", cgs);
    }
  }
  const BodyFile file = read();
  EXPECT_EQ(keys(file), std::vector<std::string>());
  const auto wanted = snapshot_numbers(6, 0.1, 1.3), speeds = snapshot_numbers(6, -5, 0.7);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(file.bodies->numbers.at("position")[k], wanted[k] * 0.5);
    EXPECT_EQ(file.bodies->numbers.at("velocity")[k], speeds[k] * 0.5);
  }
  EXPECT_EQ(file.bodies->numbers.at("mass")[1], 6) << "3/h, as its lengths";
  EXPECT_EQ(file.edges[1], 50);
  EXPECT_EQ(file.units->length, "3.085678e+21 cm");
  EXPECT_EQ(file.units->velocity, "100000 cm/s");
  EXPECT_EQ(file.units->mass, "1.989e+43 g");
  EXPECT_THROW((void)read({.comoving = true}), ArgumentError) << "the file says it itself";
}

TEST_F(GadgetHdf5, ScalingsOfSwift) {
  {
    WrittenHdf5 file(path_);
    write_gadget_header(file, {0, 2, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0});
    file.text("/Header", "Code", "SWIFT");
    file.attribute<double>("/Header", "BoxSize", H5T_IEEE_F64LE, {10, 20, 40});
    file.attribute<double>("/Header", "Scale-factor", H5T_IEEE_F64LE, {0.5});
    file.group("/Units");
    file.number("/Units", "Unit length in cgs (U_L)", 3e24);
    file.number("/Units", "Unit mass in cgs (U_M)", 2e43);
    file.number("/Units", "Unit time in cgs (U_t)", 3e19);
    write_particles(file, "/PartType1", 2, H5T_IEEE_F64LE);
    file.dataset("/PartType1/Masses", H5T_IEEE_F32LE, {2}, std::vector<double>{1, 2});
    file.number("/PartType1/Coordinates", "a-scale exponent", 1);
    file.number("/PartType1/Coordinates", "h-scale exponent", 0);
    file.number("/PartType1/Coordinates", "Conversion factor to CGS (not including cosmological corrections)", 3e24);
    file.number("/PartType1/Velocities", "a-scale exponent", 0);
    file.number("/PartType1/Masses", "a-scale exponent", 0);
  }
  const BodyFile file = read();
  EXPECT_EQ(keys(file), std::vector<std::string>());
  EXPECT_EQ(file.bodies->numbers.at("position")[4], snapshot_numbers(6, 0.1, 1.3)[4] * 0.5);
  EXPECT_EQ(file.bodies->numbers.at("velocity")[4], snapshot_numbers(6, -5, 0.7)[4]);
  EXPECT_THAT(file.bodies->numbers.at("mass"), ElementsAre(1, 2));
  EXPECT_THAT(file.edges, ElementsAre(5, 10, 20));
  EXPECT_EQ(file.units->velocity, "100000 cm/s");
  EXPECT_EQ(file.units->mass, "2e+43 g");
}

/// Older files state nothing, so it is asked for.
TEST_F(GadgetHdf5, WithoutScalingsKeysAreAskedFor) {
  {
    WrittenHdf5 file(path_);
    write_gadget_header(file, {0, 2}, {0, 3});
    for (const auto& [name, value] :
         {std::pair("Time", 0.25), {"Redshift", 3.0}, {"Omega0", 0.3}, {"OmegaLambda", 0.7}, {"HubbleParam", 0.7}})
      file.number("/Header", name, value);
    write_particles(file, "/PartType1", 2, H5T_IEEE_F64LE);
  }
  EXPECT_THAT(keys(read()), ElementsAre("comoving", "hubble"));
  const BodyFile file = read({.hubble = 0.5, .comoving = true});
  EXPECT_EQ(file.bodies->numbers.at("velocity")[2], snapshot_numbers(6, -5, 0.7)[2] * 0.5);
  EXPECT_EQ(file.units->length, "");
}

TEST_F(GadgetHdf5, SeveralFiles) {
  for (const char* name : {"snap.0.hdf5", "snap.1.hdf5"}) {
    WrittenHdf5 file(folder_ / name);
    file.group("/Header");
    file.attribute<int>("/Header", "NumPart_ThisFile", H5T_STD_I32LE, {0, 2});
    file.attribute<int>("/Header", "NumPart_Total", H5T_STD_I32LE, {0, 4});
    file.attribute<double>("/Header", "MassTable", H5T_IEEE_F64LE, {0, 1});
    file.attribute<int>("/Header", "NumFilesPerSnapshot", H5T_STD_I32LE, {2});
    write_particles(file, "/PartType1", 2, H5T_IEEE_F32LE);
  }
  const auto path = folder_ / "snap.1.hdf5";
  EXPECT_EQ(format_of(path).read(path, {}).bodies->rows, 4U);
  std::filesystem::remove(folder_ / "snap.0.hdf5");
  EXPECT_THAT(complaint([&] { (void)format_of(path).read(path, {}); }),
              HasSubstr("snap.0.hdf5: is missing: the snapshot has 2 files"));
}

TEST_F(GadgetHdf5, LiesAreRefusedAtTheirObject) {
  const auto with = [&](const std::function<void(WrittenHdf5&)>& fill, int count = 2, double mass = 1) {
    {
      WrittenHdf5 file(path_);
      write_gadget_header(file, {0, count}, {0, mass});
      fill(file);
    }
    return fault();
  };
  const std::string name = path_.string() + ": ";
  EXPECT_THAT(with([](auto& f) { write_particles(f, "/PartType1", 3, H5T_IEEE_F32LE); }),
              StartsWith(name + "/PartType1/Coordinates: has the shape 3×3, not 2×3"));
  EXPECT_THAT(with([](auto& f) { f.group("/PartType1"); }), StartsWith(name + "/PartType1/Coordinates: is missing"));
  EXPECT_THAT(with([](auto& f) { write_particles(f, "/PartType1", 2, H5T_IEEE_F32LE); }, 2, 0),
              StartsWith(name + "/PartType1/Masses: is missing, and the header has no mass"));
  EXPECT_THAT(with([](auto& f) { write_particles(f, "/PartType1", 2, H5T_IEEE_F32LE); }, -2),
              StartsWith(name + "/Header@NumPart_ThisFile: holds -2"));
  EXPECT_THAT(
      with([](auto& f) {
        f.dataset("/PartType1/Coordinates", H5T_IEEE_F64LE, {2, 3}, std::vector<double>{0, 0, 0, 0, std::nan(""), 0});
        f.dataset("/PartType1/Velocities", H5T_IEEE_F64LE, {2, 3}, std::vector<double>(6));
      }),
      StartsWith(name + "/PartType1/Coordinates: nan of particle 1 is not a finite number"));
  // A dataset that was never written claims any size.
  EXPECT_THAT(
      with(
          [](auto& f) {
            f.dataset("/PartType1/Coordinates", H5T_IEEE_F64LE, {2'000'000'000, 3}, std::vector<double>(), true);
            f.dataset("/PartType1/Velocities", H5T_IEEE_F64LE, {2'000'000'000, 3}, std::vector<double>(), true);
          },
          2'000'000'000),
      StartsWith(name + "/PartType1/Coordinates: claims to be larger than the file"));
  EXPECT_THAT(with([](auto& f) {
                write_particles(f, "/PartType1", 2, H5T_IEEE_F32LE);
                f.number("/PartType1/Coordinates", "a_scaling", 0.3);
                f.number("/PartType1/Coordinates", "to_cgs", 1);
              }),
              StartsWith(name + "/PartType1/Coordinates: has an exponent of 0.3"));
  write(path_, "\211HDF\r\n\032\n and no more");
  EXPECT_THAT(fault(), StartsWith(path_.string() + ": "));
}

TEST_F(GadgetHdf5, OtherFilesAreNotOpened) {
  {
    WrittenHdf5 file(path_);
    write_gadget_header(file, {0, 2}, {0, 1});
    file.group("/PartType1");
    H5Lcreate_external("other.hdf5", "/a", file.file(), "/PartType1/Coordinates", H5P_DEFAULT, H5P_DEFAULT);
  }
  { WrittenHdf5(folder_ / "other.hdf5").dataset("/a", H5T_IEEE_F64LE, {2, 3}, std::vector<double>(6)); }
  EXPECT_THAT(fault(), StartsWith(path_.string() + ": /PartType1/Coordinates"));
}

TEST_F(GadgetHdf5, ExportedFramesHaveTheSameBits) {
  for (const std::size_t bodies : {1, 2, 257}) {
    for (const bool single : {false, true}) {
      const SyntheticRun synthetic{.bodies = bodies, .frames = 3, .options = {.single_precision = single}};
      synthetic.write(folder_ / "run.h5");
      const Outcome outcome = run(folder_, {"export", "run.h5", "--format", "gadget-hdf5", "--frames", "1", "-o",
                                            "snapshot_003.hdf5", "--force"});
      ASSERT_EQ(outcome.code, 0) << outcome.errors;
      const BodyFile file = read();
      EXPECT_EQ(keys(file), std::vector<std::string>());
      const TrajectoryReader reader(folder_ / "run.h5");
      const sim::Snapshot frame = reader.snapshot(1);
      ASSERT_EQ(file.bodies->rows, bodies);
      std::size_t row = 0;
      for (const int component : {0, 1}) {
        for (std::size_t n = 0; n < bodies; ++n) {
          if (reader.bodies().species[n] != component) continue;
          ASSERT_EQ(file.bodies->numbers.at("position")[3 * row + 1], frame.position.y[n]);
          ASSERT_EQ(file.bodies->numbers.at("velocity")[3 * row + 2], frame.velocity.z[n]);
          ++row;
        }
      }
      EXPECT_EQ(row, bodies);
      std::filesystem::remove(folder_ / "run.h5");
    }
  }
  const Outcome screen = run(folder_, {"export", "run.h5", "--format", "gadget-hdf5"});
  EXPECT_EQ(screen.code, 2);
}

}  // namespace
}  // namespace orrery::pipeline::testing
