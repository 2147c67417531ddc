// SPDX-License-Identifier: MIT
// Numbers with units: what they are in each system, and what is refused where.
#include "pipeline/quantity.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "pipeline/named_unit.hpp"
#include "pipeline/scenario/units.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

const Units& units(std::string_view name) {
  return *std::ranges::find(all_units(), name, &Units::name);
}

double in(std::string_view system, std::string_view text, std::string_view unit) {
  return quantity_in(text, unit, units(system));
}

std::string refused(std::string_view system, std::string_view text, std::string_view unit) {
  try {
    return fmt::format("{}", in(system, text, unit));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Quantity, IsRoundedOnce) {
  EXPECT_EQ(in("si", "149.6e6 km", "length"), 149.6e9);
  EXPECT_EQ(in("si", "1.1 km", "length"), 1100);
  EXPECT_EQ(in("astronomical", "-149597870.7 km", "length"), -1) << "the decimal, not the double nearest to it";
  EXPECT_EQ(in("astronomical", "1 km", "length"), 10 / 1495978707.0);
  EXPECT_EQ(in("astronomical", "29.78 km/s", "length/time"), 2572992000 / 149597870700.0);
  EXPECT_EQ(in("cgs", "1 au", "length"), 14959787070000);
  EXPECT_EQ(in("si", "1 h", "time"), 3600);
  EXPECT_EQ(in("astronomical", "1 h", "time"), 1.0 / 24);
  EXPECT_EQ(in("au-yr", "2 centuries", "time"), 200);
  EXPECT_EQ(in("au-yr", "1 month", "time"), 1.0 / 12);
  EXPECT_EQ(in("au-yr", "1 week", "time"), 7 / 365.25);
}

/// What both units have falls away, whatever its value in SI.
TEST(Quantity, IsExactInItsOwnUnits) {
  for (const double x : {0.1, 1.37, 29.78, 6.02e23}) {
    EXPECT_EQ(in("galactic", fmt::format("{} km/s", x), "length/time"), x);
    EXPECT_EQ(in("galactic", fmt::format("{} kpc s km-1", x), "time"), x);
    EXPECT_EQ(in("gadget", fmt::format("{} km s-1", x), "length/time"), x);
    EXPECT_EQ(in("stellar", fmt::format("{} Msun/pc^3", x), "mass/length³"), x);
    EXPECT_EQ(in("stellar", fmt::format("{} pc / Myr", x), "length/time"), x);
    EXPECT_EQ(in("si", fmt::format("{} J", x), "energy"), x);
    EXPECT_EQ(in("cgs", fmt::format("{} erg", x), "mass·length²/time²"), x);
    EXPECT_EQ(in("nbody", fmt::format("{} deg", x), "degrees"), x);
    EXPECT_EQ(in("nbody", fmt::format("{}", x), "length"), x);
  }
  EXPECT_EQ(in("gadget", "3e10 Msun", "mass"), 3);
  EXPECT_EQ(in("galactic", "1 Mpc", "length"), 1000);
}

/// Of the nominal values of IAU 2015 B3: G is not needed for masses in those of the Sun.
TEST(Quantity, OfTheSolarSystem) {
  EXPECT_EQ(in("astronomical", "1 Mearth", "mass"), 3.986004e14 / 1.3271244e20);
  EXPECT_EQ(in("astronomical", "2 Jupiter masses", "mass"), 2 * (1.2668653e17 / 1.3271244e20));
  EXPECT_NEAR(1 / in("astronomical", "1 Mearth", "mass"), 332946.08, 0.01);
  EXPECT_NEAR(in("si", "1 Mearth", "mass"), 5.972168e24, 1e18);
  EXPECT_NEAR(in("si", "1 Mmoon", "mass"), 7.345789e22, 1e16);
  EXPECT_EQ(in("si", "2 Rsun", "length"), 2 * 6.957e8);
  EXPECT_NEAR(in("astronomical", "1 ly", "length"), 63241.077, 0.001);
  EXPECT_NEAR(in("stellar", "1 ly", "length"), 0.30660139, 1e-8);
  EXPECT_NEAR(in("si", "1 lunar distance", "length"), 384399e3, 0);
}

TEST(Quantity, Angles) {
  EXPECT_EQ(in("nbody", "90 arcmin", "degrees"), 1.5);
  EXPECT_EQ(in("si", "1800 arcsec", "degrees"), 0.5);
  EXPECT_EQ(in("si", "30°", "degrees"), 30);
  EXPECT_DOUBLE_EQ(in("si", "1 rad", "angle"), 57.29577951308232);
  EXPECT_DOUBLE_EQ(in("si", "3600000 mas", "angle"), 1);
}

TEST(Quantity, Spellings) {
  for (const char* text : {"5 km/s", "5km/s", " 5 km / s ", "5 km s-1", "5 km s^-1", "5 s-1 km", "5 km·s⁻¹",
                           "5 km*s**-1", "5 kilometres per second", "5000 m/s", "5 km+1 s-1"})
    EXPECT_EQ(in("si", text, "length/time"), 5000) << text;
  for (const char* text : {"2 Msun/pc^3", "2 M☉ pc-3", "2 M☉/pc³", "2 solar masses"}) {
    const bool density = std::string_view(text).find('p') != std::string_view::npos;
    EXPECT_EQ(in("stellar", text, density ? "mass/length³" : "mass"), 2) << text;
  }
}

/// Each named unit is 1 of itself in SI, and so is its double there and back.
TEST(Quantity, EveryUnit) {
  for (const NamedUnit& unit : named_units()) {
    static constexpr std::string_view names[] = {"time",  "length", "mass",  "charge",
                                                 "angle", "energy", "force", "power"};
    const std::string_view key = names[static_cast<std::size_t>(unit.dimension)];
    if (unit.dimension == Dimension::angle) continue;
    EXPECT_DOUBLE_EQ(in("si", fmt::format("1 {}", unit.symbol), key), unit.si.value()) << unit.symbol;
    EXPECT_EQ(in("si", fmt::format("1 {}", unit.name), key), in("si", fmt::format("1 {}", unit.symbol), key))
        << unit.name;
    const double back =
        in("cgs", fmt::format("{} {}", 1 / in("si", fmt::format("1 {}", unit.symbol), key), unit.symbol), key);
    static const std::map<std::string_view, double> cgs{
        {"time", 1},     {"length", 100}, {"mass", 1000}, {"charge", 2997924580},
        {"energy", 1e7}, {"force", 1e5},  {"power", 1e7}};
    EXPECT_NEAR(back / cgs.at(key), 1, 1e-15) << unit.symbol;
  }
}

TEST(Quantity, Refusals) {
  EXPECT_EQ(refused("si", "3 km", "mass"), "= \"3 km\" is a length: write a mass, as \"1.37 Mearth\"");
  EXPECT_EQ(refused("si", "3 km/s^2", "length/time"),
            "= \"3 km/s^2\" is an acceleration: write a velocity, as \"29.78 km/s\"");
  EXPECT_THAT(refused("si", "3 kg m", "mass"), HasSubstr("is a quantity in length mass: write a mass"));
  EXPECT_EQ(refused("si", "3 parsek", "length"),
            "= \"3 parsek\" has an unknown unit, `parsek`; did you mean `parsec`?; `orrery list unit` has all");
  EXPECT_THAT(refused("nbody", "3 km", "length"),
              HasSubstr("has a unit, but units = \"nbody\" has none: set `units` at the top of the file"));
  EXPECT_THAT(refused("galactic", "1 C", "charge"),
              HasSubstr("has a unit of charge, which units = \"galactic\" has not"));
  EXPECT_THAT(refused("si", "1 m^9", "length"), HasSubstr("power"));
  EXPECT_THAT(refused("si", "1 m^0", "length"), HasSubstr("power"));
  for (const char* text : {"1 /", "1 km/", "1 km//s", "1 ^2", "1 (km)", "1 km,s", "1 km s-"})
    EXPECT_THAT(refused("si", text, "length/time"), HasSubstr("unknown unit")) << text;
}

/// A scenario with quantities is the same, bit by bit, as one with the numbers.
TEST(Quantity, InScenarios) {
  const auto bodies_of = [](const std::string& text, std::vector<std::string> overrides = {}) {
    return set_up(parse_scenario(text, "s.toml", std::move(overrides))).model.bodies;
  };
  const std::string steps = "[integrator]\ndt = \"1 d\"\ntime = \"2 weeks\"\n";
  const std::string table =
      "units = \"au-yr\"\n[initial]\nkind = \"table\"\nrecentre = false\nbodies = [\n"
      "{ name = \"A\", mass = \"1.37 Mearth\", position = [\"149597870.7 km\", 0, \"1 pc\"], velocity = [\"29.78 "
      "km/s\", 0, 0] }]\n" +
      steps;
  const sim::Bodies bodies = bodies_of(table);
  EXPECT_EQ(bodies.mass[0], in("au-yr", "1.37 Mearth", "mass"));
  EXPECT_EQ(bodies.position.x[0], 1);
  EXPECT_EQ(bodies.position.z[0], in("au-yr", "1 pc", "length"));
  EXPECT_NEAR(bodies.velocity.x[0], 6.2821, 1e-4);
  const std::string pair =
      "units = \"si\"\n[initial]\nkind = \"two-body\"\nmasses = [\"1 Msun\", \"1 Mearth\"]\nsemi_major_axis = 1\n" +
      steps;
  EXPECT_EQ(bodies_of(pair, {"initial.semi_major_axis=1 au"}).position.x[1],
            bodies_of(pair, {"initial.semi_major_axis=149597870700"}).position.x[1]);
  EXPECT_THAT(resolved(parse_scenario(pair, "s.toml")),
              HasSubstr("masses = [1.988409870698051e+30, 5.972167867791379e+24]"));
  EXPECT_THAT(parse_scenario(pair, "s.toml").text, HasSubstr("\"1 Mearth\""));
}

TEST(Quantity, RefusedWithTheirPlace) {
  const auto pair = [](const std::string& top, const std::string& key) {
    return refusal(top + "[initial]\nkind = \"two-body\"\n" + key + "\n[integrator]\ndt = 1\nsteps = 1\n");
  };
  EXPECT_EQ(pair("units = \"si\"\n", "masses = [\"1 Msun\", \"1 km\"]"),
            "s.toml:4:21: `masses` = \"1 km\" is a length: write a mass, as \"1.37 Mearth\"");
  EXPECT_EQ(pair("", "semi_major_axis = \"1 au\""),
            "s.toml:3:19: `semi_major_axis` = \"1 au\" has a unit, but units = \"nbody\" has none: set `units` at the "
            "top of the file, before the "
            "first table, for example `units = \"si\"`, or write a number");
  EXPECT_EQ(pair("units = \"si\"\n", "semi_major_axis = \"far\""),
            "s.toml:4:19: `semi_major_axis` must be a number, or with a unit, \"149.6e6 km\"");
  EXPECT_THAT(pair("units = \"si\"\n", "semi_major_axis = \"-1 au\""),
              HasSubstr("s.toml:4:19: `semi_major_axis` = -149597870700 must be greater than 0"));
  EXPECT_THAT(pair("units = \"si\"\n", "eccentricity = \"0.1 km\""),
              HasSubstr("s.toml:4:16: `eccentricity` must be a number"));
}

TEST(Quantity, InCsvFiles) {
  const Folder folder;
  write(folder / "b.csv", "name,mass,x,y,z,vx,vy,vz\nEarth,1 Mearth,1 au,0,-1.5e8 km,0,29.78 km/s,0\n");
  write(folder / "s.toml",
        "units = \"astronomical\"\n[initial]\nkind = \"table\"\nfile = \"b.csv\"\nrecentre = false\n[integrator]\ndt = "
        "1\nsteps = 1\n");
  const sim::Bodies bodies = set_up(read_scenario(folder / "s.toml")).model.bodies;
  EXPECT_EQ(bodies.mass[0], in("astronomical", "1 Mearth", "mass"));
  EXPECT_EQ(bodies.position.x[0], 1);
  EXPECT_EQ(bodies.position.z[0], in("astronomical", "-1.5e8 km", "length"));
  EXPECT_EQ(bodies.velocity.y[0], in("astronomical", "29.78 km/s", "length/time"));
  write(folder / "b.csv", "mass,x,y,z\n1 Mearth,1 au,0,1 s\n");
  EXPECT_THAT(refusal("units = \"si\"\n[initial]\nkind = \"table\"\nfile = \"" + (folder / "b.csv").string() +
                      "\"\n[integrator]\ndt = 1\nsteps = 1\n"),
              HasSubstr("b.csv:2: `z` = \"1 s\" is a time: write a length"));
}

/// G follows from GM of the Sun, the au, the parsec and the Julian year.
TEST(Systems, ConstantsAgree) {
  for (const Units& system : all_units()) {
    const auto si = in_si(system);
    if (!si) continue;
    const double G = system.G * (si->length * si->length * si->length) / (si->mass * si->time * si->time);
    EXPECT_NEAR(G / 6.67430e-11, 1, system.name == "astronomical" ? 2e-9 : 1e-14) << system.name;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
