// SPDX-License-Identifier: MIT
// What `check` and `run` say of units that were mixed up and of models that are not in their equilibrium.
#include "pipeline/run/plausibility.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/run/plan.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Doubts doubts_of(const std::string& text, std::vector<std::string> overrides = {}) {
  const Scenario scenario = parse_scenario(text, "s.toml", std::move(overrides));
  const Setup setup = set_up(scenario);
  const auto cpu = sim::make_cpu_backend(sim::system_of(setup.model), 2, 0);
  const sim::Observables start = sim::Simulation(*cpu, setup.model).observe().observables;
  return doubts(scenario, setup, *cpu, start, {});
}

/// The Sun, a planet and a probe without mass, on circles but for a few degrees.
std::string planets(const std::string& units, double length, double mass, double speed, double planet_mass = 3e-4) {
  const auto body = [&](double m, double x, double y, double vx, double vy) {
    return fmt::format("  {{ mass = {}, position = [{}, {}, 0], velocity = [{}, {}, 0] }},\n", m * mass, x * length,
                       y * length, vx * speed, vy * speed);
  };
  return (units.empty() ? "" : "units = \"" + units + "\"\n") + "[initial]\nkind = \"table\"\nbodies = [\n" +
         body(1, 0, 0, 0, 0) + body(planet_mass, 1, 0.1, 0, 0.98) + body(0, 0.3, -2.2, 0.66, 0) +
         "]\n[integrator]\ndt = 1e-3\nsteps = 1\n";
}

constexpr double au = 149597870700.0, sun = 1.988409870698051e30, speed = 29784.69;  // SI

TEST(Plausibility, UnitsThatWereMeantAreNamed) {
  struct Case {
    const char* units;
    double length, mass, speed;  ///< in SI, of the numbers in the scenario
    const char* words;
  };
  constexpr double day = 86400, kpc = 3.0856775814913673e19;
  const Case cases[] = {
      {"si", 1, 1, 1, ""},
      {"astronomical", au, sun, au / day, ""},
      {"galactic", kpc, sun, 1e3, ""},
      {"astronomical", au, sun, 1e3, "velocities look like km/s: divide them by 1731.46"},
      {"astronomical", au, sun, 1, "velocities look like m/s: divide them by 1.73146e+06"},
      {"astronomical", au, sun, au / 31557600, "velocities look like au/yr: divide them by 365.25"},
      {"astronomical", 1e3, sun, au / day, "distances look like km: divide them by 1.49598e+08"},
      {"astronomical", au, 1, au / day, "masses look like kg: divide them by 1.98841e+30"},
      {"si", 1, 1, 1e3, "velocities look like km/s: multiply them by 1000"},
      {"si", 1e3, 1, 1, "distances look like km: multiply them by 1000"},
      {"si", au, sun, au / day, "numbers look like au, M☉ and d: `units = \"astronomical\"`"},
      {"galactic", kpc, sun, 1, "velocities look like m/s: divide them by 1000"},
      {"galactic", kpc / 1e3, sun, 1e3, "distances look like pc: divide them by 1000"},
      {"", au, sun, au / day, "numbers look like au, M☉ and d: `units = \"astronomical\"`"},
      {"", au, sun, au / 31557600, "au, M☉ and yr: `units = \"au-yr\"` at the top of the file sets G"},
      {"", 1, 1, 1, "numbers look like m, kg and s: `units = \"si\"`"},
  };
  for (const Case& c : cases) {
    for (const double planet : {3e-4, 0.0}) {  // without it only massless bodies move
      const std::string line =
          doubts_of(planets(c.units, au / c.length, sun / c.mass, speed / c.speed, planet)).implausible;
      EXPECT_EQ(line.empty(), *c.words == '\0') << c.units;
      EXPECT_THAT(line, HasSubstr(c.words)) << c.units << ", planet of " << planet;
    }
  }
}

TEST(Plausibility, SpeedsNearThatOfLightAreNamed) {
  const std::string text = planets("astronomical", 1, 1, 29.78);
  EXPECT_THAT(doubts_of(text).implausible, HasSubstr("body 1 moves at 0.169 times the speed of light"));
  EXPECT_THAT(doubts_of(with(text, "units = \"astronomical\"\n", "")).implausible, Not(HasSubstr("light")));
  // Also where no virial ratio means anything.
  EXPECT_THAT(
      doubts_of(text + "[domain]\nboundary = \"reflecting\"\nedges = [9, 9, 9]\nlow = [-4, -4, -4]\n").implausible,
      AllOf(HasSubstr("light"), Not(HasSubstr("km/s"))));
}

/// An encounter of stars, a head-on orbit, a cold collapse and free bodies may be meant.
TEST(Plausibility, OtherStatesAreNotDoubted) {
  const std::string steps = "[integrator]\ndt = 1e-3\nsteps = 1\n";
  const auto pair = [&](double vx, double vy) {
    return "[initial]\nkind = \"table\"\nbodies = [\n{ mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] },\n" +
           fmt::format("{{ mass = 0.3, position = [8, 1, 0], velocity = [{}, {}, 0] }} ]\n", vx, vy) + steps;
  };
  for (const double v : {0.0, 0.002, 0.01, 0.5, 3.0, 17.0})
    EXPECT_EQ(doubts_of(pair(-v, 0.1 * v)).implausible, "") << v;
  EXPECT_THAT(doubts_of(pair(-3000, 20)).implausible, HasSubstr("gravity hardly bends their paths"));
  EXPECT_EQ(doubts_of(pair(-3000, 20) + "[[force]]\nG = 0\n").implausible, "");
}

/// A bound orbit by its key, unbound by a perturbation.
TEST(Plausibility, OrbitsThatAreNotBound) {
  EXPECT_EQ(doubts_of(sound).implausible, "");
  EXPECT_THAT(doubts_of(sound + "[[perturb]]\nbody = 1\nvelocity = [0, 4, 0]\n").implausible,
              HasSubstr("the energy is positive, but these bodies are meant to stay together"));
}

TEST(Plausibility, ShippedScenariosAreNotDoubted) {
  for (const ShippedScenario& shipped : shipped_scenarios()) {
    const Scenario scenario = parse_scenario(std::string(shipped.text), std::string(shipped.name));
    const bool large =
        scenario.tables.initial[0].section->has("n") && scenario.tables.initial[0].section->integer("n") > 20000;
    if (large) continue;
    const Doubts all = doubts_of(std::string(shipped.text));
    EXPECT_EQ(all.implausible + all.off_equilibrium, "") << shipped.name;
  }
}

std::string plummer(int n, const std::string& more = "") {
  return fmt::format("[[initial]]\nkind = \"plummer\"\nn = {}\n{}[integrator]\ndt = 0.01\nsteps = 1\n", n, more);
}

VirialRatio ratio_of(const std::string& text, int seed) {
  const Scenario scenario = parse_scenario(text, "s.toml", {fmt::format("seed={}", seed)});
  const Setup setup = set_up(scenario);
  const auto cpu = sim::make_cpu_backend(sim::system_of(setup.model), 2, 0);
  cpu->accelerate();
  return virial_ratio(setup.model.bodies, cpu->download(sim::Column::acceleration));
}

/// The deviation that is computed from one sample is that among samples.
TEST(Plausibility, TheNoiseOfAVirialRatioIsComputed) {
  for (const int n : {60, 700}) {
    double squares = 0, mean = 0;
    constexpr int samples = 60;
    for (int seed = 0; seed < samples; ++seed) {
      const VirialRatio ratio = ratio_of(plummer(n), seed);
      const double off = (ratio.value - 1) / ratio.deviation;
      squares += off * off / samples;
      mean += ratio.deviation / samples;
    }
    EXPECT_GT(squares, 0.25) << n;  // too large for few bodies
    EXPECT_LT(squares, 1.3) << n;
    EXPECT_NEAR(mean * std::sqrt(n), n == 60 ? 1.8 : 1.45, 0.2) << n;
  }
}

TEST(Plausibility, ModelsInEquilibriumAreNotDoubted) {
  for (int seed = 1; seed <= 40; ++seed) {
    for (const int n : {31, 400}) {
      const auto line = doubts_of(plummer(n), {fmt::format("seed={}", seed)}).off_equilibrium;
      EXPECT_EQ(line, "") << n << ", seed " << seed;
    }
  }
  EXPECT_EQ(doubts_of(plummer(3000, "virial_ratio = 0.3\n")).off_equilibrium, "");  // nobody said that it was
}

TEST(Plausibility, ModelsOutOfEquilibriumAre) {
  const std::string soft = "[force]\nsoftening = 0.05\n", galaxy = "[[initial]]\nkind = \"galaxy\"\nn = 3000\n",
                    steps = "[integrator]\ndt = 0.01\nsteps = 1\n" + soft;
  EXPECT_EQ(doubts_of(galaxy + steps).off_equilibrium, "");
  EXPECT_EQ(doubts_of(galaxy + "bulge_fraction = 1\n" + steps).off_equilibrium, "");
  const std::string halo = "[[initial]]\nkind = \"plummer\"\nn = 2000\nmass = 5\nvirial_radius = 6\n";
  // The galaxy knows of the sphere, but not the sphere of the galaxy.
  EXPECT_THAT(doubts_of(galaxy + halo + steps).off_equilibrium,
              AllOf(HasSubstr("galaxy is called an equilibrium, but 2T/|Σ m x·a| = 0.7"), HasSubstr("contract"),
                    HasSubstr("do not know of the other bodies")));
  // Forces much softer than those the velocities were made for.
  EXPECT_THAT(doubts_of(plummer(2000, "[[force]]\nsoftening = 0.7\n")).off_equilibrium, HasSubstr("expand"));
  // Two that meet, and a black hole of little mass, are meant so.
  EXPECT_EQ(doubts_of(galaxy + halo + "offset = [20, 0, 0]\nvelocity = [-0.5, 0.1, 0]\n" + steps).off_equilibrium, "");
  EXPECT_EQ(doubts_of(galaxy +
                      "[[initial]]\nkind = \"table\"\nbodies = [{ mass = 1e-4, position = [0, 0, 0], velocity = [0, 0, "
                      "0] }]\n" +
                      steps)
                .off_equilibrium,
            "");
}

TEST(Plausibility, CheckAndRunSayIt) {
  const Folder folder;
  write(folder / "s.toml", planets("astronomical", 1, 1, 29.78));
  const Outcome check = run(folder, {"check", "s.toml"}), made = run(folder, {"run", "s.toml"});
  EXPECT_EQ(made.code, 0);
  for (const std::string& text : {check.output + check.errors, made.errors})
    EXPECT_THAT(text, HasSubstr("look like km/s"));
  EXPECT_THAT(check.output + check.errors, Not(HasSubstr("not bound")));  // one line is enough
  write(folder / "t.toml",
        plummer(2500, "[[force]]\nsoftening = 0.02\nmethod = \"tree\"\n[backend]\nkind = \"cpu\"\n"));
  const Outcome tree = run(folder, {"simulate", "t.toml"}), planned = run(folder, {"check", "t.toml"});
  for (const std::string& text : {planned.output + planned.errors, tree.errors})
    EXPECT_THAT(text, AllOf(HasSubstr("99 % of the bodies have an error"), HasSubstr("more than accuracy = 0.001")));
  write(folder / "u.toml", read(folder / "t.toml") + "[[film]]\nkind = \"view3d\"\nfile = \"a.mp4\"\n");
  EXPECT_THAT(run(folder, {"simulate", "u.toml", "--set", "force.theta=0.3"}).errors, Not(HasSubstr("99 %")));
}

}  // namespace
}  // namespace orrery::pipeline::testing
