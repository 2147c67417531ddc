// SPDX-License-Identifier: MIT
// Messages of run, check and render for pictures that cannot be drawn here, or not as requested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* rendered = R"([[initial]]
kind = "two-body"
[integrator]
dt = 0.01
steps = 50
)";

std::string figure(const std::string& file, const std::string& kind = "projection", const std::string& more = "") {
  return "[[figure]]\nkind = \"" + kind + "\"\nfile = \"" + file + "\"\nsize = [320, 240]\n" + more;
}

class Drawing : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  void scenario_with(const std::string& pictures, const std::string& name = "s.toml") const {
    write(folder_ / name, rendered + pictures);
  }
  [[nodiscard]] bool is_there(const std::string& file) const { return std::filesystem::exists(folder_ / file); }
  Folder folder_;
};

/// Programs started during its lifetime find no OpenGL driver.
class WithoutOpenGL : public Drawing {
 protected:
  void SetUp() override {
    Drawing::SetUp();
    ::setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", 1);
  }
  void TearDown() override { ::unsetenv("__EGL_VENDOR_LIBRARY_DIRS"); }
};

TEST_F(WithoutOpenGL, OtherFiguresAreDrawnAndView3dIsReportedBeforeTheFirstStep) {
  scenario_with(figure("a.png", "view3d") + figure("a.pdf", "view3d") + figure("e.png", "energy-error") +
                "[[film]]\nkind = \"view3d\"\nfile = \"f.mp4\"\nsize = [96, 64]\nduration = 0.2\n");
  const auto says =
      AllOf(HasSubstr("a.png, f.mp4: pixels of view3d need OpenGL"), HasSubstr("a .svg or .pdf needs none"));
  const Outcome plan = run(folder_, {"check", "s.toml"});
  EXPECT_EQ(plan.code, 0);
  EXPECT_THAT(plan.output, AllOf(HasSubstr("warning: "), says));

  const Outcome made = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(made.code, 1);
  EXPECT_THAT(made.errors, AllOf(says, HasSubstr("`orrery render s/run.h5` draws the rest")));
  EXPECT_EQ(std::count(made.errors.begin(), made.errors.end(), '\n'), 2) << made.errors;  // before and after
  EXPECT_NE(state_in(made, 50), "");
  EXPECT_TRUE(is_there("s/a.pdf") && is_there("s/e.png"));
  EXPECT_FALSE(is_there("s/a.png") || is_there("s/f.mp4") || is_there("s/summary.json"));

  std::filesystem::remove(folder_ / "s/a.pdf");
  const Outcome drawn = run(folder_, {"render", "s/run.h5"});
  EXPECT_EQ(drawn.code, 1);
  EXPECT_THAT(drawn.errors, says);
  EXPECT_TRUE(is_there("s/a.pdf"));
}

TEST_F(WithoutOpenGL, IsNeededByPixelsOfView3dOnly) {
  scenario_with(figure("a.png") + figure("v.svg", "view3d") + figure("d.png", "density"));
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).output, Not(HasSubstr("OpenGL")));
  const Outcome made = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(made.code, 0) << made.errors;
  EXPECT_TRUE(is_there("s/a.png") && is_there("s/v.svg") && is_there("s/d.png") && is_there("s/summary.json"));
}

/// In programs started during its lifetime the module of pictures lacks a library.
class WithoutCairo : public Drawing {
 protected:
  void SetUp() override {
    Drawing::SetUp();
    std::filesystem::create_directory(folder_ / "broken");
    write(folder_ / "broken/libcairo.so.2", "");
    ::setenv("LD_LIBRARY_PATH", (folder_ / "broken").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("LD_LIBRARY_PATH"); }
};

TEST_F(WithoutCairo, NumbersAreWrittenAndTheLibraryIsNamed) {
  scenario_with(figure("a.png") + figure("e.csv", "energy-error"));
  const auto says = AllOf(HasSubstr("no pictures can be drawn here: "), HasSubstr("libcairo.so.2"));
  const Outcome plan = run(folder_, {"check", "s.toml"});
  EXPECT_EQ(plan.code, 0);
  EXPECT_THAT(plan.output, says);
  const Outcome made = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(made.code, 1);
  EXPECT_THAT(made.errors, AllOf(says, HasSubstr("`orrery render s/run.h5` draws the rest")));
  EXPECT_EQ(std::count(made.errors.begin(), made.errors.end(), '\n'), 2) << made.errors;  // before and after
  EXPECT_TRUE(is_there("s/e.csv"));
  EXPECT_FALSE(is_there("s/a.png") || is_there("s/summary.json"));
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(run(folder_, {"render", "s/run.h5"}).code, 0);
  EXPECT_TRUE(is_there("s/a.png"));
}

TEST_F(Drawing, SinglePictureIsWrittenToOutputFile) {
  scenario_with(figure("a.png"), "one.toml");
  ASSERT_EQ(run(folder_, {"run", "one.toml"}).code, 0);
  ASSERT_EQ(run(folder_, {"render", "one/run.h5", "-o", "new/y.svg"}).code, 0);
  EXPECT_THAT(read(folder_ / "new/y.svg"), HasSubstr("</svg>"));
  scenario_with(figure("a.svg") + figure("b.svg", "energy-error"), "two.toml");
  ASSERT_EQ(run(folder_, {"run", "two.toml"}).code, 0);
  const Outcome outcome = run(folder_, {"render", "two/run.h5", "-o", "y.png"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors,
              HasSubstr("-o y.png: the run has 2 pictures: give a folder, or choose one, --figure KIND"));
  EXPECT_FALSE(is_there("y.png"));
}

TEST_F(Drawing, ErrorsNameTheFlags) {
  scenario_with("");
  ASSERT_EQ(run(folder_, {"run", "s.toml"}).code, 0);
  const auto refused = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"render", "s/run.h5"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    return outcome.errors;
  };
  EXPECT_THAT(refused({"--figure", "projection", "-o", "x.jpg"}), StartsWith("orrery: -o x.jpg: must end in .png"));
  EXPECT_THAT(refused({"--figure", "projection", "-o", "s.toml/x.png"}), StartsWith("orrery: s.toml: is not a folder"));
  EXPECT_THAT(refused({"--figure", "projection", "--set", "integrator.dt=1"}),
              HasSubstr("--set integrator.dt=1: render cannot change the run"));
  write(folder_ / "single.toml", "[[initial]]\nkind = \"random-cube\"\nn = 1\n[integrator]\ndt = 0.01\nsteps = 5\n");
  ASSERT_EQ(run(folder_, {"run", "single.toml"}).code, 0);
  const Outcome outcome = run(folder_, {"render", "single/run.h5", "--figure", "separation"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, StartsWith("orrery: --figure separation: "));
}

TEST_F(Drawing, FileNameOfAFilmMakesAFilm) {
  scenario_with("");
  ASSERT_EQ(run(folder_, {"run", "s.toml"}).code, 0);
  const Outcome outcome = run(folder_, {"render", "s/run.h5", "--figure", "projection", "-o", "x.gif", "--set",
                                        "film.duration=0.2", "--set", "film.size=[96, 64]"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(read(folder_ / "x.gif"), StartsWith("GIF89a"));
}

TEST_F(Drawing, InterruptedGifOrSequenceReportsRemainingFiles) {
  for (const auto& [file, words] :
       {std::pair("x.gif", "stopped; a GIF leaves nothing: draw x.gif again\n"),
        std::pair("x-####.png", "stopped; the frames so far stay: draw x-####.png again")}) {
    std::filesystem::remove_all(folder_ / "drawn");
    scenario_with(figure("a.svg") + "[[film]]\nkind = \"projection\"\nfile = \"" + file +
                      "\"\nsize = [640, 480]\nduration = 60\n",
                  "f.toml");
    ASSERT_EQ(run(folder_, {"simulate", "f.toml", "--force"}).code, 0);
    Running drawing(folder_, {"render", "f/run.h5", "-o", "drawn"});
    ASSERT_TRUE(wait_until([&] { return drawing.heeds(SIGINT) && is_there("drawn/a.svg"); }));
    drawing.send(SIGINT);
    const Outcome outcome = drawing.wait();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_THAT(outcome.errors, AllOf(HasSubstr(words), HasSubstr("stopped at picture 2 of 2")));
  }
}

TEST_F(Drawing, FollowedBodyIsANameOrANumber) {
  for (const char* follow : {"follow = 1", "follow = \"1\""}) {
    scenario_with(figure("a.svg", "projection", std::string(follow) + "\n"));
    const Outcome outcome = run(folder_, {"run", "s.toml", "--force"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
  }
  const std::string panels =
      "[[figure]]\nkind = \"panels\"\nfile = \"p.svg\"\n"
      "[[figure.part]]\nkind = \"view3d\"\nfollow = 0\n";
  scenario_with(panels);
  EXPECT_EQ(run(folder_, {"check", "s.toml"}).code, 0);
  scenario_with(figure("a.svg", "projection", "follow = \"Sun\"\n"));
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).errors, HasSubstr("no body is named \"Sun\" (there are: 0, 1); "));
  scenario_with(figure("a.svg", "projection", "follow = 2\n"));
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).errors, HasSubstr("no body is named \"2\""));
}

TEST_F(Drawing, UnfinishedRunIsReported) {
  scenario_with(figure("a.svg"));
  Running running(folder_, {"simulate", "s.toml", "--set", "integrator.steps=2e9", "--set", "integrator.dt=1e-6",
                            "--set", "trajectory.frames=200001", "--set", "trajectory.commit=0.1"});
  ASSERT_TRUE(wait_until([&] { return is_there("s/run.h5") && running.heeds(SIGINT); }));
  running.send(SIGINT);
  ASSERT_EQ(running.wait().code, 130);
  const Outcome outcome = run(folder_, {"render", "s/run.h5"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors,
              AllOf(StartsWith("orrery: s/run.h5 is not finished (step "), HasSubstr(" of 2000000000): drawn to t = "),
                    HasSubstr("; `orrery resume s/run.h5` goes on\n")));
  EXPECT_EQ(run(folder_, {"render", "s/run.h5", "--quiet"}).errors, "");
}

TEST_F(Drawing, FollowingInAMissingFolderFailsSlow) {
  const Outcome outcome = run(folder_, {"render", "nope/run.h5", "--follow"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("nope: there is no such folder"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
