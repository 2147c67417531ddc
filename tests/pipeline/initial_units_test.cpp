// SPDX-License-Identifier: MIT
// Every initial state in every system of units: its numbers are parameters, which have the units of the scenario, or it
// converts them, or it refuses units.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

constexpr double L = 3.25, M = 0.4, G = 1.7;  // factors of lengths, masses and G
const double V = std::sqrt(G * M / L);        // and of velocities

/// The factor of a parameter with this unit.
double factor(std::string_view unit) {
  if (unit == "length") return L;
  if (unit == "mass") return M;
  if (unit == "length/time") return V;
  if (unit == "mass·length²/time²") return M * V * V;
  if (unit == "1/length³, or 1/length²") return 1 / (L * L * L);  // the default is a lattice in space
  EXPECT_EQ(unit, "");
  return 1;
}

Arguments scaled(const sim::InitialState& kind, const Arguments& arguments) {
  Arguments all = arguments;
  for (const Parameter& key : kind.parameters) {
    const Value* value = arguments.find(key.name);
    if (value == nullptr) continue;
    if (const auto* number = std::get_if<double>(value)) all.set(key.name, *number * factor(key.unit));
    if (const auto* list = std::get_if<std::vector<double>>(value)) {
      std::vector<double> numbers = *list;
      for (double& x : numbers) x *= factor(key.unit);
      all.set(key.name, std::move(numbers));
    }
  }
  return all;
}

std::string text_of(const std::string& units, std::string_view kind, const std::string& more = "") {
  const std::string bodies =
      kind == "table" ? "bodies = [{ mass = 2, position = [1, 2, 3], velocity = [4, 5, 6] }]\n" : "";
  return (units.empty() ? "" : "units = \"" + units + "\"\n") +
         fmt::format("[initial]\nkind = \"{}\"\n{}{}[integrator]\ndt = 1\nsteps = 1\n", kind, bodies, more);
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double scale, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  double size = 0;
  for (const double x : b) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i] * scale, 1e-11 * size * scale) << where;
}

void expect_near(const sim::Vectors& a, const sim::Vectors& b, double scale, const std::string& where) {
  expect_near(a.x, b.x, scale, where);
  expect_near(a.y, b.y, scale, where);
  expect_near(a.z, b.z, scale, where);
}

/// All lengths, masses and velocities are those of parameters: scaling those scales the state.
TEST(InitialUnits, NumbersAreParametersOrConvertedOrRefused) {
  int fixed = 0;
  for (const sim::InitialState* kind : sim::initial_states()) {
    const std::string name(kind->name);
    if (name == "table") continue;  // all numbers are the scenario's
    const std::string why = refusal(text_of("si", name));
    if (!why.empty()) {
      EXPECT_THAT(why, ::testing::AllOf(HasSubstr("s.toml:3:8"), HasSubstr("remove `units`"))) << name;
      for (const char* other : {"astronomical", "galactic"}) EXPECT_NE(refusal(text_of(other, name)), "") << name;
      ++fixed;
      continue;
    }
    if (name == "outer-solar-system" || name == "solar-system") continue;  // below, and tests/sim/solar_system_test.cpp
    const Scenario scenario = parse_scenario(text_of("", name), "s.toml");
    const Arguments& plain = scenario.tables.initial[0].section.values();
    const sim::Random random(3, 0);
    const auto a = kind->make(plain, {.G = 1, .random = random});
    const auto b = kind->make(scaled(*kind, plain), {.G = G, .random = random});
    expect_near(b.bodies.mass, a.bodies.mass, M, name);
    expect_near(b.bodies.position, a.bodies.position, L, name);
    expect_near(b.bodies.velocity, a.bodies.velocity, V, name);
    EXPECT_NEAR(b.timescale, a.timescale * L / V, 1e-11 * b.timescale) << name;
  }
  EXPECT_EQ(fixed, 1);  // short-range-box
}

/// The Sun, Jupiter, … are the same in all units: at the same distances in metres, and with the same years in seconds.
TEST(InitialUnits, TheSolarSystemIsConverted) {
  struct Case {
    const char* units;
    double length, mass, time;
  };
  constexpr double au = 149597870700.0, sun = 1.988409870698051e30, kpc = 3.0856775814913673e19;
  const Case cases[] = {{"si", 1, 1, 1}, {"galactic", kpc, sun, kpc / 1000}};
  for (const char* frame : {"equatorial", "ecliptic"}) {
    const std::string key = fmt::format("frame = \"{}\"\n", frame);
    const auto own = setup_of(text_of("astronomical", "outer-solar-system", key));
    for (const Case& c : cases) {
      const auto other = setup_of(text_of(c.units, "outer-solar-system", key));
      EXPECT_NEAR(other.model.bodies.mass[1] * c.mass, own.model.bodies.mass[1] * sun,
                  1e-12 * sun * own.model.bodies.mass[1]);
      expect_near(other.model.bodies.position, own.model.bodies.position, au / c.length, c.units);
      // G M☉ of these units are 1e-9 apart
      const double speed = au / 86400 / (c.length / c.time);
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(other.model.bodies.velocity.y[i], own.model.bodies.velocity.y[i] * speed, 1e-8 * speed * 0.006)
            << c.units;
      EXPECT_NEAR(other.facts.timescale * c.time, own.facts.timescale * 86400, 1e-8 * own.facts.timescale * 86400)
          << c.units;
    }
    // Without units: au, solar masses, and a unit of time in which G has its value.
    const auto none = setup_of(text_of("", "outer-solar-system", key));
    expect_near(none.model.bodies.position, own.model.bodies.position, 1, "nbody");
    EXPECT_NEAR(none.facts.timescale, own.facts.timescale * 0.01720209895, 1e-9 * none.facts.timescale);
  }
}

/// Inclination and node of the planets, as in tables for the ecliptic J2000.
TEST(InitialUnits, TheEclipticIsThatOfOrbitalElements) {
  const auto orbit = [](const std::string& frame, std::size_t i) {
    const sim::Bodies bodies =
        setup_of(text_of("astronomical", "outer-solar-system", "frame = \"" + frame + "\"\nrecentre = false\n"))
            .model.bodies;
    const auto &x = bodies.position, &v = bodies.velocity;
    const double hx = x.y[i] * v.z[i] - x.z[i] * v.y[i], hy = x.z[i] * v.x[i] - x.x[i] * v.z[i],
                 hz = x.x[i] * v.y[i] - x.y[i] * v.x[i], degrees = 180 / sim::pi;
    return std::array{degrees * std::acos(hz / std::hypot(hx, hy, hz)), degrees * std::atan2(hx, -hy)};
  };
  const double inclination[] = {1.304, 2.486, 0.773, 1.770, 17.14}, node[] = {100.46, 113.66, 74.0, 131.78, 110.30};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(orbit("ecliptic", i + 1)[0], inclination[i], 0.02) << i;
    EXPECT_NEAR(orbit("ecliptic", i + 1)[1], node[i], 0.1) << i;
  }
  EXPECT_NEAR(orbit("equatorial", 1)[0], 23.2, 0.1);  // Jupiter's, to the equator
  EXPECT_THAT(refusal(text_of("si", "outer-solar-system", "frame = \"galactic\"\n")),
              HasSubstr("equatorial, ecliptic"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
