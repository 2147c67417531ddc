// SPDX-License-Identifier: MIT
// Trajectories that other programs wrote, as `orrery import` makes runs of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pipeline/formats/foreign_frames.hpp"
#include "pipeline/formats/text_frames.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/written_bytes.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportedFrames : public ::testing::Test {
 protected:
  ForeignFrames frames_in(const std::string& text, const BodyFileOptions& options = {}) {
    write(folder_ / "f.csv", text);
    auto all = read_text_frames(folder_ / "f.csv", options);
    EXPECT_TRUE(all.has_value());
    return std::move(*all);
  }
  std::string refused(const std::string& text) {
    try {
      (void)frames_in(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::request);
      return std::string(error.what()).substr((folder_ / "").string().size());
    }
    return "";
  }
  Outcome import(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "import");
    return run(folder_, arguments);
  }

  Folder folder_;
};

/// x of body i in frame k, and so on for the other axes.
double x(std::size_t k, std::size_t i, std::size_t axis = 0) {
  return 0.25 * static_cast<double>(k + 1) - 1.5 * static_cast<double>(i) + 0.125 * static_cast<double>(axis);
}

void expect_frames(const ForeignFrames& all, std::size_t frames, std::size_t bodies, bool plane = false) {
  ASSERT_EQ(all.size(), frames);
  for (std::size_t k = 0; k < frames; ++k) {
    ASSERT_EQ(all.position[k].size(), bodies);
    for (std::size_t i = 0; i < bodies; ++i) {
      EXPECT_EQ(all.position[k].x[i], x(k, i)) << k << ' ' << i;
      EXPECT_EQ(all.position[k].y[i], x(k, i, 1)) << k << ' ' << i;
      EXPECT_EQ(all.position[k].z[i], plane ? 0 : x(k, i, 2)) << k << ' ' << i;
    }
  }
}

TEST_F(ImportedFrames, LongTablesInAnyOrder) {
  constexpr std::size_t bodies = 3, frames = 5;
  const auto line = [](std::size_t k, std::size_t i) {
    return fmt::format("{},b{},{},{},{},{}\n", 0.5 * static_cast<double>(k), i, x(k, i), x(k, i, 1), x(k, i, 2), i + 1);
  };
  std::string by_frame = "t,id,x,y,z,m\n", by_body = by_frame, shuffled = by_frame;
  for (std::size_t k = 0; k < frames; ++k)
    for (std::size_t i = 0; i < bodies; ++i) by_frame += line(k, i), shuffled += line(k, k == 0 ? i : (i + k) % bodies);
  for (std::size_t i = 0; i < bodies; ++i)
    for (std::size_t k = 0; k < frames; ++k) by_body += line(k, i);
  for (const std::string& text : {by_frame, by_body, shuffled}) {
    const ForeignFrames all = frames_in(text);
    expect_frames(all, frames, bodies);
    EXPECT_THAT(all.time, ElementsAre(0, 0.5, 1, 1.5, 2));
    EXPECT_THAT(all.first.bodies->numbers.at("mass"), ElementsAre(1, 2, 3));
    EXPECT_TRUE(all.velocity.empty());
  }
}

TEST_F(ImportedFrames, WideTablesNameTheirBodies) {
  for (const char* header : {"t,x1,y1,x2,y2", "t,x_1,y_1,x_2,y_2", "t,r1x,r1y,r2x,r2y", "t;sun_x;sun_y;moon_x;moon_y",
                             "t,x[1],y[1],x[2],y[2]", "t,x_sun,y_sun,x_moon,y_moon"}) {
    std::string text = std::string(header) + "\n";
    const char separator = text.find(';') != std::string::npos ? ';' : ',';
    for (std::size_t k = 0; k < 3; ++k)
      text += fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}\n", separator, k, x(k, 0), x(k, 0, 1), x(k, 1), x(k, 1, 1));
    const ForeignFrames all = frames_in(text, {.mass = 2.5});
    expect_frames(all, 3, 2, true);
    EXPECT_EQ(all.first.bodies->texts.contains("name"), text.find("sun") != std::string::npos) << header;
    EXPECT_THAT(all.first.bodies->numbers.at("mass"), ElementsAre(2.5, 2.5));
  }
  EXPECT_THAT(refused("t,x1,y1,x2\n0,1,2,3\n"), HasSubstr("column `y` of `2` is missing"));
  EXPECT_THAT(refused("t,x1,y1,x2,y2,vx1,vy1\n0,1,2,3,4,5,6\n"), HasSubstr("`2` has other columns than `1`"));
  EXPECT_THAT(refused("t,x1,y1,x2,y2,m1\n0,1,2,3,4,5\n"), HasSubstr("`2` has other columns than `1`"));
  EXPECT_THAT(refused("t,id,x,y,vx\n0,1,2,3,4\n"), HasSubstr("velocities lack a column"));
  EXPECT_THAT(refused("t,id,x,y,z,vx,vy\n0,1,2,3,4,5,6\n"), HasSubstr("velocities lack a column"));
}

TEST_F(ImportedFrames, BlocksAndTheTextOfACourse) {
  std::string blocks = "# x y z mass\n", course = "2 1.5\n", again = "id x y z mass\n";
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      blocks += fmt::format("{} {} {} 1\n", x(k, i), x(k, i, 1), x(k, i, 2));
      again += fmt::format("{} {} {} {} 1\n", i, x(k, i), x(k, i, 1), x(k, i, 2));
      course += fmt::format("{:g} {:g}\n", x(k, i), x(k, i, 1));
    }
    blocks += "\n";
    course += "\n";
  }
  expect_frames(frames_in(blocks), 4, 2);
  expect_frames(frames_in(again), 4, 2);
  const ForeignFrames all = frames_in(course);
  expect_frames(all, 4, 2, true);
  EXPECT_TRUE(all.time.empty());
}

TEST_F(ImportedFrames, WhatIsNoTrajectoryIsRefusedAtItsLine) {
  EXPECT_THAT(refused("t,id,x,y\n0,1,0,0\n0,2,1,1\n1,1,0,0\n"),
              HasSubstr("f.csv:4: its frame has 1 bodies, others have 2"));
  EXPECT_THAT(refused("t,id,x,y\n0,1,0,0\n0,2,1,1\n0,1,0,0\n0,3,1,0\n"),
              HasSubstr("its frame has 4 bodies, others have 3"));
  EXPECT_THAT(refused("t,id,x,y\n0,1,0,0\n0,2,1,1\n1,1,0,0\n1,1,1,0\n"),
              AllOf(HasSubstr("f.csv:5: has body 1 again in the frame of line 4"), HasSubstr("too few digits")));
  EXPECT_THAT(refused("t,id,x\n0,1,0\n"), HasSubstr("column `y` is missing"));
  EXPECT_THAT(refused("t,x,y\n0,1,nan\n"), HasSubstr("f.csv:2: `nan` in column `y` is not a number"));
  EXPECT_THAT(refused("t,x,y\n0,1\n"), HasSubstr("f.csv:2: has 2 fields, but there are 3 columns"));
  EXPECT_THAT(refused("t,x,y,x\n0,1,2,3\n"), HasSubstr("column `x` is given twice"));
  EXPECT_THAT(refused("t,x,y\n"), HasSubstr("has no bodies"));
  EXPECT_THAT(refused(""), HasSubstr("is empty"));
}

TEST_F(ImportedFrames, OwnExportIsTheSameRun) {
  write(folder_ / "s.toml",
        "units = \"astronomical\"\n[[initial]]\nkind = \"two-body\"\neccentricity = 0.5\nmasses = [1.0, 0.25]\n"
        "[integrator]\nkind = \"yoshida4\"\ndt = \"0.01 periods\"\ntime = \"2 periods\"\n[trajectory]\nframes = 41\n"
        "[observables]\nextremes = false\n");
  simulate(folder_, "s.toml", "own");
  ASSERT_EQ(run(folder_, {"export", "own/run.h5", "--format", "csv", "-o", "own.csv"}).code, 0);
  const Outcome done = import({"own.csv", "--scenario", "s.toml", "-o", "again.h5"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("41 frames of 2 bodies"));
  const TrajectoryReader own(folder_ / "own" / "run.h5"), again(folder_ / "again.h5");
  EXPECT_EQ(again.checksums(), own.checksums());
  EXPECT_EQ(again.times(), own.times());
  EXPECT_EQ(again.steps(), own.steps());
  const History a = own.history(), b = again.history();
  ASSERT_EQ(b.step.size(), 41U);
  for (std::size_t k = 0; k < b.step.size(); ++k) EXPECT_EQ(b.total_energy[k], a.total_energy[k]) << k;
  EXPECT_THAT(
      run(folder_, {"verify", "again.h5"}).errors,
      HasSubstr("again.h5: was imported from own.csv (csv): another program computed it, so it cannot be repeated"));
  EXPECT_THAT(run(folder_, {"resume", "again.h5"}).errors, HasSubstr("so it cannot be continued"));
  EXPECT_THAT(run(folder_, {"info", "again.h5"}).output, HasSubstr("imported"));
  EXPECT_EQ(run(folder_, {"table", "own/run.h5", "again.h5"}).code, 0);
}

TEST_F(ImportedFrames, FilesInNaturalOrderAreFrames) {
  for (const std::size_t k : {9U, 10U, 100U})
    write(folder_ / fmt::format("f{}.csv", k),
          fmt::format("mass,x,y,z,vx,vy,vz\n1,{0},0,0,0,1,0\n2,-{0},0,0,0,-1,0\n", k));
  ASSERT_EQ(import({"f*.csv", "--dt", "0.25"}).code, 0);
  const TrajectoryReader all(folder_ / "f9.h5");
  EXPECT_THAT(all.times(), ElementsAre(0, 0.25, 0.5));
  EXPECT_EQ(all.snapshot(1).position.x[1], -10);
  EXPECT_EQ(all.snapshot(2).position.x[0], 100);
  EXPECT_EQ(import({"g*.csv"}).code, 2);
  write(folder_ / "f101.csv", "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,1,0\n");
  EXPECT_THAT(import({"f*.csv", "-o", "odd.h5"}).errors, HasSubstr("f101.csv: has 1 bodies, the first frame 2"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "odd.h5"));
}

TEST_F(ImportedFrames, FilesOfOneBodyEach) {
  write(folder_ / "sun.csv", "t,x,y,vx,vy\n0,1,2,3,4\n1,5,6,7,8\n");
  write(folder_ / "heavy.csv", "t,x,y,vx,vy,mass\n0,1,2,3,4,5\n1,5,6,7,8,5\n");
  write(folder_ / "moon.csv", "t,x,y,vx,vy\n0,-1,-2,-3,-4\n1,-5,-6,-7,-8\n");
  ASSERT_EQ(import({"sun.csv", "moon.csv", "--mass", "1", "-o", "both.h5"}).code, 0);
  const TrajectoryReader both(folder_ / "both.h5");
  EXPECT_THAT(both.bodies().names, ElementsAre("sun", "moon"));
  EXPECT_EQ(both.snapshot(1).velocity.y[1], -8);
  EXPECT_THAT(import({"heavy.csv", "moon.csv", "-o", "no.h5"}).errors, HasSubstr("give --mass"));
  write(folder_ / "late.csv", "t,x,y,vx,vy\n0,1,2,3,4\n2,5,6,7,8\n");
  EXPECT_THAT(import({"sun.csv", "late.csv", "--mass", "1", "-o", "no.h5"}).errors,
              HasSubstr("late.csv: has other times"));
}

/// What has no frames stays bodies of a scenario.
TEST_F(ImportedFrames, TablesWithoutFramesAreScenarios) {
  write(folder_ / "orbits.csv", "name,mass,a,e\nsun,1,,\nearth,3e-6,1,0.0167\n");
  EXPECT_THAT(import({"orbits.csv"}).output, HasSubstr("written: orbits.toml"));
  write(folder_ / "groups.csv", "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n\n1,1,0,0,0,1,0\n");
  EXPECT_THAT(import({"groups.csv"}).output, HasSubstr("written: groups.toml"));
  ASSERT_EQ(import({"groups.csv", "-o", "groups.h5"}).code, 0) << "unless a run is asked for";
  EXPECT_EQ(TrajectoryReader(folder_ / "groups.h5").size(), 2U);
  write(folder_ / "late.csv", "t,x,y,mass\n1,0,0,1\n0,0,1,1\n-2,5,5,1\n-1,5,5,1\n");
  EXPECT_EQ(import({"late.csv", "-o", "groups.h5", "--force"}).code, 2);
  EXPECT_EQ(TrajectoryReader(folder_ / "groups.h5").size(), 2U) << "what is there stays until the new one is whole";
}

TEST_F(ImportedFrames, MassesAndLawOfAScenario) {
  write(folder_ / "s.toml",
        "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [{name = \"A\", mass = 2, position = [1, 0, 0], "
        "velocity = [0, 1, 0]},\n"
        "{name = \"B\", mass = 3, position = [-1, 0, 0], velocity = [0, -1, 0]}]\n[[force]]\nkind = \"gravity\"\n"
        "softening = 0.5\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\ntime = 1\n");
  write(folder_ / "mine.csv", "t,name,x,y\n0,B,-1,0\n0,A,1,0\n0.02,B,-1,0.25\n0.02,A,1,0.25\n");
  const Outcome done = import({"mine.csv", "--scenario", "s.toml"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.errors,
              AllOf(HasSubstr("bodies are those of the scenario by their names"), HasSubstr("no kinetic energies")));
  const TrajectoryReader mine(folder_ / "mine.h5");
  EXPECT_THAT(mine.bodies().mass, ElementsAre(2, 3)) << "the order is that of the scenario";
  EXPECT_THAT(mine.bodies().names, ElementsAre("A", "B"));
  EXPECT_THAT(mine.snapshot(1).position.x, ElementsAre(1, -1));
  EXPECT_THAT(mine.steps(), ElementsAre(0, 2));
  const History rows = mine.history();
  EXPECT_DOUBLE_EQ(rows.potential_energy.front(), -6 / std::sqrt(4.25));
  EXPECT_TRUE(std::isnan(rows.total_energy.front())) << "there are no velocities";
  EXPECT_EQ(run(folder_, {"render", "mine.h5", "--figure", "energy-error"}).code, 0);
  EXPECT_EQ(run(folder_, {"render", "mine.h5", "--figure", "projection"}).code, 0);
  write(folder_ / "numbers.csv", "t,id,x,y\n0,2,-1,0\n0,1,1,0\n0.02,1,1,0.25\n0.02,2,-1,0.5\n");
  EXPECT_THAT(import({"numbers.csv", "--scenario", "s.toml"}).errors, HasSubstr("by their numbers"));
  EXPECT_THAT(TrajectoryReader(folder_ / "numbers.h5").snapshot(1).position.y, ElementsAre(0.25, 0.5));
  write(folder_ / "three.csv", "t,id,x,y\n0,1,0,0\n0,2,1,1\n0,3,1,1\n");
  EXPECT_THAT(import({"three.csv", "--scenario", "s.toml"}).errors,
              HasSubstr("three.csv: has 3 bodies, the scenario 2"));
  EXPECT_THAT(import({"mine.csv", "-o", "asked.h5"}).errors, HasSubstr("give --mass (the file has no masses)"));
}

/// Of a box only the places within it are stored, and how often a body left it.
TEST_F(ImportedFrames, PeriodicBox) {
  write(folder_ / "s.toml",
        "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [{mass = 1, position = [1, 1, 1], velocity = [0, 0, "
        "0]}]\n"
        "[[force]]\nkind = \"repulsive\"\n[domain]\nboundary = \"periodic\"\nedges = [4, 4, 4]\n"
        "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 10\n");
  write(folder_ / "box.csv", "t,x,y,z\n0,1,1,1\n0.01,5.5,-3.25,1\n");
  const Outcome done = import({"box.csv", "--scenario", "s.toml"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const sim::Snapshot frame = TrajectoryReader(folder_ / "box.h5").snapshot(1);
  EXPECT_EQ(frame.position.x[0], 1.5);
  EXPECT_EQ(frame.image.x[0], 1);
  EXPECT_EQ(frame.position.y[0] + 4 * frame.image.y[0], -3.25);
}

/// What orrery did not compute it does not claim to.
TEST_F(ImportedFrames, PageAndPicturesClaimNoRun) {
  write(folder_ / "mine.csv", "t,x,y,vx,vy,mass\n0,1,0,0,1,1\n1,2,0,0,1,1\n2,3,0,0,1,1\n");
  ASSERT_EQ(import({"mine.csv"}).code, 0);
  ASSERT_EQ(run(folder_, {"report", "mine.h5", "-o", "mine.html"}).code, 0);
  EXPECT_THAT(read(folder_ / "mine.html"),
              AllOf(HasSubstr("computed by another program and imported from mine.csv"), HasSubstr("imported from"),
                    ::testing::Not(HasSubstr("reproducible everywhere")),
                    ::testing::Not(HasSubstr("equations of motion")), ::testing::Not(HasSubstr("orrery verify"))));
  ASSERT_EQ(run(folder_, {"render", "mine.h5", "--figure", "energy", "-o", "e.png"}).code, 0);
  EXPECT_EQ(run(folder_, {"run", "e.png", "-o", "again"}).code, 2) << "it carries no scenario";
}

TEST_F(ImportedFrames, TimesMustGoOn) {
  write(folder_ / "mine.csv", "t,frame,x,y,mass\n0,0,0,0,1\n2,1,0,1,1\n1,2,0,2,1\n");
  EXPECT_THAT(import({"mine.csv"}).errors, HasSubstr("mine.csv: frame 2 at t = 1 does not come after t = 2"));
  ASSERT_EQ(import({"mine.csv", "--dt", "0.5"}).code, 0);
  write(folder_ / "back.csv", "t,x,y,mass\n0,0,0,1\n-1,0,1,1\n-2,0,2,1\n");
  ASSERT_EQ(import({"back.csv"}).code, 0);
  EXPECT_THAT(TrajectoryReader(folder_ / "back.h5").times(), ElementsAre(0, -1, -2));
}

TEST_F(ImportedFrames, ExtendedXyzByNumbers) {
  write(folder_ / "a.xyz",
        "2\nProperties=id:I:1:pos:R:3:mass:R:1 Time=0\n7 1 0 0 1\n9 2 0 0 3\n"
        "2\nProperties=id:I:1:pos:R:3:mass:R:1 Time=0.5\n9 2 1 0 3\n7 1 1 0 1\n");
  ASSERT_EQ(import({"a.xyz"}).code, 0);
  const TrajectoryReader all(folder_ / "a.h5");
  EXPECT_THAT(all.times(), ElementsAre(0, 0.5));
  EXPECT_THAT(all.snapshot(1).position.x, ElementsAre(1, 2));
  EXPECT_THAT(all.bodies().mass, ElementsAre(1, 3));
}

/// GADGET stores bodies in another order in each snapshot.
TEST_F(ImportedFrames, SnapshotsByTheirIdentifiers) {
  const auto snapshot = [&](const char* name, double time, std::uint32_t first, std::uint32_t second) {
    WrittenBytes header, position, velocity, id, mass, file;
    for (const std::uint32_t count : {0U, 2U, 0U, 0U, 0U, 0U}) header.add(count);
    header.zeros(48).add(time).zeros(8 + 8);
    for (const std::uint32_t count : {0U, 2U, 0U, 0U, 0U, 0U}) header.add(count);
    header.add(std::int32_t{0}).add(std::int32_t{1});
    header.zeros(256 - header.text.size());
    for (const std::uint32_t body : {first, second}) {
      for (const double axis : {1.0, 2.0, 3.0}) position.add(axis * body), velocity.add(-axis * body);
      id.add(body), mass.add(0.5 * body);
    }
    file.gadget_block("HEAD", header.text, false).gadget_block("POS ", position.text, false);
    file.gadget_block("VEL ", velocity.text, false)
        .gadget_block("ID  ", id.text, false)
        .gadget_block("MASS", mass.text, false);
    write(folder_ / name, file.text);
  };
  snapshot("snap_001", 1, 4, 6);
  snapshot("snap_002", 2, 6, 4);
  const Outcome done = import({"snap_001", "snap_002", "-o", "all.h5"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const TrajectoryReader all(folder_ / "all.h5");
  EXPECT_THAT(all.times(), ElementsAre(1, 2));
  EXPECT_THAT(all.bodies().mass, ElementsAre(2, 3));
  EXPECT_THAT(all.snapshot(1).position.y, ElementsAre(8, 12));
  snapshot("snap_003", 3, 6, 5);
  EXPECT_THAT(import({"snap_001", "snap_003", "-o", "no.h5"}).errors, HasSubstr("snap_003: has a body of number 5"));
}

TEST(NaturalOrder, CountsDigitsAsNumbers) {
  EXPECT_TRUE(naturally_before("f2.csv", "f10.csv"));
  EXPECT_FALSE(naturally_before("f10.csv", "f2.csv"));
  EXPECT_TRUE(naturally_before("f009", "f10"));
  EXPECT_TRUE(naturally_before("a9b2", "a9b11"));
  EXPECT_FALSE(naturally_before("f1", "f1"));
  EXPECT_TRUE(naturally_before("f00001", "f1aaaaaaa")) << "an order: the longer name of the same beginning is later";
  EXPECT_TRUE(naturally_before("f1aaaaaaa", "f1b"));
  EXPECT_TRUE(naturally_before("f00001", "f1b"));
  EXPECT_TRUE(naturally_before("f1", "f01"));
  EXPECT_TRUE(naturally_before("e10", "f2"));
  EXPECT_TRUE(are_numbered({"out/f1.csv", "out/f25.csv"}));
  EXPECT_FALSE(are_numbered({"sun.csv", "moon.csv"}));
  EXPECT_FALSE(are_numbered({"f1.csv"}));
}

}  // namespace
}  // namespace orrery::pipeline::testing
