// SPDX-License-Identifier: MIT
// The layout is that of docs/trajectory.md, on which other programs rely.
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>

#include "pipeline/trajectory/hdf5.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// A file opened with plain HDF5 calls; it also closes the objects it returned.
class TrajectorySchema : public ::testing::Test {
 protected:
  void write_run(const SyntheticRun& run) {
    run.write(path_);
    file_ = open_plain(path_);
    ASSERT_GE(file_, 0);
  }
  void TearDown() override {
    if (file_ >= 0) H5Fclose(file_);
  }

  hid_t dataset(const std::string& name) const { return H5Dopen2(file_, name.c_str(), H5P_DEFAULT); }
  std::vector<hsize_t> shape(const std::string& name) const {
    std::vector<hsize_t> result(8);
    const int rank = H5Sget_simple_extent_dims(H5Dget_space(dataset(name)), result.data(), nullptr);
    result.resize(static_cast<std::size_t>(rank));
    return result;
  }
  std::vector<hsize_t> chunk(const std::string& name) const {
    std::vector<hsize_t> result(8);
    result.resize(static_cast<std::size_t>(H5Pget_chunk(H5Dget_create_plist(dataset(name)), 8, result.data())));
    return result;
  }
  bool has_attribute(const std::string& object, const std::string& name) const {
    return H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
  }
  std::string text_attribute(const std::string& object, const std::string& name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    EXPECT_EQ(H5Tis_variable_str(type), 0) << object << " " << name;
    std::string text(H5Tget_size(type), '\0');
    H5Aread(attribute, type, text.data());
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
  }
  // The number of links to the object, and its identity.
  H5O_info_t info(const std::string& name) const {
    H5O_info_t result;
    const hid_t object = H5Oopen(file_, name.c_str(), H5P_DEFAULT);
#if H5_VERSION_GE(1, 12, 0)
    H5Oget_info(object, &result, H5O_INFO_BASIC);
#else
    H5Oget_info(object, &result);
#endif
    H5Oclose(object);
    return result;
  }
  bool same(const std::string& a, const std::string& b) const {
#if H5_VERSION_GE(1, 12, 0)
    const auto first = info(a).token, second = info(b).token;
    return std::equal(std::begin(first.__data), std::end(first.__data), std::begin(second.__data));
#else
    return info(a).addr == info(b).addr;
#endif
  }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
  hid_t file_ = -1;
};

TEST_F(TrajectorySchema, EveryObjectExists) {
  write_run({.bodies = 6, .frames = 3, .columns = 2});
  const auto list = objects(path_, "/");
  const std::set<std::string> found(list.begin(), list.end());
  std::set<std::string> wanted{"/h5md",
                               "/h5md/author",
                               "/h5md/creator",
                               "/h5md/modules",
                               "/h5md/modules/units",
                               "/parameters",
                               "/parameters/scenario",
                               "/parameters/resolved",
                               "/parameters/density",
                               "/parameters/initial",
                               "/parameters/initial/1",
                               "/parameters/initial/1/mass",
                               "/parameters/initial/1/position",
                               "/parameters/initial/1/velocity",
                               "/parameters/initial/1/name",
                               "/parameters/provenance",
                               "/parameters/parts",
                               "/parameters/finished",
                               "/particles",
                               "/particles/all",
                               "/particles/all/box",
                               "/particles/all/position",
                               "/particles/all/position/step",
                               "/particles/all/position/time",
                               "/particles/all/position/value",
                               "/particles/all/velocity",
                               "/particles/all/velocity/step",
                               "/particles/all/velocity/time",
                               "/particles/all/velocity/value",
                               "/particles/all/checksum",
                               "/particles/all/stamp",
                               "/particles/all/mass",
                               "/particles/all/id",
                               "/particles/all/species",
                               "/particles/all/names",
                               "/observables",
                               "/observables/checksum",
                               "/restart",
                               "/tail"};
  for (const char* name :
       {"kinetic_energy", "potential_energy", "total_energy", "momentum", "angular_momentum", "center_of_mass",
        "states", "total_energy_range", "angular_momentum_range", "closest_approach", "closest_bodies"}) {
    for (const char* part : {"", "/step", "/time", "/value"}) {
      wanted.insert("/observables/" + std::string(name) + part);
    }
  }
  for (const std::string slot : {"/a", "/b", "/c"}) {
    for (const char* part : {"", "/header", "/position", "/velocity", "/column_0", "/column_1"}) {
      wanted.insert("/restart" + slot + part);
    }
    for (const char* part : {"", "/header", "/step", "/time", "/checksum", "/stamp", "/position", "/velocity"}) {
      wanted.insert("/tail" + slot + part);
    }
  }
  std::set<std::string> rest = found;
  for (const auto& name : wanted) {
    EXPECT_TRUE(found.count(name)) << name;
    rest.erase(name);
  }
  for (const auto& name : rest) EXPECT_EQ(name.rfind("/VTKHDF", 0), 0u) << name << " is new: list it here";
  for (const char* name : {"title",       "seed",      "dt",        "steps",          "frames", "commit",   "sync",
                           "length_unit", "time_unit", "mass_unit", "columns",        "format", "requires", "bodies",
                           "units",       "G",         "timescale", "timescale_name", "mass",   "xxh3"}) {
    EXPECT_TRUE(has_attribute("/parameters", name)) << name;
  }
  EXPECT_TRUE(has_attribute("/parameters/provenance", "command_line"));
  for (const char* name :
       {"/h5md/author", "/parameters/scenario", "/parameters/resolved", "/parameters/provenance", "/parameters/density",
        "/parameters/initial/1/mass", "/parameters/initial/1/name", "/particles/all/box", "/particles/all/mass",
        "/particles/all/id", "/particles/all/species", "/particles/all/names"}) {
    EXPECT_TRUE(has_attribute(name, "xxh3")) << name;
  }
}

TEST_F(TrajectorySchema, H5mdNamesCreatorAndAuthor) {
  write_run({});
  std::array<int, 2> version{};
  const hid_t attribute = H5Aopen_by_name(file_, "/h5md", "version", H5P_DEFAULT, H5P_DEFAULT);
  H5Aread(attribute, H5T_NATIVE_INT, version.data());
  H5Aclose(attribute);
  EXPECT_EQ(version, (std::array{1, 1}));
  EXPECT_EQ(text_attribute("/h5md/author", "name"), "Scheherazade");
  EXPECT_EQ(text_attribute("/h5md/creator", "name"), "orrery");
  EXPECT_EQ(text_attribute("/h5md/creator", "version"), "0.1.0");
  EXPECT_TRUE(has_attribute("/particles/all/box", "dimension"));
  EXPECT_TRUE(has_attribute("/particles/all/box", "boundary"));
  EXPECT_TRUE(has_attribute("/particles/all/species", "names"));
  EXPECT_EQ(H5Lexists(file_, "/particles/all/box/edges", H5P_DEFAULT), 0);
  EXPECT_EQ(text_attribute("/particles/all/position/value", "unit"), "au");
  EXPECT_EQ(text_attribute("/particles/all/velocity/value", "unit"), "au yr-1");
  EXPECT_EQ(text_attribute("/observables/kinetic_energy/value", "unit"), "Msun au+2 yr-2");
}

TEST_F(TrajectorySchema, StepAndTimeAreSharedByHardLinks) {
  write_run({});
  for (const char* part : {"/step", "/time"}) {
    const std::string position = std::string("/particles/all/position") + part;
    EXPECT_TRUE(same(position, std::string("/particles/all/velocity") + part));
    EXPECT_EQ(info(position).rc, 2u);
    for (const char* name : {"potential_energy", "total_energy", "momentum", "angular_momentum", "center_of_mass",
                             "states", "total_energy_range", "angular_momentum_range", "closest_bodies"}) {
      EXPECT_TRUE(same(std::string("/observables/kinetic_energy") + part, "/observables/" + std::string(name) + part));
    }
  }
  EXPECT_FALSE(same("/particles/all/position/step", "/observables/kinetic_energy/step"));
  // the links of the view are soft: it is added last and changes no existing object
  EXPECT_TRUE(same("/particles/all/mass", "/VTKHDF/PointData/mass"));
  EXPECT_TRUE(same("/particles/all/position/time", "/VTKHDF/Steps/Values"));
  EXPECT_EQ(info("/particles/all/mass").rc, 1u);
}

TEST_F(TrajectorySchema, ChunksAndFilters) {
  struct Case {
    std::size_t bodies;
    bool single;
    std::vector<hsize_t> chunk;
  };
  for (const Case& c :
       {Case{1, false, {4096, 1, 3}}, Case{6, false, {4096, 6, 3}}, Case{257, false, {128, 257, 3}},
        Case{257, true, {256, 257, 3}}, Case{65536, false, {1, 65536, 3}}, Case{65537, true, {2, 32769, 3}}}) {
    write_run({.bodies = c.bodies, .frames = 2, .options = {.single_precision = c.single}});
    for (const char* name : {"/particles/all/position/value", "/particles/all/velocity/value"}) {
      EXPECT_EQ(chunk(name), c.chunk);
      EXPECT_EQ(shape(name), (std::vector<hsize_t>{2, c.bodies, 3}));
      const hid_t creation = H5Dget_create_plist(dataset(name));
      ASSERT_EQ(H5Pget_nfilters(creation), 1);
      unsigned flags = 0;
      std::size_t none = 0;
      EXPECT_EQ(H5Pget_filter2(creation, 0, &flags, &none, nullptr, 0, nullptr, nullptr), H5Z_FILTER_FLETCHER32);
      const hid_t type = H5Dget_type(dataset(name));
      EXPECT_TRUE(H5Tequal(type, c.single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE) > 0);
    }
    EXPECT_EQ(H5Pget_nfilters(H5Dget_create_plist(dataset("/observables/momentum/value"))), 0);
    for (const char* name : {"/tail/a/position", "/restart/b/velocity", "/tail/b/header", "/parameters/finished"}) {
      EXPECT_EQ(H5Pget_layout(H5Dget_create_plist(dataset(name))), H5D_CONTIGUOUS) << name;
    }
    H5Fclose(file_);
    std::filesystem::remove(path_);
  }
  file_ = -1;
}

/// A run known in advance to be short has small chunks.
TEST_F(TrajectorySchema, SmallRunHasASmallFile) {
  const SyntheticRun run{.bodies = 2, .frames = 2};
  RunRecord record = run.record();
  record.frames = 2;
  record.expected_rows = 2;
  {
    TrajectoryWriter writer(path_, run.initial_bodies(), record, {});
    run.write(writer, 0, 1);
    writer.finish(run.at(1));
  }
  EXPECT_LT(std::filesystem::file_size(path_), 100'000u);
  expect_frames(run, TrajectoryReader(path_));
  file_ = open_plain(path_);
  for (const char* name : {"/particles/all/position/step", "/particles/all/checksum", "/observables/checksum"})
    EXPECT_EQ(chunk(name), std::vector<hsize_t>{2}) << name;
  EXPECT_EQ(chunk("/observables/momentum/value"), (std::vector<hsize_t>{2, 3}));
}

TEST_F(TrajectorySchema, ChunkSizesFollowExpectedFrames) {
  EXPECT_EQ(hdf5::chunk_for(0), 1024u);  // length unknown
  EXPECT_EQ(hdf5::chunk_for(1), 1u);
  EXPECT_EQ(hdf5::chunk_for(5), 8u);
  EXPECT_EQ(hdf5::chunk_for(1000), 1024u);
  EXPECT_EQ(hdf5::chunk_for(1'000'000), 1024u);
  EXPECT_EQ(hdf5::chunk_for(5000, 4096), 4096u);
}

TEST_F(TrajectorySchema, FormatIsThatOfHdf5Version110) {
  write_run({});
  std::ifstream in(path_, std::ios::binary);
  std::array<char, 12> head{};
  in.read(head.data(), head.size());
  EXPECT_EQ(head[8], 3);   // superblock
  EXPECT_EQ(head[11], 0);  // not open for writing
}

TEST_F(TrajectorySchema, ParaViewSeesTheSameNumbers) {
  const SyntheticRun run{.bodies = 5, .frames = 7};
  write_run(run);
  EXPECT_EQ(text_attribute("/VTKHDF", "Type"), "PolyData");
  EXPECT_EQ(shape("/VTKHDF/Points"), (std::vector<hsize_t>{35, 3}));
  EXPECT_EQ(shape("/VTKHDF/Steps/CellOffsets"), (std::vector<hsize_t>{7, 4}));
  std::vector<double> points(35 * 3), velocities(35 * 3);
  H5Dread(dataset("/VTKHDF/Points"), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, points.data());
  H5Dread(dataset("/VTKHDF/PointData/velocity"), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, velocities.data());
  std::vector<std::int64_t> offsets(7), parts(7);
  H5Dread(dataset("/VTKHDF/Steps/PointOffsets"), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets.data());
  H5Dread(dataset("/VTKHDF/Steps/NumberOfParts"), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, parts.data());
  for (std::size_t i = 0; i < 7; ++i) {
    const auto told = run.at(static_cast<std::int64_t>(i));
    ASSERT_EQ(offsets[i], static_cast<std::int64_t>(5 * i));
    ASSERT_EQ(parts[i], 1);
    for (std::size_t n = 0; n < 5; ++n) {
      ASSERT_EQ(points[3 * (5 * i + n) + 1], told.position.y[n]);
      ASSERT_EQ(velocities[3 * (5 * i + n) + 2], told.velocity.z[n]);
    }
  }
}

TEST_F(TrajectorySchema, H5dumpReadsIt) {
  if (std::system("h5dump --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "h5dump is not installed";
  write_run({.frames = 5});
  EXPECT_EQ(std::system(("h5dump " + path_.string() + " > " + (folder_ / "dump").string() + " 2>&1").c_str()), 0);
}

}  // namespace
}  // namespace orrery::pipeline::testing
