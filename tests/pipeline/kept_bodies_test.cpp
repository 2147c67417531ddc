// SPDX-License-Identifier: MIT
// [trajectory] bodies, bodies_every and components: which bodies frames keep, in files and in pictures.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using Numbers = std::vector<std::int64_t>;

/// A star with two planets and 20 bodies in a cube; its last line is line 13.
const std::string crowd = R"([[initial]]
kind = "table"
component = "planets"
bodies = [{ name = "sun", mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "earth", mass = 0.1, position = [3, 0, 0], velocity = [0, 0.5, 0] },
          { name = "mars", mass = 0.1, position = [5, 0, 0], velocity = [0, 0.4, 0] }]
[[initial]]
kind = "random-cube"
n = 20
[force]
softening = 0.1
[integrator]
dt = 0.01
steps = 40
[trajectory]
)";

Numbers kept(const std::string& keys) {
  return setup_of(crowd + keys).output.stored.bodies;
}

TEST(KeptBodies, AreSelectedByNameNumberRangeAndComponent) {
  EXPECT_EQ(kept(""), Numbers{});
  EXPECT_EQ(kept("bodies = [\"mars\", \"sun\"]"), (Numbers{0, 2}));
  EXPECT_EQ(kept("bodies = [\"earth\", \"7\", \"1\", \"20:22\"]"), (Numbers{1, 7, 20, 21, 22}));
  EXPECT_EQ(kept("bodies_every = 10"), (Numbers{0, 10, 20}));
  EXPECT_EQ(kept("bodies_every = 100"), Numbers{0});
  EXPECT_EQ(kept("bodies_every = 1"), Numbers{});
  EXPECT_EQ(kept("components = [\"planets\"]"), (Numbers{0, 1, 2}));
  EXPECT_EQ(kept("components = [\"planets\", \"random-cube\"]"), Numbers{});
  EXPECT_EQ(kept("components = [\"random-cube\"]\nbodies_every = 9"), (Numbers{3, 12, 21}));
  EXPECT_EQ(kept("components = [\"random-cube\"]\nbodies_every = 9\nbodies = [\"sun\"]"), (Numbers{0, 3, 12, 21}));
  EXPECT_EQ(kept("bodies = [\"0:22\"]"), Numbers{});
}

TEST(KeptBodies, UnknownBodiesAreRefusedWithPosition) {
  EXPECT_EQ(refusal(crowd + "bodies = [\"erth\"]"),
            "s.toml:16:10: no body is named \"erth\"; did you mean `earth`?; give names, or indices such as \"3\" or "
            "\"0:9\"");
  EXPECT_EQ(refusal(crowd + "bodies = [\"sun\", \"23\"]"), "s.toml:16:10: there is no body 23: indices are 0 to 22");
  EXPECT_THAT(refusal(crowd + "bodies = [\"4:3\"]"), HasSubstr("16:10: no body is named \"4:3\""));
  EXPECT_THAT(refusal(crowd + "bodies = [\"\"]"), HasSubstr("16:10: no body is named \"\""));
  EXPECT_THAT(refusal(crowd + "bodies = [\"-1\"]"), HasSubstr("16:10: no body is named \"-1\""));
  EXPECT_THAT(refusal(crowd + "bodies = []"), HasSubstr("16:10: frames would store no body"));
  EXPECT_EQ(refusal(crowd + "components = [\"planet\"]"),
            "s.toml:16:14: there is no component \"planet\"; did you mean `planets`?; there are [\"planets\", "
            "\"random-cube\"]");
  EXPECT_THAT(refusal(crowd + "bodies_every = 0"), HasSubstr("16:16"));
}

TEST(KeptBodies, FileIsSmallerAndCheckReportsIt) {
  const auto size = [](const std::string& keys) {
    const Scenario scenario = parse_scenario(with(crowd, "n = 20", "n = 20000") + keys, "s.toml");
    return file_size(set_up(scenario));
  };
  EXPECT_LT(size("bodies_every = 100"), 0.2 * size(""));
}

/// The size given by `check` is near the actual one; a short run of few bodies has a small file.
TEST(KeptBodies, FileSizeIsAsPredicted) {
  for (const auto& [keys, most] :
       {std::pair{"", 5.5e5}, std::pair{"frames = 1", 2.5e5}, std::pair{"bodies_every = 4", 4e5},
        std::pair{"store = \"float32\"\nvelocities = false", 4e5}}) {
    const Folder folder;
    write(folder / "s.toml", crowd + keys);
    EXPECT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
    const auto actual = static_cast<double>(std::filesystem::file_size(folder / "s/run.h5"));
    const Scenario scenario = parse_scenario(crowd + keys, "s.toml");
    EXPECT_NEAR(file_size(set_up(scenario)), actual, 0.15 * actual) << keys;
    EXPECT_LT(actual, most) << keys;
  }
}

/// All ways to keep less, combined: the run is resumed from bodies that were never in a frame.
TEST(KeptBodies, RunResumesWithAnySubset) {
  const Folder folder;
  write(folder / "s.toml", with(crowd, "steps = 40", "steps = 40000") +
                               "bodies = [\"mars\"]\ncomponents = [\"random-cube\"]\nbodies_every = 7\n"
                               "store = \"float32\"\nvelocities = false\ncommit = 0.02\n");
  const std::string state = state_in(run(folder, {"simulate", "s.toml", "-o", "calm"}), 40000);
  for (int kill = 0; kill < 2; ++kill) {
    Running running(folder, {"simulate", "s.toml", "--quiet"});
    const auto reached = [&] { return TrajectoryReader(folder / "s/run.h5").restart().value_or(sim::Snapshot{}).step; };
    ASSERT_TRUE(wait_until([&] { return complaint([&] { (void)reached(); }).empty() && reached() > 1000 * kill; }));
    running.send(SIGKILL);
    (void)running.wait();
  }
  EXPECT_EQ(state_in(run(folder, {"simulate", "s.toml"}), 40000), state);
  expect_same_content(folder / "s/run.h5", folder / "calm/run.h5");
  EXPECT_EQ(TrajectoryReader(folder / "s/run.h5").ids(), (Numbers{2, 3, 10, 17}));
}

TEST(KeptBodies, PicturesShowOnlyKeptBodies) {
  const std::string figure =
      "[[figure]]\nkind = \"projection\"\nfile = \"a.png\"\nframe = \"body:{}\"\nsize = [200, 150]\n";
  const auto scenario = [&](const char* body) {
    return crowd + "bodies = [\"sun\", \"mars\"]\n" + fmt::format(fmt::runtime(figure), body) +
           "[[figure]]\nkind = \"energy-error\"\nfile = \"b.png\"\nsize = [200, 150]\n";
  };
  const Folder folder;
  write(folder / "s.toml", scenario("mars"));
  const Outcome drawn = run(folder, {"run", "s.toml"});
  if (drawn.errors.find("draws no pictures") != std::string::npos) GTEST_SKIP() << drawn.errors;
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  EXPECT_TRUE(std::filesystem::exists(folder / "s/a.png"));
  EXPECT_EQ(run(folder, {"render", "s/run.h5", "-o", "again"}).code, 0);
  EXPECT_EQ(read(folder / "again/a.png"), read(folder / "s/a.png"));
  write(folder / "s.toml", scenario("earth"));
  const Outcome refused = run(folder, {"run", "s.toml", "-o", "other"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("earth"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
