// SPDX-License-Identifier: MIT
// Messages for files that a command does not accept, and for contradictory keys of pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/section.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string plain_run = "[[initial]]\nkind = \"two-body\"\n[integrator]\ndt = 0.01\nsteps = 20\n";

std::string refused(const Folder& folder, const std::vector<std::string>& arguments) {
  const Outcome outcome = run(folder, arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  return outcome.errors;
}

TEST(Messages, ErrorNamesTheTypeOfAFile) {
  const Folder folder;
  write(folder / "b.toml", plain_run);
  write(folder / "noext", "\x89PNG\r\n\x1a\n and so on");
  write(folder / "other.jpg", "\xff\xd8\xff\xe0 JFIF \xff");
  for (const char* command : {"info", "render"})
    EXPECT_THAT(run(folder, {command, "b.toml"}).errors, HasSubstr("a scenario: `orrery run b.toml` makes b/run.h5"));
  EXPECT_THAT(run(folder, {"info", "noext"}).errors,
              HasSubstr("a picture without its extension: rename it to noext.png"));
  EXPECT_THAT(run(folder, {"info", "other.jpg"}).errors, HasSubstr("not an HDF5 file"));
  EXPECT_THAT(refused(folder, {"run", "other.jpg"}),
              AllOf(HasSubstr("other.jpg:1:1: is not UTF-8 text: byte 0xff"), Not(HasSubstr("Encountered"))));
  write(folder / "s.toml", plain_run + "[sweep]\nintegrator.dt = [0.01, 0.02]\n");
  ASSERT_EQ(run(folder, {"simulate", "s.toml", "--quiet"}).code, 0);
  EXPECT_THAT(run(folder, {"render", "s"}).errors,
              HasSubstr("s: is a folder: choose a figure of its runs, --figure convergence or energy-error"));
}

TEST(Messages, BodiesWereRecentred) {
  const Folder folder;
  const std::string words =
      "all positions were shifted by 5 au and all velocities by 2 au/d, so that the centre of mass is at rest at the "
      "origin (`recentre = false` disables this)\n";
  write(folder / "s.toml",
        "units = \"astronomical\"\n" +
            with(plain_run, "[integrator]", "offset = [3, 0, 4]\nvelocity = [0, 2, 0]\n[integrator]"));
  EXPECT_THAT(run(folder, {"check", "s.toml"}).output,
              ::testing::ContainsRegex("\nrecentre +" + with(with(words, "(", "\\("), ")", "\\)")));
  const std::string json = run(folder, {"check", "s.toml", "--json"}).output;
  EXPECT_THAT(json, AllOf(HasSubstr("\"recentre_distance\": 5.0,"), HasSubstr("\"recentre_speed\": 2.0,")));
  const std::string said = run(folder, {"simulate", "s.toml"}).output;
  EXPECT_THAT(said, ::testing::StartsWith("s/run.h5: " + words));
  EXPECT_THAT(run(folder, {"simulate", "s.toml", "--force", "--quiet", "--set", "seed=2"}).output,
              Not(HasSubstr("shifted")));
  for (const char* command : {"check", "simulate"})
    EXPECT_THAT(
        run(folder, {command, "s.toml", "--set", "initial.recentre=false", "--set", "trajectory.file=b.h5"}).output,
        Not(HasSubstr("shifted by")));
}

TEST(Messages, ResolvedScenarioKeepsUnicode) {
  EXPECT_EQ(to_toml(Value(std::string("Ünïcødé 星"))), "\"Ünïcødé 星\"");
  EXPECT_EQ(to_toml(Value(std::string("a\n\"b\" \\ \x7f"))), "\"a\\n\\\"b\\\" \\\\ \\u007F\"");
}

TEST(Messages, OrderOfOutputAndErrorsIsKept) {
  if (!draws_pictures()) GTEST_SKIP();
  const Folder folder;
  write(folder / "s.toml", plain_run + "[[figure]]\nkind = \"view3d\"\nfile = \"a.png\"\n");
  const std::string command = "cd '" + (folder / "").string() +
                              "' && __EGL_VENDOR_LIBRARY_DIRS=/nonexistent '" ORRERY_PROGRAM "' run s.toml > both 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
  const std::string both = read(folder / "both");
  EXPECT_LT(both.find("\nstate "), both.rfind("\norrery: a.png: ")) << both;
}

class PictureMessages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  Outcome check(const std::string& pictures, const std::vector<std::string>& flags = {}) const {
    write(folder_ / "s.toml", plain_run + pictures);
    std::vector<std::string> arguments{"check", "s.toml"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run(folder_, arguments);
  }
  Folder folder_;
  const std::string film_ = "[[film]]\nkind = \"view3d\"\nfile = \"f.mp4\"\n";
};

TEST_F(PictureMessages, RefusalsSayWhatToWrite) {
  EXPECT_THAT(check("[film]\nkind = \"view3d\"\nfile = \"f.gif\"\n[film.key]\nat = 0\n").errors,
              HasSubstr("`key` must be a list of tables: write [[film.key]]"));
  EXPECT_THAT(check(film_ + "dpi = 100\n").errors,
              HasSubstr("s.toml:9:1: films are in pixels: use `size` instead of `dpi`"));
  EXPECT_THAT(check(film_ + "width = \"8 cm\"\n").errors, HasSubstr("films are in pixels"));
  EXPECT_THAT(check("[[figure]]\nkind = \"projection\"\nfile = \"a.svg\"\nwidth = 8.6\n").errors,
              HasSubstr("`width` must be a text in quotes, as \"8.6 cm\""));
  EXPECT_THAT(check("[[figure]]\nkind = \"separation\"\nfile = \"a.svg\"\nbodies = [\"0\", \"0\"]\n").errors,
              HasSubstr("these are the same body: give two"));
  EXPECT_THAT(check(film_, {"--set", "film[3].fps=20"}).errors, HasSubstr("`film` has only 1 entry"));
  const std::string snapshots = "[[figure]]\nkind = \"snapshots\"\nfile = \"a.svg\"\ntimes = [0.0, 0.1]\n";
  EXPECT_THAT(check(snapshots + "count = 3\n").errors, HasSubstr("`times` and `count` exclude each other"));
  EXPECT_EQ(check(snapshots + "count = 6\n").code, 0);  // the default, as in scenarios written out
}

TEST_F(PictureMessages, FilmTooLargeForPlayersIsReported) {
  EXPECT_THAT(check(film_ + "size = [4112, 240]\n").output, HasSubstr("at most 4096 × 2304"));
  EXPECT_THAT(check(film_ + "size = [4096, 240]\n").output, Not(HasSubstr("at most 4096")));
}

/// Pictures of earlier versions carry one run of several.
TEST_F(PictureMessages, OldPictureOfTwoRunsExplainsHowToRunTheFirst) {
  const std::string figure = "[[figure]]\nkind = \"energy-error\"\nfile = \"e.svg\"\nothers = [\"../b/run.h5\"]\n";
  write(folder_ / "e.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata><run xmlns=\"urn:orrery\">"
        "<version>orrery 0.9</version><state>0123456789abcdef</state><scenario>" +
            plain_run + figure + "</scenario></run></metadata></svg>\n");
  EXPECT_THAT(refused(folder_, {"run", "e.svg", "-o", "far"}), HasSubstr("`orrery simulate e.svg` makes the first"));
}

TEST_F(PictureMessages, RunsWithoutUnitsAreReported) {
  write(folder_ / "a.toml", plain_run);
  write(folder_ / "b.toml", "units = \"astronomical\"\n" + plain_run);
  ASSERT_EQ(run(folder_, {"simulate", "a.toml"}).code, 0);
  const Outcome made = run(folder_, {"simulate", "b.toml"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_THAT(refused(folder_, {"render", "a/run.h5", "b/run.h5", "--figure", "energy-error", "-o", "e.png"}),
              HasSubstr("b/run.h5 counts time in d"));
  EXPECT_THAT(refused(folder_, {"render", "a/run.h5", "b/run.h5", "--figure", "energy-error", "-o", "e.png"}),
              HasSubstr("this run has no units: they cannot share an axis"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
