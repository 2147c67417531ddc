// SPDX-License-Identifier: MIT
// Pictures need only the trajectory: no initial state is computed again, and missing plug-ins do not matter.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/trajectory/checksums.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string cluster = R"(seed = 5
[initial]
kind = "plummer"
n = 129
[[force]]
kind = "gravity"
softening = 0.05
[[force]]
kind = "plummer-halo"
mass = 2.0
scale_length = 3.0
[integrator]
kind = "leapfrog"
dt = "1/400 crossing time"
time = "1/4 crossing time"
[trajectory]
frames = 11
[[figure]]
kind = "radial-profile"
file = "profile.svg"
[[figure]]
kind = "virial"
file = "virial.svg"
[[figure]]
kind = "projection"
file = "paths.svg"
trails = "1/8 crossing time"
)";

/// Replaces a text in a trajectory by another of the same length, with its checksum.
void change_text(const std::filesystem::path& path, const std::string& dataset, const std::string& from,
                 const std::string& to) {
  ASSERT_EQ(from.size(), to.size());
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  const std::string before = hdf5::read_text(file, dataset), text = std::regex_replace(before, std::regex(from), to);
  ASSERT_NE(text, before);
  const hdf5::Handle object = hdf5::open_dataset(file, dataset);
  const hdf5::Handle type(H5Dget_type(object));
  hdf5::write_all(object, type, text.data());
  hdf5::check(H5Adelete(object, trajectory::checksum_name));
  trajectory::add_checksum(file, dataset);
}

class DrawnFromFile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  }
  void simulate(const std::string& text) {
    write(folder_ / "s.toml", text);
    const Outcome outcome = run(folder_, {"run", "s.toml"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
  }
  /// A picture without its provenance.
  std::string shapes(const std::string& name) {
    std::string text = read(folder_ / name);
    const std::size_t begin = text.find("<metadata>"), end = text.find("</metadata>");
    EXPECT_LT(begin, end) << name;
    return text.erase(begin, end - begin);
  }
  Folder folder_;
};

TEST_F(DrawnFromFile, PicturesOfTheRunAreReproduced) {
  simulate(cluster);
  ASSERT_EQ(run(folder_, {"render", "s/run.h5", "-o", "again"}).code, 0);
  for (const char* name : {"profile.svg", "virial.svg", "paths.svg"})
    EXPECT_EQ(read(folder_ / "s" / name), read(folder_ / "again" / name)) << name;
}

TEST_F(DrawnFromFile, UnknownInitialStateKindIsIgnored) {
  simulate(cluster);
  change_text(folder_ / "s/run.h5", "/parameters/resolved", "\"plummer\"", "\"plumber\"");
  const Outcome drawn = run(folder_, {"render", "s/run.h5", "-o", "again"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  EXPECT_THAT(drawn.errors, IsEmpty());
  for (const char* name : {"profile.svg", "virial.svg", "paths.svg"})
    EXPECT_EQ(shapes(std::string("s/") + name), shapes(std::string("again/") + name)) << name;
  // Also a single picture requested by its kind, with times in the run's own unit.
  const Outcome one = run(folder_, {"render", "s/run.h5", "--figure", "snapshots", "--set",
                                    "figure[0].times=[0, \"1/8 crossing time\"]", "-o", "snapshots.svg"});
  EXPECT_EQ(one.code, 0) << one.errors;
  // Commands that need the bodies at t = 0 report the cause.
  for (const char* command : {"verify", "resume"}) {
    const Outcome outcome = run(folder_, {command, "s/run.h5"});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.errors,
                HasSubstr("s/run.h5:scenario:5:8: there is no initial \"plumber\"; did you mean `plummer`?"));
  }
  EXPECT_EQ(run(folder_, {"info", "s/run.h5"}).code, 0);
  EXPECT_EQ(run(folder_, {"diff", "s/run.h5", "s/run.h5"}).code, 0);
  EXPECT_EQ(run(folder_, {"table", "."}).code, 0);
}

TEST_F(DrawnFromFile, UnknownIntegratorIsIgnored) {
  simulate(cluster);
  change_text(folder_ / "s/run.h5", "/parameters/resolved", "leapfrog\"", "leapfrok\"");
  const Outcome drawn = run(folder_, {"render", "s/run.h5", "-o", "again"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  EXPECT_EQ(shapes("s/virial.svg"), shapes("again/virial.svg"));
}

TEST_F(DrawnFromFile, UnknownForceOmitsOnlyFiguresThatNeedIt) {
  simulate(with(cluster, "[[figure]]\nkind = \"virial\"\nfile = \"virial.svg\"\n", ""));
  change_text(folder_ / "s/run.h5", "/parameters/resolved", "plummer-halo", "plummer-hola");
  const Outcome drawn = run(folder_, {"render", "s/run.h5", "-o", "again"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  EXPECT_EQ(shapes("s/paths.svg"), shapes("again/paths.svg"));
  const Outcome virial = run(folder_, {"render", "s/run.h5", "--figure", "virial"});
  EXPECT_EQ(virial.code, 2);
  EXPECT_THAT(virial.errors, HasSubstr("there is no force \"plummer-hola\"; did you mean `plummer-halo`?"));
}

TEST_F(DrawnFromFile, SubsetFramesUseTheTotalMass) {
  simulate(with(with(with(cluster, "[[force]]\nkind = \"plummer-halo\"\nmass = 2.0\nscale_length = 3.0\n", ""),
                     "softening = 0.05", "softening = 0.0"),
                "frames = 11", "frames = 11\nbodies = [\"0:9\"]"));
  const Outcome drawn = run(folder_, {"render", "s/run.h5", "-o", "again"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  EXPECT_EQ(read(folder_ / "s/virial.svg"), read(folder_ / "again/virial.svg"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
