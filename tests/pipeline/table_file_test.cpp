// SPDX-License-Identifier: MIT
// Bodies from a CSV file beside the scenario.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/pipeline/scenario_support.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class TableFile : public ::testing::Test {
 protected:
  pipeline::Setup read(const std::string& csv) {
    std::ofstream(folder_ / "bodies.csv", std::ios::binary) << csv;
    return set_up(parse_scenario(text_, (folder_ / "s.toml").string()));
  }
  /// The complaint, from the name of the file on.
  std::string refused(const std::string& csv) {
    try {
      (void)read(csv);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      const std::string message = error.what(), folder = (folder_ / "").string();
      EXPECT_THAT(message, StartsWith(folder));
      return message.substr(folder.size());
    }
    return "";
  }

  Folder folder_;
  std::string text_ = R"([initial]
kind = "table"
recentre = false
file = "bodies.csv"
[integrator]
dt = 1
steps = 1
)";
};

TEST_F(TableFile, Good) {
  const auto setup = read("name,mass,x,y,z,vx,vy,vz\nSun,1,0,0,0,0,0,0\nEarth,3e-6,1.5,-2,+3,4,5,.5\n");
  EXPECT_EQ(setup.bodies.names, (std::vector<std::string>{"Sun", "Earth"}));
  EXPECT_EQ(setup.bodies.mass, (std::vector<double>{1, 3e-6}));
  EXPECT_EQ(setup.bodies.position.x[1], 1.5);
  EXPECT_EQ(setup.bodies.position.y[1], -2);
  EXPECT_EQ(setup.bodies.position.z[1], 3);
  EXPECT_EQ(setup.bodies.velocity.x[1], 4);
  EXPECT_EQ(setup.bodies.velocity.y[1], 5);
  EXPECT_EQ(setup.bodies.velocity.z[1], 0.5);
}

TEST_F(TableFile, Charges) {
  EXPECT_EQ(read("charge,mass,x,y,z\n-1,2,3,4,5\n0.5,6,7,8,9\n").bodies.charge, (std::vector<double>{-1, 0.5}));
  EXPECT_TRUE(read("mass,x,y,z\n2,3,4,5\n").bodies.charge.empty());
}

TEST_F(TableFile, AnyOrderAndLayout) {
  const auto plain = read("mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n8,9,10,11,12,13,14\n");
  for (const char* same : {
           "vz,vy,vx,z,y,x,mass\n7,6,5,4,3,2,1\n14,13,12,11,10,9,8\n",
           "\n# comment\nmass,x,y,z,vx,vy,vz\n\n1,2,3,4,5,6,7\n   \n  # more\n8,9,10,11,12,13,14",
           "mass,x,y,z,vx,vy,vz\r\n1,2,3,4,5,6,7\r\n\r\n8,9,10,11,12,13,14\r\n",
           "\xEF\xBB\xBFmass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n8,9,10,11,12,13,14\n",
           " mass ,\tx, y,z,vx,vy,vz\n 1 , 2,\t3,4,5,6,7\n8,9,10,11,12,13,14 \n",
           "\"mass\",\"x\",\"y\",\"z\",\"vx\",\"vy\",\"vz\"\n\"1\",2,3,4,5,6,7\n8,9,10,11,12,13,14\n",
       }) {
    const auto setup = read(same);
    EXPECT_EQ(setup.bodies.mass, plain.bodies.mass) << same;
    EXPECT_EQ(setup.bodies.position, plain.bodies.position) << same;
    EXPECT_EQ(setup.bodies.velocity, plain.bodies.velocity) << same;
  }
  EXPECT_EQ(read("mass,x,y,z\n1,2,3,4\n").bodies.velocity, sim::Vectors(1));  // at rest where it says nothing
  EXPECT_EQ(read("name,mass,x,y,z\n\"Ceres, 1801\",1,2,3,4\n").bodies.names.front(), "Ceres, 1801");
}

TEST_F(TableFile, Refusals) {
  struct Case {
    std::string csv, words;
  };
  const Case cases[] = {
      {"", "bodies.csv:1: is empty"},
      {"\n# nothing\n", "bodies.csv:2: is empty"},
      {"mass,x,y,z\n", "bodies.csv:1: has no bodies"},
      {"mass,x,y\n1,2,3\n", "bodies.csv:1: column `z` is missing"},
      {"mass,x,y,z,vs\n", "bodies.csv:1: unknown column `vs`"},
      {"Mass,x,y,z\n", "unknown column `Mass`; did you mean `mass`?"},
      {"mass;x;y;z\n1;2;3;4\n", "commas part them"},
      {"mass,x,y,z,x\n", "bodies.csv:1: column `x` stands twice"},
      {"mass,x,y,z\n1,2,3\n", "bodies.csv:2: has 3 fields where the first line names 4"},
      {"mass,x,y,z\n1,2,3,4,5\n", "bodies.csv:2: has 5 fields where the first line names 4"},
      {"mass,x,y,z\n\n1,2,3,4\n# c\n1,2,3,four\n", "bodies.csv:5: `four` is no number, in column `z`"},
      {"mass,x,y,z\n1,2,3,\n", "bodies.csv:2: `` is no number, in column `z`"},
      {"mass,x,y,z\n1,2,3,4.0.0\n", "bodies.csv:2: `4.0.0` is no number"},
      {"mass,x,y,z\n1,nan,3,4\n", "bodies.csv:2: `nan` is no number, in column `x`"},
      {"mass,x,y,z\n1,2,inf,4\n", "bodies.csv:2: `inf` is no number"},
      {"mass,x,y,z\n1,2,1e999,4\n", "bodies.csv:2: `1e999` is no number"},
      {"mass,x,y,z\n1,2,+-3,4\n", "bodies.csv:2: `+-3` is no number"},
      {"mass,x,y,z\n1,2,3,4\n-1,2,3,4\n", "bodies.csv:3: `mass` must be at least 0"},
      {"name,mass,x,y,z\nA,1,2,3,4\nB,1,2,3,4\n# c\nA,1,2,3,5\n", "bodies.csv:5: two bodies are named \"A\""},
      {std::string("mass,x,y,z\n1,2,3,4\0\n", 20), "bodies.csv:2: `4"},
  };
  for (const Case& c : cases) EXPECT_THAT(refused(c.csv), HasSubstr(c.words)) << c.csv;
}

TEST_F(TableFile, ThatIsNotThere) {
  text_ = with(text_, "bodies.csv", "planets.csv");
  EXPECT_THAT(refused(""), ::testing::MatchesRegex("s\\.toml:4:8: .*/planets\\.csv cannot be read"));
  std::filesystem::create_directory(folder_ / "planets.csv");
  EXPECT_THAT(refused(""), HasSubstr("s.toml:4:8: "));
}

TEST_F(TableFile, NotBesideBodies) {
  text_ = with(text_, "file", "bodies = []\nfile");
  EXPECT_THAT(refused(""), StartsWith("s.toml:5:8: give either `bodies` or `file`"));
}

/// The bodies are kept in the resolved scenario, which needs no file any more.
TEST_F(TableFile, ResolvedStandsAlone) {
  std::ofstream(folder_ / "bodies.csv") << "name,mass,x,y,z,vx,vy,vz\nA,0.1,0.2,0.3,1e-300,4,5,6\n";
  const Scenario scenario = parse_scenario(text_, (folder_ / "s.toml").string());
  const std::string text = resolved(scenario);
  const Scenario again = parse_scenario(text, "elsewhere.toml");
  EXPECT_EQ(resolved(again), text);
  EXPECT_EQ(physics(again, set_up(again)), physics(scenario, set_up(scenario)));
  EXPECT_EQ(set_up(again).bodies.position, set_up(scenario).bodies.position);
}

}  // namespace
}  // namespace orrery::pipeline::testing
