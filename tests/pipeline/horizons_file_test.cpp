// SPDX-License-Identifier: MIT
// Bodies from texts of JPL Horizons. The texts here are in the format of its manual, with the numbers of a made-up orbit.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "sim/orbit.hpp"
#include "tests/pipeline/scenario_support.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string header(const std::string& type, const std::string& units = "AU-D",
                   const std::string& frame = "Ecliptic of J2000.0",
                   const std::string& centre = "Solar System Barycenter (0)") {
  return "*******************************************************************************\n"
         " Physical data (updated 2020):\n"
         "  GM (km^3/s^2)         = 62.6284 +- 0.001       density (g cm^-3) = 2.16\n"
         "  GM 1-sigma (km^3/s^2) = 0.001\n"
         "Target body name: 1 Ceres (A801 AA)               {source: JPL#48}\n"
         "Center body name: " +
         centre +
         "        {source: DE441}\n"
         "Center-site name: BODY CENTER\n"
         "Start time      : A.D. 2026-Nov-27 00:00:00.0000 TDB\n"
         "Keplerian GM    : 2.9591220828411956E-04 au^3/d^2\n"
         "Output units    : " +
         units +
         "\n"
         "Output type     : " +
         type +
         "\n"
         "Reference frame : " +
         frame +
         "\n"
         "*******************************************************************************\n"
         "JDTDB\n   X     Y     Z\n   VX    VY    VZ\n"
         "*******************************************************************************\n";
}

constexpr const char* two_dates =
    "$$SOE\n"
    "2461371.500000000 = A.D. 2026-Nov-27 00:00:00.0000 TDB \n"
    " X = 1.500000000000000E+00 Y =-2.250000000000000E+00 Z = 1.250000000000000E-01\n"
    " VX= 5.000000000000000E-03 VY= 2.500000000000000E-03 VZ=-1.250000000000000E-03\n"
    " LT= 1.2E-02 RG= 2.2E+00 RR= 1.0E-03\n"
    "2461372.500000000 = A.D. 2026-Nov-28 00:00:00.0000 TDB \n"
    " X = 1.750000000000000E+00 Y =-2.250000000000000E+00 Z = 1.250000000000000E-01\n"
    " VX= 5.000000000000000E-03 VY= 2.500000000000000E-03 VZ=-1.250000000000000E-03\n"
    "$$EOE\n";

class HorizonsFile : public ::testing::Test {
 protected:
  sim::Bodies read(const std::string& text,
                   const std::string& top = "units = \"astronomical\"\nepoch = \"2026-11-28\"\n",
                   const std::string& first = "") {
    std::ofstream(folder_ / "ceres.txt", std::ios::binary) << text;
    return set_up(parse_scenario(top + first +
                                     "[[initial]]\nkind = \"table\"\nrecentre = false\nfile = \"ceres.txt\"\n"
                                     "[integrator]\ndt = 1.0\nsteps = 1\n",
                                 (folder_ / "s.toml").string()))
        .model.bodies;
  }
  std::string refused(const std::string& text,
                      const std::string& top = "units = \"astronomical\"\nepoch = \"2026-11-28\"\n") {
    try {
      (void)read(text, top);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::request);
      const std::string message = error.what(), folder = (folder_ / "").string();
      EXPECT_THAT(message, StartsWith(folder));
      return message.substr(folder.size());
    }
    return "";
  }
  Folder folder_;
};

TEST_F(HorizonsFile, VectorsAreThoseOfTheEpoch) {
  const sim::Bodies bodies = read(header("GEOMETRIC cartesian states") + two_dates);
  ASSERT_EQ(bodies.size(), 1U);
  EXPECT_EQ(bodies.names.at(0), "1 Ceres");
  EXPECT_EQ(bodies.position.x[0], 1.75);
  EXPECT_EQ(bodies.position.y[0], -2.25);
  EXPECT_EQ(bodies.velocity.z[0], -1.25e-3);
  EXPECT_NEAR(bodies.mass[0] * 1.32712440018e11, 62.6284, 1e-7);  // G M of the Sun in km³/s²
  const sim::Bodies earlier =
      read(header("GEOMETRIC cartesian states") + two_dates, "units = \"astronomical\"\nepoch = \"JD 2461371.5\"\n");
  EXPECT_EQ(earlier.position.x[0], 1.5);
}

TEST_F(HorizonsFile, FieldsSeparatedByCommasAreTheSame) {
  const sim::Bodies bodies = read(header("GEOMETRIC cartesian states") +
                                  "            JDTDB,            Calendar Date (TDB),  X,  Y,  Z,  VX,  VY,  VZ,  LT,\n"
                                  "$$SOE\n"
                                  "2461372.500000000, A.D. 2026-Nov-28 00:00:00.0000,  1.75E+00, -2.25E+00, 1.25E-01, "
                                  "5.0E-03, 2.5E-03, -1.25E-03, 1.0E-02,\n$$EOE\n");
  EXPECT_EQ(bodies.position.x[0], 1.75);
  EXPECT_EQ(bodies.velocity.z[0], -1.25e-3);
}

TEST_F(HorizonsFile, UnitsAndAxesAreConverted) {
  const sim::Bodies own = read(header("GEOMETRIC cartesian states", "KM-S", "ICRF") + two_dates);
  const sim::Vec3 expected = sim::ecliptic_of_equatorial({1.75, -2.25, 0.125});
  constexpr double au = 149597870.7;
  EXPECT_NEAR(own.position.y[0], expected.y / au, 1e-22);
  EXPECT_NEAR(own.position.z[0], expected.z / au, 1e-22);
  EXPECT_NEAR(own.velocity.x[0], 5e-3 * 86400 / au, 1e-18);
  const sim::Bodies si =
      read(header("GEOMETRIC cartesian states", "KM-D") + two_dates, "units = \"si\"\nepoch = \"2026-11-28\"\n");
  EXPECT_DOUBLE_EQ(si.position.x[0], 1750);
  EXPECT_DOUBLE_EQ(si.velocity.x[0], 5.0 / 86400);
}

TEST_F(HorizonsFile, ElementsAreAState) {
  for (const bool in_km : {false, true}) {
    const double length = in_km ? 149597870.7 : 1;
    std::string text = header("GEOMETRIC osculating elements",
                              in_km ? "KM-S, deg, Julian Day Number (Tp)" : "AU-D, deg, Julian Day Number (Tp)") +
                       fmt::format(
                           "$$SOE\n2461372.500000000 = A.D. 2026-Nov-28 00:00:00.0000 TDB \n"
                           " EC= 7.957631994408416E-02 QR= {:.15E} IN= 1.058795846133060E+01\n"
                           " OM= 8.024878480366900E+01 W = 7.331106911720270E+01 Tp=  2461598.770000000\n"
                           " N = 2.1E-01 MA= 3.1E+02 TA= 3.0E+02\n A = 2.7E+00 AD= 2.9E+00 PR= 1.6E+03\n$$EOE\n",
                           2.545 * length);
    if (in_km) {
      const std::string gm = "2.9591220828411956E-04 au^3/d^2";
      text.replace(text.find(gm), gm.size(),
                   fmt::format("{:.17E} km^3/s^2", 2.9591220828411956e-4 * std::pow(length, 3) / 86400 / 86400));
    }
    const sim::Bodies bodies = read(text);
    const sim::RelativeState state = sim::state_of({.pericentre = 2.545,
                                                    .eccentricity = 7.957631994408416e-02,
                                                    .inclination = 10.58795846133060,
                                                    .ascending_node = 80.24878480366900,
                                                    .argument_of_pericentre = 73.31106911720270,
                                                    .time_of_pericentre = 226.27},
                                                   2.9591220828411956e-4);
    EXPECT_NEAR(bodies.position.x[0], state.position.x, 1e-9);  // Tp has 10⁻⁹ days
    EXPECT_NEAR(bodies.position.z[0], state.position.z, 1e-9);
    EXPECT_NEAR(bodies.velocity.y[0], state.velocity.y, 1e-12);
  }
}

TEST_F(HorizonsFile, WhatIsMissingOrElsewhereIsSaid) {
  const std::string vectors = header("GEOMETRIC cartesian states");
  EXPECT_THAT(refused(vectors + two_dates, "epoch = \"2026-11-28\"\n"),
              AllOf(StartsWith("ceres.txt:1: "), HasSubstr("give it `units`")));
  EXPECT_THAT(refused(vectors + two_dates, "units = \"astronomical\"\n"),
              AllOf(StartsWith("ceres.txt:23: "), HasSubstr("has 2 dates"), HasSubstr("JD 2461371.5")));
  EXPECT_THAT(refused(vectors + two_dates, "units = \"astronomical\"\nepoch = \"2026-11-30\"\n"),
              HasSubstr("no state at the `epoch`, JD 2461374.5; the nearest is of JD 2461372.5"));
  EXPECT_THAT(refused(vectors), HasSubstr("there is no line \"$$SOE\""));
  EXPECT_THAT(refused(vectors + "$$SOE\n$$EOE\n"), HasSubstr("no states between"));
  EXPECT_THAT(refused(vectors + "$$SOE\n2461372.5 = A.D.\n X = 1.0 Y = 2.0\n$$EOE\n"), HasSubstr("lacks `Z`"));
  EXPECT_THAT(refused(vectors + "$$SOE\n2461372.5 = A.D.\n X = one\n$$EOE\n"), HasSubstr("`X` has no number"));
  EXPECT_THAT(refused(vectors + "$$SOE\n2461372.5 = A.D.\n X = 1.0\n"), HasSubstr("$$EOE"));
  EXPECT_THAT(refused("*****\n$$SOE\n"), HasSubstr("lacks lines of its header"));
  EXPECT_THAT(refused(header("LT+S cartesian states") + two_dates), HasSubstr("choose geometric ones"));
  EXPECT_THAT(refused(header("GEOMETRIC cartesian states", "AU-D", "FK4/B1950.0") + two_dates),
              HasSubstr("choose those of the ecliptic"));
  EXPECT_THAT(refused(header("GEOMETRIC cartesian states", "MILES") + two_dates), HasSubstr("AU-D, KM-S or KM-D"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
