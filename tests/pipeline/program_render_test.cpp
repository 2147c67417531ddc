// SPDX-License-Identifier: MIT
// What run, check and render say of pictures that cannot be drawn here, or not as asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* scenario = R"([[initial]]
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
    if (figure_descriptions().empty()) GTEST_SKIP();
  }
  void scenario_with(const std::string& pictures, const std::string& name = "s.toml") const {
    write(folder_ / name, scenario + pictures);
  }
  [[nodiscard]] bool is_there(const std::string& file) const { return std::filesystem::exists(folder_ / file); }
  Folder folder_;
};

/// Programs that it starts find no driver of OpenGL.
class WithoutOpenGL : public Drawing {
 protected:
  void SetUp() override {
    Drawing::SetUp();
    ::setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", 1);
  }
  void TearDown() override { ::unsetenv("__EGL_VENDOR_LIBRARY_DIRS"); }
};

TEST_F(WithoutOpenGL, VectorsAreDrawnAndPixelsComplainedOfBeforeTheFirstStep) {
  scenario_with(figure("a.png") + figure("a.pdf") + figure("e.svg", "energy-error") +
                "[[film]]\nkind = \"projection\"\nfile = \"f.mp4\"\nsize = [96, 64]\nduration = 0.2\n");
  const auto says = AllOf(HasSubstr("a.png, f.mp4: pictures need OpenGL"), HasSubstr("a .svg or .pdf needs none"));
  const Outcome plan = run(folder_, {"check", "s.toml"});
  EXPECT_EQ(plan.code, 0);
  EXPECT_THAT(plan.output, AllOf(HasSubstr("warning: "), says));

  const Outcome made = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(made.code, 1);
  EXPECT_THAT(made.errors, AllOf(says, HasSubstr("`orrery render s/run.h5` draws the rest")));
  EXPECT_EQ(std::count(made.errors.begin(), made.errors.end(), '\n'), 2) << made.errors;  // before and after
  EXPECT_NE(state_in(made, 50), "");
  EXPECT_TRUE(is_there("s/a.pdf") && is_there("s/e.svg"));
  EXPECT_FALSE(is_there("s/a.png") || is_there("s/f.mp4") || is_there("s/summary.json"));

  std::filesystem::remove(folder_ / "s/a.pdf");
  const Outcome drawn = run(folder_, {"render", "s/run.h5"});
  EXPECT_EQ(drawn.code, 1);
  EXPECT_THAT(drawn.errors, says);
  EXPECT_TRUE(is_there("s/a.pdf"));
}

TEST_F(WithoutOpenGL, VectorsAloneNeedNone) {
  scenario_with(figure("a.pdf") + figure("v.svg", "view3d") + figure("d.svg", "density"));
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).output, Not(HasSubstr("OpenGL")));
  const Outcome made = run(folder_, {"run", "s.toml"});
  EXPECT_EQ(made.code, 0) << made.errors;
  EXPECT_TRUE(is_there("s/a.pdf") && is_there("s/v.svg") && is_there("s/d.svg") && is_there("s/summary.json"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
