// SPDX-License-Identifier: MIT
// What commands take beside one trajectory: several, scenarios, files of other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <csignal>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* operands_run =
    "[initial]\nkind = \"two-body\"\nmasses = [1.0, 0.5]\neccentricity = 0.3\n[integrator]\nkind = \"yoshida4\"\n"
    "dt = 0.05\nsteps = 33\n";

class ProgramOperands : public ::testing::Test {
 protected:
  ProgramOperands() { write(folder_ / "a.toml", operands_run); }
  Outcome orrery(const std::vector<std::string>& words) { return run(folder_, words); }
  void simulate(const std::string& name, const std::string& set = "title=t") {
    testing::simulate(folder_, "a.toml", name, {set});
  }
  Folder folder_;
};

TEST_F(ProgramOperands, ExportOfAScenarioIsItsInitialState) {
  const Outcome table = orrery({"export", "a.toml", "--format", "csv"});
  ASSERT_EQ(table.code, 0) << table.errors;
  simulate("a", "integrator.steps=1");
  EXPECT_EQ(table.output, orrery({"export", "a/run.h5", "--format", "csv", "--frames", "0:0"}).output);
  // It is a table of bodies, and leaves nothing behind.
  write(folder_ / "bodies.csv", table.output);
  write(folder_ / "b.toml", "[initial]\nkind = \"table\"\nfile = \"bodies.csv\"\n[integrator]\ndt = 0.05\nsteps = 3\n");
  EXPECT_EQ(orrery({"check", "b.toml"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b"));
  const Outcome json = orrery({"export", "a.toml", "--format", "json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_THAT(json.errors, HasSubstr("a.toml: is a scenario: json needs a trajectory"));
}

TEST_F(ProgramOperands, VerifyOfSeveral) {
  simulate("a");
  simulate("b", "integrator.dt=0.025");
  const Outcome both = orrery({"verify", "a/run.h5", "b/run.h5", "--quiet"});
  EXPECT_EQ(both.code, 0) << both.errors;
  EXPECT_THAT(both.output, AllOf(HasSubstr("a/run.h5\n"), HasSubstr("b/run.h5\n")));
  const Outcome json = orrery({"verify", "a/run.h5", "b/run.h5", "--quiet", "--json"});
  EXPECT_TRUE(is_json(json.output)) << json.output;
  const std::filesystem::path file = folder_ / "a/run.h5";
  flip(file, place_of(file, "/particles/all/position/value", 5, 3));
  const Outcome damaged = orrery({"verify", "a/run.h5", "b/run.h5", "--quiet"});
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.output, AllOf(HasSubstr("no\n"), HasSubstr("yes, to the last bit\n")));
}

TEST_F(ProgramOperands, DiffOfAFileAndAScenario) {
  simulate("a");
  const Outcome same = orrery({"diff", "a/run.h5", "a.toml"});
  EXPECT_EQ(same.code, 0) << same.output << same.errors;
  write(folder_ / "b.toml", std::string(operands_run) + "kind2 = 1\n");
  EXPECT_EQ(orrery({"diff", "b.toml", "a/run.h5"}).code, 2);
  std::string other = operands_run;
  other.replace(other.find("0.3"), 3, "0.4");
  write(folder_ / "b.toml", other);
  const Outcome differ = orrery({"diff", "a/run.h5", "b.toml"});
  EXPECT_EQ(differ.code, 1);
  EXPECT_THAT(differ.output, HasSubstr("initial[0].eccentricity (a/run.h5 0.3, b.toml 0.4)"));
}

TEST_F(ProgramOperands, FilesOfOtherProgramsAreNamed) {
  const hid_t file = H5Fcreate((folder_ / "snap.hdf5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* group : {"/Header", "/PartType1"})
    H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  for (const char* command : {"run", "check", "info", "resume"}) {
    const Outcome outcome = orrery({command, "snap.hdf5"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.errors, HasSubstr("a snapshot in the format of GADGET, not a trajectory of orrery")) << command;
    EXPECT_THAT(outcome.errors, Not(HasSubstr("is a trajectory:")));
  }
  write(folder_ / "x.png", "\211PNG\r\n\032\n");
  for (const char* command : {"resume", "verify", "table", "repair"}) {
    EXPECT_THAT(orrery({command, "x.png"}).errors,
                HasSubstr("x.png: not an HDF5 file but a picture: if orrery drew it, `orrery simulate x.png` makes"));
  }
  simulate("a");
  EXPECT_THAT(orrery({"run", "a/run.h5"}).errors, HasSubstr("a/run.h5: is a trajectory: `orrery resume`"));
}

TEST_F(ProgramOperands, SuitesWithoutQuickChecks) {
  const Outcome outcome = orrery({"validate", "--suite", "work", "--quick"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.errors, "orrery: nothing is validated in suite work with --quick; leave one of them out\n");
}

TEST_F(ProgramOperands, NumberedFilmAndFigureOfOneName) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  write(folder_ / "b.toml", std::string(operands_run) +
                                "[[figure]]\nkind = \"projection\"\nfile = \"a-01.png\"\n"
                                "[[film]]\nkind = \"projection\"\nfile = \"a-##.png\"\nduration = 0.1\n");
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = orrery({command, "b.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr("a-01.png would be written by a-01.png and by a-##.png: rename one of them"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b"));
}

TEST_F(ProgramOperands, JoinKeepsADanglingLink) {
  std::filesystem::create_symlink("elsewhere.mp4", folder_ / "film.mp4");
  write(folder_ / "film.piece-1-of-1.mp4", "");
  const Outcome outcome = orrery({"join", "film.mp4"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("film.mp4: is a link to a file that is not there"));
}

TEST_F(ProgramOperands, TooFewFilesAreCalledSo) {
  write(folder_ / "b.toml",
        std::string(operands_run) + "[[film]]\nkind = \"projection\"\nfile = \"a.gif\"\nduration = 0.1\n");
  for (const char* most : {"5", "6", "7", "8"}) {
    const Outcome outcome =
        run(folder_, {"run", "b.toml", "--force"},
            {.launcher = {"/bin/sh", "-c", std::string("ulimit -n ") + most + "; exec \"$0\" \"$@\""}});
    EXPECT_THAT(outcome.errors, Not(HasSubstr("Bad file descriptor"))) << most;
  }
}

/// A closed terminal stops a run as SIGTERM does.
TEST_F(ProgramOperands, HangUpStopsARun) {
  Running running(folder_, {"simulate", "a.toml", "--set", "integrator.steps=2000000000", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return running.heeds(SIGHUP) && std::filesystem::exists(folder_ / "a/run.h5"); }));
  running.send(SIGHUP);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 129);
  EXPECT_THAT(outcome.errors, HasSubstr("`orrery resume a/run.h5` goes on from there"));
}

/// A picture of several runs carries them all: `run` makes them and draws the same picture.
TEST_F(ProgramOperands, PictureOfSeveralRunsIsMadeAgain) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  simulate("a");
  simulate("b", "integrator.kind=leapfrog");
  for (const char* name : {"e.png", "e.svg", "e.pdf"}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(orrery({"render", "a/run.h5", "b/run.h5", "--figure", "energy-error", "-o", name}).code, 0);
    std::filesystem::create_directories(folder_ / "far");
    std::filesystem::rename(folder_ / name, folder_ / "far" / name);
    EXPECT_THAT(orrery({"check", std::string("far/") + name}).output, HasSubstr("members"));
    const Outcome again = orrery({"run", std::string("far/") + name, "-o", "far/again", "--force"});
    ASSERT_EQ(again.code, 0) << again.errors;
    EXPECT_EQ(read(folder_ / "far/again" / name), read(folder_ / "far" / name));
    EXPECT_THAT(orrery({"export", std::string("far/") + name, "--format", "csv"}).errors,
                HasSubstr("shows several runs: `orrery simulate` makes them"));
  }
  expect_same_content(folder_ / "b/run.h5", folder_ / "far/again/b/run.h5");
}

TEST_F(ProgramOperands, PictureOfASweepIsMadeAgain) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  write(folder_ / "s.toml", std::string(operands_run) +
                                "[sweep]\n\"integrator.dt\" = [0.05, 0.025, 0.0125]\n"
                                "[[figure]]\nkind = \"convergence\"\nfile = \"c.pdf\"\n"
                                "[[figure]]\nkind = \"projection\"\nfile = \"p.png\"\n");
  ASSERT_EQ(orrery({"run", "s.toml"}).code, 0);
  std::filesystem::copy(folder_ / "s/c.pdf", folder_ / "c.pdf");
  EXPECT_THAT(orrery({"info", "c.pdf"}).output,
              AllOf(HasSubstr("name = \"002\""), HasSubstr("overrides = [\"integrator.dt=0.0125\"]")));
  const Outcome again = orrery({"run", "c.pdf"});
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(read(folder_ / "c/c.pdf"), read(folder_ / "c.pdf"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c/000/p.png"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
