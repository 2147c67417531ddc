// SPDX-License-Identifier: MIT
// Files of bodies that other programs wrote, as `kind = "table"` and `orrery import` read them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>

#include "pipeline/formats/body_format.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BodyFormats : public ::testing::Test {
 protected:
  BodyFile bodies_in(const std::string& name, const std::string& text, const BodyFileOptions& options = {}) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return format_of(folder_ / name).read(folder_ / name, options);
  }
  std::vector<double> column(const BodyFile& file, const char* name) { return file.bodies->numbers.at(name); }
  /// The refusal of a file, from its name on; that of an option begins with the key.
  std::string refused(const std::string& text, const BodyFileOptions& options = {}) {
    try {
      (void)bodies_in("b.txt", text, options);
    } catch (const ArgumentError& error) {
      return error.name() + ": " + error.what();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::request);
      const std::string message = error.what(), folder = (folder_ / "").string();
      return message.starts_with(folder) ? message.substr(folder.size()) : message;
    }
    return "";
  }

  Folder folder_;
};

std::string utf16_text(std::string_view ascii, bool big) {
  std::string text = big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) text += big ? std::string{'\0', c} : std::string{c, '\0'};
  return text;
}

TEST_F(BodyFormats, CsvOfEveryDialectIsTheSameBodies) {
  const std::vector<double> mass{1.5, 2e-3}, x{1.25, -2.5, 3, 4, 5, 6}, v{0.5, 0, -1, 7, 8, 9.75};
  const std::string plain = "mass,x,y,z,vx,vy,vz\n1.5,1.25,-2.5,3,0.5,0,-1\n2e-3,4,5,6,7,8,9.75\n";
  const auto semicolons = "mass;x;y;z;vx;vy;vz\n1,5;1,25;-2,5;3;0,5;0;-1\n2e-3;4;5;6;7;8;9,75\n";
  const std::string texts[] = {
      plain,
      "\xEF\xBB\xBF" + plain,
      utf16_text(plain, false),
      utf16_text(plain, true),
      semicolons,
      "sep=;\r\nm;px;py;pz;v_x;VelY;velocity_z\r\n1,5;1,25;-2,5;3;0,5;0;-1\r\n2D-3;4;5;6;7;8;9,75\r\n",
      "Mass\tX\tY\tZ\tVX\tVY\tVZ\n1.5\t1.25\t-2.5\t3\t0.5\t0\t-1\n2D-3\t4\t5\t6\t7\t8\t9.75\n",
      "  M   pos_x pos_y  pos_z vel_x vel_y vel_z  \n 1.5 1.25  -2.5 3  .5 0 -1\n 2d-3 4 5 6 7 8 9.75  \n",
      "# made by hand\n# m x y z vx vy vz\n1.5 1.25 -2.5 3 0.5 0 -1\n2e-3 4 5 6 7 8 9.75\n",
      "1.500D+00 1.25 -2.5 3 0.5 0 -1\n2.D-03 4 5 6 7 8 9.75\n",
      "mass,x,y,z,vx,vy,vz,ax,potential\n1.5,1.25,-2.5,3,0.5,0,-1,9,9\n2e-3,4,5,6,7,8,9.75,9,9\n",
  };
  for (const std::string& text : texts) {
    const BodyFile file = bodies_in("b.csv", text);
    EXPECT_EQ(column(file, "mass"), mass) << text;
    EXPECT_EQ(column(file, "position"), x) << text;
    EXPECT_EQ(column(file, "velocity"), v) << text;
  }
}

TEST_F(BodyFormats, CsvSaysWhatItGuesses) {
  const auto said = [&](const std::string& text, const BodyFileOptions& options = {}) {
    return fmt::format("{}", fmt::join(bodies_in("b.csv", text, options).remarks, "\n"));
  };
  EXPECT_EQ(said("mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n"), "");
  EXPECT_THAT(said("m;x;y\n1,5;2;3\n"),
              AllOf(HasSubstr("`m` is mass"), HasSubstr("separated by semicolons"), HasSubstr("decimal commas"),
                    HasSubstr("plane z = 0"), HasSubstr("at rest")));
  EXPECT_THAT(said("1 2 3 4 5 6 7\n"), HasSubstr("taken as mass, x, y, z, vx, vy, vz"));
  EXPECT_THAT(said("mass,x,y,z,vx,vy,vz,phi\n1,2,3,4,5,6,7,8\n"), HasSubstr("left out: phi"));
  EXPECT_THAT(said("M,x,y,z\n1,2,3,4\n"), HasSubstr("`M` is mass"));
}

TEST_F(BodyFormats, CsvWithoutNamesAsksForThem) {
  const std::string six = "1 2 3 4 5 6\n7 8 9 10 11 12\n";
  EXPECT_THAT(refused(six), StartsWith("columns: its 6 columns have no names"));
  const BodyFile file = bodies_in("b.csv", six, {.mass = 0.25, .columns = {"x", "y", "z", "vx", "-", "vz"}});
  EXPECT_EQ(column(file, "mass"), (std::vector{0.25, 0.25}));
  EXPECT_EQ(column(file, "velocity"), (std::vector<double>{4, 0, 6, 10, 0, 12}));
  // Names of the file are replaced.
  const BodyFile other = bodies_in("b.csv", "a,b,c,d\n1,2,3,4\n", {.columns = {"x", "y", "z", "mass"}});
  EXPECT_EQ(column(other, "mass"), std::vector<double>{4});
}

TEST_F(BodyFormats, CsvRefusals) {
  EXPECT_THAT(refused("mass;x;y;z\n1,5;2.5;3;4\n"), HasSubstr("b.txt:2: has decimal commas and decimal points"));
  EXPECT_THAT(refused("mass;x;y;z\n1.234,5;2;3;4\n"), HasSubstr("`1.234,5` in column `mass` is not a number"));
  EXPECT_THAT(refused("m,x,y,vz\n1,2,3,4\n"), HasSubstr("column `z` is missing"));
  EXPECT_THAT(refused("1 2 3 4 5 6 7\n-1 2 3 4 5 6 7\n"),
              HasSubstr("b.txt:2: `mass` must be at least 0: columns have no names"));
  EXPECT_THAT(refused("m,mass,x,y\n1,2,3,4\n"), HasSubstr("column `mass` is given twice"));
  EXPECT_THAT(refused("mass,x,y,z,vs\n1,2,3,4,5\n"), HasSubstr("unknown column `vs`"));
  EXPECT_THAT(refused(utf16_text("mass,x,y,z\n1,2,3\n", false)), HasSubstr("b.txt:2: has 3 fields"));
  EXPECT_THAT(refused(""), HasSubstr("is empty"));
}

TEST_F(BodyFormats, CsvColumnsMayHaveUnits) {
  const BodyFileOptions galactic{.units = &sim::all_units()[3]};
  const BodyFile file = bodies_in("b.csv", "mass [1e10 Msun],x (pc),y (pc),z (pc)\n2,500,0,0\n", galactic);
  EXPECT_DOUBLE_EQ(column(file, "mass")[0], 2e10);
  EXPECT_DOUBLE_EQ(column(file, "position")[0], 0.5);
  EXPECT_THAT(refused("mass,x [pc],y,z\n1,2,3,4\n"), HasSubstr("b.txt:1: `pc`"));
}

const std::string xyz_frame =
    "2\n"
    "Lattice=\"5.0 0 0 0 6.5 0 0 0 7\" pbc=\"T F T\" "
    "Properties=species:S:1:pos:R:3:mass:R:1:velo:R:3:id:I:1:forces:R:3:charge:R:1 "
    "Time=2.5 note='a b'\n"
    "Na 0.1 0.2 0.3 22.99 1 2 3 1 0 0 0 1\n"
    "Cl -1 1D-2 5 35.45 -1 0 0 2 0 0 0 -1\n";

TEST_F(BodyFormats, Extxyz) {
  const BodyFile file = bodies_in("a.xyz", xyz_frame);
  EXPECT_EQ(column(file, "mass"), (std::vector{22.99, 35.45}));
  EXPECT_EQ(column(file, "position"), (std::vector<double>{0.1, 0.2, 0.3, -1, 0.01, 5}));
  EXPECT_EQ(column(file, "velocity"), (std::vector<double>{1, 2, 3, -1, 0, 0}));
  EXPECT_EQ(column(file, "charge"), (std::vector<double>{1, -1}));
  EXPECT_THAT(file.bodies->texts.at("component"), ElementsAre("Na", "Cl"));
  EXPECT_EQ(file.edges, (std::array{5.0, 6.5, 7.0}));
  EXPECT_EQ(file.periodic, (std::array{true, false, true}));
  EXPECT_EQ(file.time, 2.5);
  EXPECT_EQ(file.frames, 1);
  EXPECT_THAT(file.remarks, ElementsAre("left out: forces"));
  EXPECT_EQ(file.where(1), (folder_ / "a.xyz").string() + ":4:1");
}

TEST_F(BodyFormats, ExtxyzHasManyFrames) {
  std::string text;
  for (int k = 0; k < 33; ++k)
    text += fmt::format("1\nProperties=pos:R:3:momenta:R:3:m:R:1\n{} 0 0 {} 0 0 4\n", k, 2 * k);
  EXPECT_EQ(column(bodies_in("a.xyz", text), "position")[0], 32);
  EXPECT_EQ(column(bodies_in("a.xyz", text, {.frame = 7}), "velocity")[0], 3.5);
  EXPECT_EQ(column(bodies_in("a.xyz", text, {.frame = -33}), "position")[0], 0);
  EXPECT_EQ(bodies_in("a.xyz", text).frames, 33);
  EXPECT_EQ(refused(text, {.frame = 33}), "frame: has no frame 33: there are 0 to 32, or -33 to -1");
  EXPECT_EQ(refused(text, {.frame = -34}), "frame: has no frame -34: there are 0 to 32, or -33 to -1");
}

TEST_F(BodyFormats, ExtxyzWithoutMassesAsksForThem) {
  const std::string text = "2\na comment of plain xyz\nH 1 2 3\nO 4 5 6\n";
  const BodyFile file = bodies_in("a.xyz", text);
  ASSERT_EQ(file.asked.size(), 1U);
  EXPECT_EQ(file.asked[0].key, "mass");
  const BodyFile given = bodies_in("a.xyz", text, {.mass = 3.0});
  EXPECT_TRUE(given.asked.empty());
  EXPECT_EQ(column(given, "mass"), (std::vector<double>{3, 3}));
}

TEST_F(BodyFormats, ExtxyzRefusals) {
  const struct {
    std::string text, words;
  } cases[] = {
      {"2\nProperties=species:S:1:pos:R:3\nH 1 2 3\n", "b.txt:3: ends after 1 of the 2 bodies"},
      {"1\nProperties=species:S:1:pos:R:3\nH 1 2\n", "b.txt:3: has fewer fields than Properties"},
      {"1\nProperties=species:S:1:pos:R:3\nH 1 2 3 4\n", "b.txt:3: has more fields than Properties"},
      {"1\nProperties=species:S:1:pos:R:3\nH 1 2 three\n", "b.txt:3: `three` is not a number"},
      {"1\nProperties=species:S:1\nH\n", "b.txt:2: Properties has no pos:R:3"},
      {"1\nProperties=pos:R:3:mass:R\n1 2 3 4\n", "b.txt:2: Properties must be triples"},
      {"1\nProperties=pos:R:3:velo:R:3:momenta:R:3\n1 2 3 4 5 6 7 8 9\n", "velocities and momenta"},
      {"99999999999\nProperties=pos:R:3\n1 2 3\n", "b.txt:1: claims 99999999999 bodies"},
      {"1\nProperties=pos:R:3 a=\"b\n1 2 3\n", "b.txt:2: has `\"` that is not closed"},
      {"1\nProperties=pos:R:3\n1 2 3\n1.5\n", "b.txt:4: `1.5` is not the number of bodies"},
      {"0\nProperties=pos:R:3\n", "b.txt:2: has a frame without bodies"},
  };
  for (const auto& c : cases) EXPECT_THAT(refused(c.text), HasSubstr(c.words)) << c.text;
}

TEST_F(BodyFormats, UnitsAreConvertedOrAskedFor) {
  const sim::Units& galactic = sim::all_units()[3];
  BodyFile file = bodies_in("a.xyz", xyz_frame);
  convert(file, {}, galactic);
  EXPECT_EQ(file.asked.size(), 3U);
  BodyFile known = bodies_in("a.xyz", xyz_frame);
  convert(known, {.length = "Mpc", .mass = "1e10 Msun", .velocity = "km/s"}, galactic);
  EXPECT_TRUE(known.asked.empty());
  EXPECT_DOUBLE_EQ(column(known, "mass")[0], 22.99e10);
  EXPECT_DOUBLE_EQ(column(known, "position")[0], 100);
  EXPECT_EQ(column(known, "velocity")[0], 1);
  BodyFile solid = bodies_in("a.xyz", "1\nProperties=pos:R:3:mass:R:1:radius:R:1\n1 2 3 4 0.25\n");
  EXPECT_EQ(column(solid, "radius"), std::vector{0.25});
  convert(solid, {.length = "Mpc", .mass = "Msun", .velocity = "km/s"}, galactic);
  EXPECT_DOUBLE_EQ(column(solid, "radius")[0], 250);
  BodyFile plain = bodies_in("a.xyz", xyz_frame);
  convert(plain, {}, sim::all_units().front());
  EXPECT_TRUE(plain.asked.empty());
  EXPECT_THROW(convert(plain, {.length = "3 s", .mass = "", .velocity = ""}, galactic), ArgumentError);
  plain.units = FileUnits{.length = "kpc", .mass = "Msun", .velocity = "km s-1"};
  EXPECT_THROW(convert(plain, {}, sim::all_units().front()), ArgumentError);
}

/// A run's frames are its bodies, as bits, by name or key, from either end.
TEST_F(BodyFormats, FramesOfRunsAreTheSameBits) {
  write(folder_ / "s.toml",
        "[initial]\nkind = \"random-cube\"\nn = 33\n[integrator]\nkind = \"leapfrog\"\ndt = 0.001\nsteps = 8\n"
        "[trajectory]\nevery = 4\n");
  ASSERT_EQ(run(folder_, {"simulate", "s.toml", "-o", "s"}).code, 0);
  const TrajectoryReader trajectory(folder_ / "s" / "run.h5");
  for (const auto& [name, frame] :
       {std::pair("s/run.h5#1", 1), std::pair("s/run.h5#-1", 2), std::pair("s/run.h5", 2)}) {
    const Scenario scenario = parse_scenario(
        fmt::format("[initial]\nkind = \"table\"\nrecentre = false\nfile = \"{}\"\n[integrator]\ndt = 1\nsteps = 1\n",
                    name),
        (folder_ / "t.toml").string());
    const sim::Bodies bodies = set_up(scenario).model.bodies;
    const sim::Snapshot state = trajectory.snapshot(static_cast<std::size_t>(frame));
    ASSERT_EQ(bodies.size(), 33U);
    for (std::size_t n = 0; n < 33; ++n) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(bodies.position.x[n]), std::bit_cast<std::uint64_t>(state.position.x[n]));
      EXPECT_EQ(std::bit_cast<std::uint64_t>(bodies.velocity.z[n]), std::bit_cast<std::uint64_t>(state.velocity.z[n]));
    }
    EXPECT_EQ(bodies.mass, trajectory.bodies().mass);
  }
}

TEST_F(BodyFormats, ExtxyzRoundTripsAreTheSameBits) {
  for (const int n : {1, 2, 257}) {
    write(folder_ / "s.toml",
          fmt::format(
              "[initial]\nkind = \"random-cube\"\nn = {}\n[integrator]\nkind = \"leapfrog\"\ndt = 0.001\nsteps = 2\n"
              "[trajectory]\nevery = 1\n",
              n));
    ASSERT_EQ(run(folder_, {"simulate", "s.toml", "-o", "s", "--force"}).code, 0);
    const Outcome written = run(folder_, {"export", "s/run.h5", "--format", "extxyz", "-o", "s.xyz", "--force"});
    ASSERT_EQ(written.code, 0) << written.errors;
    const TrajectoryReader trajectory(folder_ / "s" / "run.h5");
    for (const std::int64_t frame : {0, 1, 2}) {
      const BodyFile file = format_of(folder_ / "s.xyz").read(folder_ / "s.xyz", {.frame = frame});
      const sim::Snapshot state = trajectory.snapshot(static_cast<std::size_t>(frame));
      EXPECT_EQ(file.frames, 3);
      EXPECT_EQ(file.time, state.time);
      EXPECT_EQ(column(file, "mass"), trajectory.bodies().mass);
      for (std::size_t k = 0; k < state.size(); ++k) {
        EXPECT_EQ(column(file, "position")[3 * k + 1], state.position.y[k]);
        EXPECT_EQ(column(file, "velocity")[3 * k + 2], state.velocity.z[k]);
      }
    }
  }
}

TEST_F(BodyFormats, KeysThatAFormatDoesNotHaveAreRefused) {
  write(folder_ / "b.csv", "mass,x,y,z\n1,2,3,4\n");
  const auto refusal = [&](const std::string& keys) {
    write(folder_ / "s.toml",
          "[initial]\nkind = \"table\"\n" + keys + "[integrator]\nkind = \"leapfrog\"\ndt = 1\nsteps = 1\n");
    const Outcome outcome = run(folder_, {"check", "s.toml"});
    return outcome.code == 0 ? "" : outcome.errors;
  };
  EXPECT_EQ(refusal("file = \"b.csv\"\n"), "");
  EXPECT_THAT(refusal("file = \"b.csv\"\nhubble = 0.7\n"), HasSubstr("s.toml:4:10: `hubble` is for other files"));
  EXPECT_THAT(refusal("file = \"b.csv\"\nformat = \"cvs\"\n"),
              HasSubstr("s.toml:4:10: there is no format of bodies `cvs`; did you mean `csv`?"));
  EXPECT_THAT(refusal("file = \"b.csv\"\nlength_unit = \"kpc\"\n"), HasSubstr("s.toml:4:15: "));
  EXPECT_THAT(refusal("bodies = [{ mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }]\nmass = 2\n"),
              HasSubstr("`mass` goes with `file`"));
  EXPECT_THAT(refusal("file = \"b.csv#0\"\n"), HasSubstr("there is no column `frame`"));
}

TEST_F(BodyFormats, ImportWritesAScenarioThatRuns) {
  write(folder_ / "in.xyz", xyz_frame + xyz_frame);
  const Outcome outcome = run(folder_, {"import", "in.xyz", "--frame", "-1"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("extxyz"), HasSubstr("1 Na of mass 22.99"), HasSubstr("5 × 6.5 × 7"),
                                    HasSubstr("written: in.toml")));
  EXPECT_THAT(outcome.errors, HasSubstr("left out: forces"));
  EXPECT_THAT(read(folder_ / "in.toml"), AllOf(HasSubstr("file = \"in.xyz\""), HasSubstr("recentre = false")));
  EXPECT_EQ(run(folder_, {"run", "in.toml"}).code, 0);
  EXPECT_EQ(run(folder_, {"import", "in.xyz", "--frame", "-1"}).code, 2);  // exists
  ASSERT_EQ(run(folder_, {"import", "in.xyz", "--frame", "0", "-o", "in.h5"}).code, 0);
  const TrajectoryReader frame(folder_ / "in.h5");
  EXPECT_EQ(frame.size(), 1U);
  EXPECT_EQ(frame.snapshot(0).position.x, (std::vector{0.1, -1.0}));
}

TEST_F(BodyFormats, ImportSaysWhatMustBeGiven) {
  write(folder_ / "in.xyz", "1\nProperties=pos:R:3\n1 2 3\n");
  const Outcome asked = run(folder_, {"import", "in.xyz", "--units", "galactic"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_THAT(asked.errors, AllOf(HasSubstr("--mass (the file has no masses)"), HasSubstr("--length-unit"),
                                  HasSubstr("--velocity-unit")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "in.toml"));
  const Outcome given = run(folder_, {"import", "in.xyz", "--units", "galactic", "--mass", "2", "--length-unit", "Mpc",
                                      "--velocity-unit", "km/s"});
  ASSERT_EQ(given.code, 0) << given.errors;
  const sim::Bodies bodies =
      set_up(parse_scenario(read(folder_ / "in.toml"), (folder_ / "in.toml").string())).model.bodies;
  EXPECT_DOUBLE_EQ(bodies.position.y[0], 2000);
  write(folder_ / "six.txt", "1 2 3 4 5 6\n");
  EXPECT_THAT(run(folder_, {"import", "six.txt"}).errors, HasSubstr("(the flag is --columns)"));
  EXPECT_EQ(run(folder_, {"import", "six.txt", "--columns", "mass,x,y,vx,vy,-", "-o", "six.toml"}).code, 0);
  EXPECT_EQ(run(folder_, {"import", "none.txt"}).code, 2);
}

}  // namespace
}  // namespace orrery::pipeline::testing
