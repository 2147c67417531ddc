// SPDX-License-Identifier: MIT
// The keys of figures: what is taken, what is refused and with which words, before anything runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

bool draws() {
  return !figure_descriptions().empty();
}

/// What a figure of these keys is refused with; "" where it is not.
std::string refused(const std::string& keys, const std::string& before = "") {
  const Scenario scenario = parse_scenario(sound + before + "[[figure]]\nfile = \"a.png\"\n" + keys, "s.toml", {});
  try {
    const Setup setup = set_up(scenario);
    (void)Pictures(scenario, setup);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

TEST(PictureKeys, BodiesAreColoredByWhatIsThere) {
  if (!draws()) GTEST_SKIP();
  for (const std::string kind : {"projection", "projections", "view3d"}) {
    for (const std::string by : {"body", "component", "speed", "mass", "density", "id"}) {
      EXPECT_EQ(refused("kind = \"" + kind + "\"\ncolor_by = \"" + by + "\"\n"), "") << kind << by;
    }
    EXPECT_THAT(refused("kind = \"" + kind + "\"\ncolor_by = \"sped\"\n"), HasSubstr("speed"));
  }
  EXPECT_THAT(refused("kind = \"energy-error\"\ncolor_by = \"body\"\n"), HasSubstr("color_by"));
}

TEST(PictureKeys, SpeedsMustBeKept) {
  if (!draws()) GTEST_SKIP();
  const std::string without = "[trajectory]\nvelocities = false\n";
  const std::string words = refused("kind = \"view3d\"\ncolor_by = \"speed\"\n", without);
  EXPECT_THAT(words, StartsWith("s.toml:16:"));
  EXPECT_THAT(words, HasSubstr("`velocities = true` in [trajectory]"));
  EXPECT_EQ(refused("kind = \"view3d\"\ncolor_by = \"mass\"\n", without), "");
}

TEST(PictureKeys, ADensityHasItsOwn) {
  if (!draws()) GTEST_SKIP();
  EXPECT_EQ(refused("kind = \"density\"\nplane = \"xz\"\nframe = \"barycentric\"\nlimits = [-1, 1, -1, 1]\n"
                    "range = [-3, 1]\ncomponent = \"two-body\"\n"),
            "");
  EXPECT_THAT(refused("kind = \"density\"\nrange = [-3]\n"), HasSubstr("range"));
  EXPECT_THAT(refused("kind = \"density\"\nplane = \"zz\"\n"), HasSubstr("plane"));
  EXPECT_EQ(refused("kind = \"view3d\"\naxes = false\n"), "");
}

}  // namespace
}  // namespace orrery::pipeline::testing
