// SPDX-License-Identifier: MIT
// Bodies in a box stay where a scenario puts them, and they fill the box of docs/boxes.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

/// The first TOML block of the page that contains the word.
std::string from_page(const std::string& word) {
  const std::string page = read(std::filesystem::path(ORRERY_SOURCE_DIR) / "docs/boxes.md");
  for (std::size_t at = 0; (at = page.find("```toml\n", at)) != std::string::npos; ++at) {
    const std::size_t begin = at + 8;
    std::string block = page.substr(begin, page.find("```", begin) - begin);
    if (block.find(word) != std::string::npos) return block;
  }
  ADD_FAILURE() << word;
  return "";
}

TEST(ScenarioBoxes, Cs267UsesTheSeedOfTheScenario) {
  const auto setup = setup_of(from_page("short-range-box"));
  ASSERT_EQ(setup.model.bodies.size(), 1000U);
  EXPECT_EQ(setup.model.bodies.position.x[0], 0.04285495643554834);
  EXPECT_EQ(setup.model.bodies.position.y[999], 0.23570226039551587);
  EXPECT_EQ(setup.model.bodies.velocity.y[999], -0.38137376308441162);
  EXPECT_EQ(setup.moved, sim::Vec3{});
  EXPECT_EQ(setup.slowed, sim::Vec3{});
  const std::string other = with(from_page("short-range-box"), "seed = 1", "seed = 2");
  EXPECT_NE(setup_of(other).model.bodies.position.x, setup.model.bodies.position.x);
}

TEST(ScenarioBoxes, BodiesBetweenTheEndsOfABoxAreNotRecentred) {
  const std::string walls = from_page("short-range-box");
  EXPECT_THAT(refusal(walls, {"initial.recentre=true"}), HasSubstr("is outside the box"));
  const auto all = setup_of(walls).model.bodies.position.x;
  for (const char* boundary : {"periodic", "[\"open\", \"reflecting\"]", "[\"periodic\", \"open\"]"})
    EXPECT_EQ(setup_of(walls, {std::string("domain.boundary=") + boundary}).model.bodies.position.x, all) << boundary;
  const auto open = setup_of(walls, {"domain.boundary=open"});
  EXPECT_NE(open.moved, sim::Vec3{});
  EXPECT_EQ(setup_of(walls, {"domain.boundary=open", "initial.recentre=false"}).model.bodies.position.x, all);
}

TEST(ScenarioBoxes, InvalidCs267BoxIsRefusedInOneLine) {
  const std::string walls = from_page("short-range-box");
  const auto refused = [&](const std::string& key) { return refusal(walls, {key}); };
  EXPECT_EQ(refused("initial.area=0.0005"),
            "--set initial.area=0.0005: `edges` of [domain] already give the size of the box: omit one of the two");
  EXPECT_THAT(refused("seed=4294967296"), HasSubstr("which has a `seed` of at most 4294967295, not 4294967296"));
  EXPECT_EQ(refused("seed=4294967295"), "");
  EXPECT_THAT(refused("initial.n=0"), HasSubstr("`n` = 0 must be in [1, 1e8]"));
  EXPECT_THAT(refused("initial.area=0"), HasSubstr("`area` = 0 must be greater than 0"));
  EXPECT_THAT(refused("domain.dimensions=3"), HasSubstr("`edges` must have 3 entries"));
}

TEST(ScenarioBoxes, LatticesOfTheDocumentationFillTheirBox) {
  const std::string fluid = from_page("wca");
  const auto setup = setup_of(fluid);
  EXPECT_EQ(setup.model.bodies.size(), 64000U);
  EXPECT_EQ(setup.moved, sim::Vec3{});
  const double spacing = 40.0 / 40;
  for (const auto* axis :
       {&setup.model.bodies.position.x, &setup.model.bodies.position.y, &setup.model.bodies.position.z}) {
    EXPECT_EQ(std::ranges::min(*axis), setup.model.domain.low[0] + spacing / 2);
    EXPECT_EQ(std::ranges::max(*axis), setup.model.domain.low[0] + setup.model.domain.edges[0] - spacing / 2);
  }
  EXPECT_EQ(refusal(fluid, {"initial.n=257"}),
            "--set initial.n=257: a whole box of cubic cells has 216 or 343 bodies, not 257");
  EXPECT_THAT(refusal(fluid, {"initial.n=68921"}), HasSubstr("is outside the box"));  // 41³
  EXPECT_THAT(refusal(fluid, {"initial.lattice=hexagonal"}), HasSubstr("must be one of square, cubic, fcc"));
  EXPECT_THAT(refusal(fluid, {"initial.radius=3", "initial.n=8"}), HasSubstr("omit `n` or `radius`"));
  EXPECT_THAT(refusal(fluid, {"initial.radius=3"}), HasSubstr("is outside the box")) << "it replaces `n` of the file";
}

/// Two lattices, each with its own temperature, moving towards each other.
TEST(ScenarioBoxes, DropletsOfTheDocumentationCollide) {
  const auto setup = setup_of(from_page("droplet"));
  const std::size_t half = setup.model.bodies.size() / 2;
  EXPECT_GT(half, 100U);
  const auto& [x, y, z] = setup.model.bodies.position;
  const auto& v = setup.model.bodies.velocity;
  for (std::size_t i = 0; i < half; ++i) {
    EXPECT_LT(x[i], 20);
    EXPECT_NEAR(x[i + half], x[i] + 20, 1e-13);  // the same crystal
  }
  const auto mean = [&](std::size_t begin) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + half; ++i) sum += v.x[i];
    return sum / static_cast<double>(half);
  };
  EXPECT_NEAR(mean(0), 1, 1e-13);
  EXPECT_NEAR(mean(half), -1, 1e-13);
  EXPECT_NE(v.y[0], v.y[half]);
  EXPECT_EQ(setup.model.components, (std::vector<std::string>{"left droplet", "right droplet"}));
}

}  // namespace
}  // namespace orrery::pipeline::testing
