// SPDX-License-Identifier: MIT
// Bodies given by orbital elements: in a scenario, in CSV files, from what `export --format elements` writes; their figure.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "pipeline/pictures/charts/resonant_angle.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/model_toml.hpp"
#include "sim/orbit.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* table_start = "[initial]\nkind = \"table\"\nrecentre = false\n";
constexpr const char* few_steps = "[integrator]\ndt = 0.01\nsteps = 3\n";

sim::Bodies bodies_in(const std::string& entries) {
  return set_up(parse_scenario(table_start + ("bodies = [\n" + entries + "]\n") + few_steps, "s.toml")).model.bodies;
}

std::string refusal_in(const std::string& entries) {
  return refusal(table_start + ("bodies = [\n" + entries + "]\n") + few_steps);
}

sim::Vec3 difference(const sim::Vectors& of, std::size_t a, std::size_t b) {
  return {of.x[a] - of.x[b], of.y[a] - of.y[b], of.z[a] - of.z[b]};
}

const std::string sun =
    "  { name = \"Sun\", mass = 2.0, position = [0.5, -0.3, 0.1], velocity = [0.01, 0.02, -0.03] },\n";

TEST(ListedOrbits, AreAboutBodiesAbove) {
  const auto at =
      bodies_in(sun +
                "  { name = \"A\", mass = 0.3, a = 1.3, e = 0.2, i = 30.0, Omega = 40.0, omega = 50.0, M = 60.0 },\n"
                "  { name = \"B\", mass = 0.1, around = \"A\", pericentre = 0.05, apocentre = 0.07, f = 200.0 },\n"
                "  { name = \"C\", mass = 0.0, around = \"A + B\", P = 0.9, e = 0.3, pomega = 80.0, l = 10.0 },\n"
                "  { name = \"D\", mass = 0.2, q = 9.0, e = 1.0, T = 3.0 },\n");
  const auto a = sim::elements_of(2.3, difference(at.position, 1, 0), difference(at.velocity, 1, 0));
  EXPECT_NEAR(a.semi_major_axis, 1.3, 1e-14);
  EXPECT_NEAR(a.inclination, 30, 1e-12);
  EXPECT_NEAR(a.mean_anomaly, 60, 1e-12);
  const auto b = sim::elements_of(0.4, difference(at.position, 2, 1), difference(at.velocity, 2, 1));
  EXPECT_NEAR(b.apocentre, 0.07, 1e-15);
  EXPECT_NEAR(b.true_anomaly, 200, 1e-10);
  // Barycentres.
  const auto about = [&](std::size_t body, std::initializer_list<std::size_t> of, double t = 0) {
    double mass = 0;
    double state[6] = {};
    for (const std::size_t i : of) {
      const double m = at.mass[i];
      mass += m;
      const double own[] = {at.position.x[i], at.position.y[i], at.position.z[i],
                            at.velocity.x[i], at.velocity.y[i], at.velocity.z[i]};
      for (int k = 0; k < 6; ++k) state[k] += m * own[k];
    }
    return sim::elements_of(mass + at.mass[body],
                            {at.position.x[body] - state[0] / mass, at.position.y[body] - state[1] / mass,
                             at.position.z[body] - state[2] / mass},
                            {at.velocity.x[body] - state[3] / mass, at.velocity.y[body] - state[4] / mass,
                             at.velocity.z[body] - state[5] / mass},
                            t);
  };
  const auto c = about(3, {1, 2});
  EXPECT_NEAR(c.period, 0.9, 1e-14);
  EXPECT_NEAR(c.mean_longitude, 10, 1e-9);
  const auto d = about(4, {0, 1, 2, 3});
  EXPECT_NEAR(d.eccentricity, 1, 1e-14);
  EXPECT_NEAR(d.time_of_pericentre, 3, 1e-13);
}

TEST(ListedOrbits, OfTheEquatorAreTurned) {
  const auto flat = bodies_in(sun + "  { mass = 0.1, a = 1.0, e = 0.1, i = 20.0, Omega = 30.0 },\n");
  const auto turned =
      bodies_in(sun + "  { mass = 0.1, a = 1.0, e = 0.1, i = 20.0, Omega = 30.0, plane = \"equatorial\" },\n");
  const auto want = sim::ecliptic_of_equatorial(difference(flat.position, 1, 0));
  const auto found = difference(turned.position, 1, 0);
  EXPECT_NEAR(found.y, want.y, 1e-15);
  EXPECT_NEAR(found.z, want.z, 1e-15);
}

/// `around` also names bodies of tables before; position and velocity are then relative to it, too.
TEST(ListedOrbits, MayBeAboutBodiesOfTablesBefore) {
  const std::string first = table_start + ("bodies = [\n" + sun + "]\n");
  const auto at = [&](const std::string& entry) {
    return set_up(parse_scenario("[[initial]]" + first.substr(9) +
                                     "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [" + entry + "]\n" +
                                     few_steps,
                                 "s.toml"))
        .model.bodies;
  };
  const auto one = bodies_in(sun + "  { mass = 0.3, a = 1.3, e = 0.2, i = 30.0, M = 60.0 },\n");
  for (const char* around : {"", ", around = \"all\"", ", around = \"Sun\""}) {
    const auto two = at(fmt::format("{{ mass = 0.3, a = 1.3, e = 0.2, i = 30.0, M = 60.0{} }}", around));
    EXPECT_EQ(two.position.x, one.position.x) << around;
    EXPECT_EQ(two.velocity.z, one.velocity.z) << around;
  }
  const auto relative =
      at("{ mass = 0.0, around = \"Sun\", position = [1.0, 2.0, 3.0], velocity = [0.5, 0.25, 0.125] }");
  EXPECT_DOUBLE_EQ(relative.position.y[1], 1.7);
  EXPECT_DOUBLE_EQ(relative.velocity.z[1], 0.095);
}

TEST(ListedOrbits, WhatIsWrongIsSaidAtTheBody) {
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, a = 1.0, P = 2.0, e = 0.1, i = 200.0 },\n"),
              HasSubstr("s.toml:6:3: `inclination` = 200 must be from 0 to 180 degrees"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, a = 1.0, P = 2.0, e = 0.1 },\n"),
              HasSubstr("s.toml:6:3: `period` = 2 contradicts the other elements, which give 4.33"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, a = 1.0, e = 1.5, around = \"Moon\", plane = \"sky\" },\n"),
              HasSubstr("s.toml:6:3: `plane` = \"sky\" must be ecliptic or equatorial; `around`: no body above it "
                        "is named \"Moon\""));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, a = 1.0, position = [1, 0, 0] },\n"),
              HasSubstr("s.toml:6:3: `position` and orbital elements exclude each other"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, e = 0.5 },\n"), HasSubstr("s.toml:6:3: its size is missing"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1 },\n"),
              HasSubstr("s.toml:6:3: this entry of `bodies` needs `position` and `velocity`, or an orbit"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, position = [1, 2, 3] },\n"),
              HasSubstr("s.toml:6:3: this entry of `bodies` needs `velocity`"));
  EXPECT_THAT(refusal_in("  { mass = 0.1, a = 1.0 },\n"), HasSubstr("s.toml:5:3: the first body has nothing to orbit"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, a = 1.0, semi_major_axis = 2.0 },\n"),
              HasSubstr("`a` is `semi_major_axis`, which is given, too"));
  EXPECT_THAT(refusal_in(sun + "  { mass = 0.1, semimajor_axis = 2.0 },\n"),
              HasSubstr("did you mean `semi_major_axis`?"));
}

class OrbitFiles : public ::testing::Test {
 protected:
  [[nodiscard]] Outcome in(std::vector<std::string> words) const { return run(folder_, std::move(words)); }
  Folder folder_;
};

TEST_F(OrbitFiles, OfCsvMayBeEmpty) {
  std::ofstream(folder_ / "b.csv") << "name,mass,x,y,z,vx,vy,vz,around,a,e,M,charge\n"
                                      "Sun,1,0,0,0,0,0,0,,,,,1\n"
                                      "p,0.001,,,,,,,Sun,1.5,0.1,30,\n"
                                      "q,0.001,3,0,0,0,0.5,0,,,,,\n";
  std::ofstream(folder_ / "s.toml") << table_start << "file = \"b.csv\"\n" << few_steps;
  ASSERT_EQ(in({"simulate", "s.toml"}).code, 0);
  // What is recorded makes the same run again: columns of the file, and the scenario written anew.
  const TrajectoryReader trajectory(folder_ / "s/run.h5");
  const SharedColumns bodies = trajectory.initial(0);
  EXPECT_TRUE(std::isnan(bodies->numbers.at("semi_major_axis")[0]));
  EXPECT_TRUE(std::isnan(bodies->numbers.at("position")[3]));
  EXPECT_EQ(bodies->texts.at("around")[1], "Sun");
  EXPECT_EQ(in({"verify", "s/run.h5"}).code, 0) << in({"verify", "s/run.h5"}).errors;
  // Every other table that lists these bodies, too.
  const std::string csv = csv_of(*bodies);
  EXPECT_THAT(csv, HasSubstr(",around"));
  std::ofstream(folder_ / "b.csv") << csv;
  std::ofstream(folder_ / "again.toml") << table_start << "file = \"b.csv\"\n" << few_steps;
  ASSERT_EQ(in({"simulate", "again.toml"}).code, 0) << in({"simulate", "again.toml"}).errors;
  EXPECT_EQ(in({"diff", "s/run.h5", "again/run.h5"}).code, 0) << in({"diff", "s/run.h5", "again/run.h5"}).output;
  std::ofstream(folder_ / "b.csv")
      << "name,mass,x,y,z,vx,vy,vz,around,a,e,M\nSun,1,0,0,0,0,0,0,,,,\np,0.1,,,,,,,Sun,1,1.5,0\n";
  EXPECT_THAT(in({"check", "s.toml"}).errors,
              HasSubstr("b.csv:3:1: `semi_major_axis` = 1 must be negative on a hyperbola"));
}

TEST_F(OrbitFiles, ExportedElementsComeBack) {
  std::ofstream(folder_ / "s.toml") << table_start << "bodies = [\n"
                                    << sun
                                    << "{ name = \"A\", mass = 0.01, a = 1.3, e = 0.2, i = 30.0, Omega = 40.0 },\n"
                                       "{ name = \"B\", mass = 0.0, q = 0.8, e = 1.0, i = 170.0, f = -100.0 },\n"
                                       "{ mass = 1e-3, a = -2.0, e = 1.7, i = 0.0, M = 300.0 },\n"
                                       "]\n[integrator]\ndt = 0.01\nsteps = 40\n[trajectory]\nframes = 3\n";
  ASSERT_EQ(in({"simulate", "s.toml"}).code, 0) << in({"simulate", "s.toml"}).errors;
  ASSERT_EQ(in({"export", "s/run.h5", "--format", "elements", "--around", "Sun", "-o", "e.csv"}).code, 0);
  EXPECT_THAT(in({"export", "s/run.h5", "--format", "elements", "--around", "Sum"}).errors,
              HasSubstr("did you mean `Sun`?"));
  EXPECT_THAT(in({"export", "s/run.h5", "--format", "csv", "--around", "Sun"}).errors, HasSubstr("csv has no orbits"));
  const auto before = TrajectoryReader(folder_ / "s/run.h5").snapshot(2);
  std::ofstream(folder_ / "t.toml") << table_start << "file = \"e.csv\"\n" << few_steps;
  const sim::Bodies after = set_up(read_scenario(folder_ / "t.toml")).model.bodies;
  ASSERT_EQ(after.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(after.position.x[i], before.position.x[i], 1e-14) << i;
    EXPECT_NEAR(after.position.y[i], before.position.y[i], 1e-14) << i;
    EXPECT_NEAR(after.position.z[i], before.position.z[i], 1e-14) << i;
    EXPECT_NEAR(after.velocity.x[i], before.velocity.x[i], 1e-14) << i;
    EXPECT_NEAR(after.velocity.y[i], before.velocity.y[i], 1e-14) << i;
    EXPECT_NEAR(after.velocity.z[i], before.velocity.z[i], 1e-14) << i;
  }
}

TEST(ResonantAngles, AreReadAndSummed) {
  const auto body_of = [](const std::string& name) { return name == "A" ? std::size_t{0} : std::size_t{1}; };
  const auto terms = resonant_angle("3 l[A] - 2*l[B] -pomega[B] + Omega[A]", body_of);
  ASSERT_EQ(terms.size(), 4U);
  EXPECT_EQ(terms[1].factor, -2);
  EXPECT_EQ(terms[2].body, 1U);
  const sim::OrbitalElements orbits[] = {{.ascending_node = 7, .mean_longitude = 100},
                                         {.longitude_of_pericentre = 33, .mean_longitude = 210}};
  EXPECT_DOUBLE_EQ(value_of(terms, [&](std::size_t i) -> const sim::OrbitalElements& { return orbits[i]; }),
                   300 - 420 - 33 + 7 + 360);
  for (const char* wrong : {"", "l", "l[A", "2 l[A] 3 l[B]", "a[A]", "- "})
    EXPECT_THROW((void)resonant_angle(wrong, body_of), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace orrery::pipeline::testing
