// SPDX-License-Identifier: MIT
// Bodies from a CSV file beside the scenario.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "pipeline/scenario/columns.hpp"
#include "tests/pipeline/memory_support.hpp"
#include "tests/pipeline/scenario_support.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Other tests may run on the same cores, and sanitizers are slow.
constexpr double slack = sanitized ? 20 : 4;

class TableFile : public ::testing::Test {
 protected:
  Scenario parse(const std::string& csv) {
    std::ofstream(folder_ / "bodies.csv", std::ios::binary) << csv;
    return parse_scenario(text_, (folder_ / "s.toml").string());
  }
  pipeline::Setup read(const std::string& csv) { return set_up(parse(csv)); }
  /// The error message, from the file name on.
  std::string refused(const std::string& csv) {
    try {
      (void)read(csv);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::request);
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

TEST_F(TableFile, ValidFile) {
  const auto setup = read("name,mass,x,y,z,vx,vy,vz\nSun,1,0,0,0,0,0,0\nEarth,3e-6,1.5,-2,+3,4,5,.5\n");
  EXPECT_EQ(setup.model.bodies.names, (std::vector<std::string>{"Sun", "Earth"}));
  EXPECT_EQ(setup.model.bodies.mass, (std::vector<double>{1, 3e-6}));
  EXPECT_EQ(setup.model.bodies.position.x[1], 1.5);
  EXPECT_EQ(setup.model.bodies.position.y[1], -2);
  EXPECT_EQ(setup.model.bodies.position.z[1], 3);
  EXPECT_EQ(setup.model.bodies.velocity.x[1], 4);
  EXPECT_EQ(setup.model.bodies.velocity.y[1], 5);
  EXPECT_EQ(setup.model.bodies.velocity.z[1], 0.5);
}

TEST_F(TableFile, Charges) {
  EXPECT_EQ(read("charge,mass,x,y,z\n-1,2,3,4,5\n0.5,6,7,8,9\n").model.bodies.charge, (std::vector<double>{-1, 0.5}));
  EXPECT_TRUE(read("mass,x,y,z\n2,3,4,5\n").model.bodies.charge.empty());
  EXPECT_EQ(read("radius,mass,x,y,z\n0,2,3,4,5\n0.5,6,7,8,9\n").model.bodies.radius, (std::vector<double>{0, 0.5}));
  EXPECT_TRUE(read("mass,x,y,z\n2,3,4,5\n").model.bodies.radius.empty());
  EXPECT_THROW(read("radius,mass,x,y,z\n-1,2,3,4,5\n"), Error);
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
    EXPECT_EQ(setup.model.bodies.mass, plain.model.bodies.mass) << same;
    EXPECT_EQ(setup.model.bodies.position, plain.model.bodies.position) << same;
    EXPECT_EQ(setup.model.bodies.velocity, plain.model.bodies.velocity) << same;
  }
  EXPECT_EQ(read("mass,x,y,z\n1,2,3,4\n").model.bodies.velocity, sim::Vectors(1));  // at rest where it says nothing
  EXPECT_EQ(read("name,mass,x,y,z\n\"Ceres, 1801\",1,2,3,4\n").model.bodies.names.front(), "Ceres, 1801");
}

TEST_F(TableFile, Components) {
  const auto setup = read("component,mass,x,y,z\nstar,1,0,0,0\n\"a, b\",1,2,3,4\nstar,1,3,4,5\n,1,5,6,7\n");
  EXPECT_EQ(setup.model.components, (std::vector<std::string>{"star", "a, b", "table"}));
  EXPECT_EQ(setup.model.bodies.species, (std::vector<std::int32_t>{0, 1, 0, 2}));
  EXPECT_EQ(read("component,mass,x,y,z\n,1,0,0,0\n").model.components, std::vector<std::string>{"table"});
  text_ = with(text_, "recentre", "component = \"mine\"\nrecentre");
  EXPECT_EQ(read("component,mass,x,y,z\na,1,0,0,0\nb,1,1,0,0\n").model.components,
            (std::vector<std::string>{"mine a", "mine b"}));
}

/// A file as written by `orrery export`: several frames, and columns that do not describe bodies.
TEST_F(TableFile, OneFrameOfSeveral) {
  const std::string csv =
      "frame,step,time,id,name,x,y,z,vx,vy,vz,mass,component\n"
      "3,30,0.3,0,A,1,2,3,4,5,6,7,disk\n3,30,0.3,HIP 5,B,2,2,3,4,5,6,8,bulge\n"
      "10,100,1,0,A,11,2,3,4,5,6,7,disk\n10,100,1,1,B,12,2,3,4,5,6,8,bulge\n4,40,0.4,0,A,5,2,3,4,5,6,7,disk\n";
  const auto last = read(csv).model.bodies;
  EXPECT_EQ(last.position.x, (std::vector<double>{11, 12})) << "the greatest number";
  EXPECT_EQ(last.mass, (std::vector<double>{7, 8}));
  EXPECT_EQ(last.names, (std::vector<std::string>{"A", "B"}));
  text_ = with(text_, "file", "frame = 3\nfile");
  EXPECT_EQ(read(csv).model.bodies.position.x, (std::vector<double>{1, 2}));
  const Scenario scenario = parse(csv);
  EXPECT_EQ(physics_texts(scenario, set_up(scenario)),
            physics_texts(read_again(scenario), set_up(read_again(scenario))));
  EXPECT_EQ(refused("mass,x,y,z\n1,2,3,4\n"), "bodies.csv:1: `frame` is given, but there is no column `frame`");
  for (const auto& [frame, x] : {std::pair{"-1", 11.0}, {"-2", 5.0}, {"-3", 1.0}}) {
    text_ = with(text_, "frame = 3", std::string("frame = ") + frame);
    EXPECT_EQ(read(csv).model.bodies.position.x.front(), x) << frame << " of frames 3, 4 and 10";
    text_ = with(text_, std::string("frame = ") + frame, "frame = 3");
  }
  text_ = with(text_, "frame = 3", "frame = -4");
  EXPECT_EQ(refused(csv), "bodies.csv:6: has no frame -4: counted from the end there are -3 to -1");
  text_ = with(text_, "frame = -4", "frame = 7");
  EXPECT_EQ(refused(csv), "bodies.csv:6: has no frame 7: the last is frame 10");
  text_ = with(text_, "file = \"bodies.csv\"", "bodies = []");
  EXPECT_THAT(refused(""), StartsWith("s.toml:4:9: `frame` goes with `file`"));
}

TEST_F(TableFile, IncompleteExportIsExplained) {
  EXPECT_EQ(refused("frame,step,time,id,x,y,z,vx,vy,vz\n0,0,0,0,1,2,3,4,5,6\n"),
            "bodies.csv:1: column `mass` is missing; the key `mass` is that of each body");
  EXPECT_THAT(refused("frame,step,time,id,x,y,z,mass,component\n0,0,0,0,1,2,3,1,a\n"),
              StartsWith("bodies.csv:1: has no velocities: make the run again with `velocities = true`"));
  EXPECT_EQ(refused("frame,mass,x,y,z,vx\n0.5,1,2,3,4,5\n"), "bodies.csv:2: `frame` must be an integer ≥ 0");
}

TEST_F(TableFile, Refusals) {
  struct Case {
    std::string csv, words;
  };
  const Case cases[] = {
      {"", "bodies.csv:1: is empty"},
      {"\n# nothing\n", "bodies.csv:2: is empty"},
      {"mass,x,y,z\n", "bodies.csv:1: has no bodies"},
      {"mass,x,y,vx,vz\n1,2,3,4,5\n", "bodies.csv:1: column `z` is missing"},
      {"mass,x,y,z,vs\n", "bodies.csv:1: unknown column `vs`"},
      {"mas,x,y,z\n", "unknown column `mas`; did you mean `mass`?"},
      {"mass,x,y,z,x\n", "bodies.csv:1: column `x` is given twice"},
      {"mass,x,y,z\n1,2,3\n", "bodies.csv:2: has 3 fields, but the first line names 4"},
      {"mass,x,y,z\n1,2,3,4,5\n", "bodies.csv:2: has 5 fields, but the first line names 4"},
      {"mass,x,y,z\n\n1,2,3,4\n# c\n1,2,3,four\n", "bodies.csv:5: `four` in column `z` is not a number"},
      {"mass,x,y,z\n1,2,3,\n", "bodies.csv:2: `` in column `z` is not a number"},
      {"mass,x,y,z\n1,2,3,4.0.0\n", "bodies.csv:2: `4.0.0` in column `z` is not a number"},
      {"mass,x,y,z\n1,nan,3,4\n", "bodies.csv:2: `nan` in column `x` is not a number"},
      {"mass,x,y,z\n1,2,inf,4\n", "bodies.csv:2: `inf` in column `y` is not a number"},
      {"mass,x,y,z\n1,2,1e999,4\n", "bodies.csv:2: `1e999` in column `y` is not a number"},
      {"mass,x,y,z\n1,2,+-3,4\n", "bodies.csv:2: `+-3` in column `y` is not a number"},
      {"mass,x,y,z\n1,2,3,4\n-1,2,3,4\n", "bodies.csv:3: `mass` must be at least 0"},
      {"name,mass,x,y,z\nA,1,2,3,4\nB,1,2,3,4\n# c\nA,1,2,3,5\n", "bodies.csv:5:1: two bodies are named \"A\""},
      {std::string("mass,x,y,z\n1,2,3,4\0\n", 20), "bodies.csv:2:8: has a zero byte"},
  };
  for (const Case& c : cases) EXPECT_THAT(refused(c.csv), HasSubstr(c.words)) << c.csv;
}

TEST_F(TableFile, MissingFile) {
  text_ = with(text_, "bodies.csv", "planets.csv");
  EXPECT_THAT(refused(""),
              ::testing::MatchesRegex("s\\.toml:4:8: .*/planets\\.csv: cannot be read: No such file or directory"));
  std::filesystem::create_directory(folder_ / "planets.csv");
  EXPECT_THAT(refused(""), HasSubstr("s.toml:4:8: "));
}

TEST_F(TableFile, NotBesideBodies) {
  text_ = with(text_, "file", "bodies = []\nfile");
  EXPECT_THAT(refused(""), StartsWith("s.toml:5:8: give either `bodies` or `file`"));
}

/// The trajectory stores the bodies, so the CSV is no longer needed.
TEST_F(TableFile, SourceAndHashAreStored) {
  std::ofstream(folder_ / "bodies.csv") << "name,mass,x,y,z,vx,vy,vz\nA,0.1,0.2,0.3,1e-300,4,5,6\n";
  const Scenario scenario = parse_scenario(text_, (folder_ / "s.toml").string());
  std::filesystem::remove(folder_ / "bodies.csv");
  EXPECT_THAT(resolved(scenario), HasSubstr("file = \"bodies.csv\"\nxxh3 = \"89de1684ac4ae695\"\n"));
  EXPECT_THAT(resolved(scenario), ::testing::Not(HasSubstr("bodies = ")));
  const Scenario again = read_again(scenario);
  EXPECT_EQ(resolved(again), resolved(scenario));
  EXPECT_EQ(physics_texts(again, set_up(again)), physics_texts(scenario, set_up(scenario)));
  EXPECT_EQ(set_up(again).model.bodies.position, set_up(scenario).model.bodies.position);
}

TEST_F(TableFile, GivesTheSameRunAsInlineBodies) {
  std::ofstream(folder_ / "bodies.csv") << "mass,x,y,z,charge,radius\n1,2,3,4,5,0.5\n6,7,8,9,-1,0\n";
  const Scenario file = parse_scenario(text_, (folder_ / "s.toml").string());
  const std::string list =
      "[{ mass = 1, position = [2, 3, 4], velocity = [0, 0, 0], charge = 5, radius = 0.5 },"
      " { mass = 6, position = [7, 8, 9], velocity = [0, 0, 0], charge = -1 }]";
  const Scenario written = parse_scenario(with(text_, "file = \"bodies.csv\"", "bodies = " + list), "s.toml");
  EXPECT_EQ(physics_texts(file, set_up(file)), physics_texts(written, set_up(written)));
}

TEST_F(TableFile, HashRefusesOtherBodies) {
  const std::string csv = "mass,x,y,z\n1,2,3,4\n";
  const std::string hash = hash_text(parse(csv).tables.initial.front().section->columns("bodies"));
  text_ = with(text_, "file", "xxh3 = \"" + hash + "\"\nfile");
  EXPECT_EQ(read(csv).model.bodies.mass, std::vector<double>{1});
  EXPECT_THAT(refused("mass,x,y,z\n1,2,3,5\n"),
              ::testing::MatchesRegex("s\\.toml:4:8: these are other bodies: their XXH3 is [0-9a-f]{16}, not " + hash));
  text_ = with(text_, "file = \"bodies.csv\"", "");
  EXPECT_THAT(refused(csv), StartsWith("s.toml:4:8: the bodies are not here: give a CSV file that holds them"));
}

TEST_F(TableFile, MillionBodiesAreReadInTwoSecondsAnd300Megabytes) {
  constexpr std::size_t bodies = 1'000'000;
  {
    std::ofstream csv(folder_ / "bodies.csv");
    csv << "name,mass,x,y,z,vx,vy,vz\n";
    for (std::size_t i = 0; i < bodies; ++i) {
      const auto x = 1e-6 * static_cast<double>(i);
      csv << fmt::format("body {},{},{},{},{},{},{},{}\n", i, 1e-6, x, 0.1 + x, 0.2 - x, std::sin(x), 1 / (1 + x),
                         x * x);
    }
  }
  const auto memory = [] {
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_maxrss) * 1024;
  };
  // In a separate process, so that memory of other tests does not count.
  const pid_t child = ::fork();
  if (child == 0) {
    const double before = memory();
    const std::clock_t begin = std::clock();
    const pipeline::Setup setup = set_up(parse_scenario(text_, (folder_ / "s.toml").string()));
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const double mega = (memory() - before) / 1e6;
    std::printf("%zu bodies from a CSV file: %.2f s, %.0f MB\n", setup.model.bodies.size(), took, mega);
    std::fflush(stdout);
    ::_exit(setup.model.bodies.size() == bodies && took < 2 * slack && (sanitized || mega < 300) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(TableFile, DoubledQuotesAreOne) {
  const auto setup = read("name, mass ,x,y,z\n\"a \"\"b\"\", c\" ,1,2,3,4\n\"\"\"\",1,3,4,5\n\"\",1,4,5,6\n");
  EXPECT_EQ(setup.model.bodies.names, (std::vector<std::string>{"a \"b\", c", "\"", ""}));
  EXPECT_EQ(refused("name,mass,x,y,z\n\"a\"b,1,2,3,4\n"),
            "bodies.csv:2: has `b,1,2,3,4` after a closing quote: write a quote within quotes twice, \"\"");
  EXPECT_EQ(refused("name,mass,x,y,z\n\"a,1,2,3,4\n"), "bodies.csv:2: has a quote that is not closed on its line");
}

TEST_F(TableFile, LinesAreLimitedTo64KiB) {
  EXPECT_EQ(read("mass,x,y,z\n1,2,3," + std::string(65000, ' ') + "4\n").model.bodies.position.z,
            std::vector<double>{4});
  EXPECT_EQ(refused("mass,x,y,z\n1,2,3," + std::string(66000, ' ') + "4\n"),
            "bodies.csv:2: is longer than 64 KiB: no line of a table is");
  // An endless line is not read completely.
  text_ = with(text_, "bodies.csv", "zeros.csv");
  std::filesystem::resize_file((std::ofstream(folder_ / "zeros.csv"), folder_ / "zeros.csv"), std::uintmax_t{1} << 40);
  EXPECT_THAT(refused(""), HasSubstr("is longer than 64 KiB"));
}

TEST_F(TableFile, NamesAreLimitedTo255Bytes) {
  const std::string longest(255, 'x');
  EXPECT_EQ(read("name,mass,x,y,z\n" + longest + ",1,2,3,4\n").model.bodies.names.front(), longest);
  EXPECT_THAT(refused("name,mass,x,y,z\na,1,2,3,4\nx" + longest + ",1,2,3,4\n"),
              StartsWith("bodies.csv:3:1: a name can have at most 255 bytes"));
}

// Anything but a regular file is neither read nor waited for.
TEST_F(TableFile, MustBeARegularFile) {
  text_ = with(text_, "bodies.csv", "pipe.csv");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.csv").c_str(), 0600), 0);
  EXPECT_THAT(refused(""), ::testing::MatchesRegex("s\\.toml:4:8: .*/pipe\\.csv: is a pipe, not an ordinary file"));
  text_ = with(text_, "pipe.csv", "/dev/zero");
  EXPECT_EQ(refused(""), "s.toml:4:8: /dev/zero: is a device, not an ordinary file");
  text_ = with(text_, "/dev/zero", "/proc/self");
  EXPECT_EQ(refused(""), "s.toml:4:8: /proc/self: is a folder, not an ordinary file");
}

}  // namespace
}  // namespace orrery::pipeline::testing
