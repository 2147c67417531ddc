// SPDX-License-Identifier: MIT
// Masses of Earth and Jupiter: GM of IAU 2015 resolution B3 with G of CODATA 2018.
#include "pipeline/run/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "pipeline/physical_unit.hpp"
#include "pipeline/scenario/units.hpp"
#include "sim/analysis/structure.hpp"
#include "sim/simulation.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr double speed_of_light = 299792458;  // m/s

/// Of a set of bodies about a centre: Σ weight, Σ weight·v² and −Σ weight·x·a.
struct Sums {
  double weight = 0, motion = 0, pull = 0;
};

struct Centre {
  sim::Vec3 place{}, velocity{};
};

Centre centre_of(const sim::Bodies& bodies) {
  const sim::ParticleState all{bodies.mass, bodies.position, bodies.velocity};
  return {sim::center_of_mass(all), sim::mean_velocity(all)};
}

/// v² and −x·a of body i about the centre.
std::pair<double, double> motion_and_pull(const sim::Bodies& bodies, const sim::Vectors& a, const Centre& c,
                                          std::size_t i) {
  const auto &x = bodies.position, &v = bodies.velocity;
  const double vx = v.x[i] - c.velocity.x, vy = v.y[i] - c.velocity.y, vz = v.z[i] - c.velocity.z;
  return {vx * vx + vy * vy + vz * vz,
          -((x.x[i] - c.place.x) * a.x[i] + (x.y[i] - c.place.y) * a.y[i] + (x.z[i] - c.place.z) * a.z[i])};
}

/// Sums over the bodies with mass, weighted by it, or over those without.
Sums sums_of(const sim::Bodies& bodies, const sim::Vectors& a, const Centre& c, bool massive) {
  Sums sums;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if ((bodies.mass[i] > 0) != massive) continue;
    const double w = massive ? bodies.mass[i] : 1;
    const auto [motion, pull] = motion_and_pull(bodies, a, c, i);
    sums.weight += w, sums.motion += w * motion, sums.pull += w * pull;
  }
  return sums;
}

/// How a virial ratio changes if a quantity was written in another unit than that of the scenario.
struct Reading {
  std::string what;    ///< "velocities look like km/s"
  std::string remedy;  ///< "divide them by 1731.46"
  double factor;       ///< of the ratio, once that is mended
};

struct KnownUnit {
  const char* name;
  double si;
};
constexpr double au = 149597870700, day = 86400, year = 31557600, parsec = 3.0856775814913673e16;
constexpr KnownUnit speeds[] = {{"km/s", 1e3},        {"m/s", 1},     {"au/d", au / day},
                                {"au/yr", au / year}, {"cm/s", 1e-2}, {"kpc/Myr", 1e-3 * parsec / year}};
constexpr KnownUnit lengths[] = {{"km", 1e3}, {"m", 1}, {"au", au}, {"pc", parsec}, {"kpc", 1e3 * parsec}};
constexpr KnownUnit masses[] = {{"kg", 1},
                                {"g", 1e-3},
                                {"solar masses", 1.988409870698051e30},
                                {"10¹⁰ solar masses", 1.988409870698051e40},
                                {"masses of the Earth", 5.972168e24},
                                {"masses of Jupiter", 1.898125e27}};
/// Systems of three units that are used together, with G in them.
struct KnownSystem {
  const char *name, *remedy;
  double G;
};
constexpr KnownSystem systems[] = {
    {"m, kg and s", "`units = \"si\"` at the top of the file sets G", 6.67430e-11},
    {"au, M☉ and d", "`units = \"astronomical\"` at the top of the file sets G", 2.9591220828559115e-4},
    {"kpc, M☉ and km/s", "`units = \"galactic\"` at the top of the file sets G", 4.30091727003628e-06},
    {"au, M☉ and yr", "`units = \"au-yr\"` at the top of the file sets G", 39.476926408897626},
    {"pc, M☉ and km/s", "without `units`, `G = 4.3009173e-3` in [force] belongs to them", 4.30091727003628e-03},
    {"units with G = 1", "remove `units`, or `G` in [force]", 1}};

std::string multiply_by(double factor) {
  return factor < 1 ? fmt::format("divide them by {:.6g}", 1 / factor) : fmt::format("multiply them by {:.6g}", factor);
}

std::vector<Reading> readings(const sim::Model& model) {
  std::vector<Reading> all;
  if (const auto own = in_si(*model.units)) {
    const auto add = [&](const char* what, std::span<const KnownUnit> units, double unit, double power) {
      for (const KnownUnit& read : units)
        all.push_back({fmt::format("{} look like {}", what, read.name), multiply_by(read.si / unit),
                       std::pow(read.si / unit, power)});
    };
    add("velocities", speeds, own->length / own->time, 2);
    add("distances", lengths, own->length, 1);
    add("masses", masses, own->mass, -1);
  }
  for (const KnownSystem& system : systems)
    all.push_back({fmt::format("numbers look like {}", system.name), system.remedy, model.G / system.G});
  return all;
}

/// The reading that brings a virial ratio nearest to 1, and near enough; null if none does. The less a reading changes
/// the ratio, the nearer it must come, since other states have such a ratio too.
const Reading* best_of(const std::vector<Reading>& all, double ratio) {
  const Reading* best = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Reading& reading : all) {
    const double change = std::abs(std::log10(reading.factor)), rest = std::abs(std::log10(ratio * reading.factor));
    // A later reading that is as good says the same in a more roundabout way.
    if (change < 1.4 || rest > (change > 4 ? 0.7 : 0.15) || rest > nearest - 0.02) continue;
    nearest = rest;
    best = &reading;
  }
  return best;
}

/// "the fastest body, Earth, moves at 0.172 c", or "" if it is slow or the scenario has no units.
std::string near_light(const sim::Model& model) {
  const sim::Bodies& bodies = model.bodies;
  const auto units = in_si(*model.units);
  if (!units || bodies.size() == 0) return "";
  const double c = speed_of_light / (units->length / units->time);
  const auto speed = [&](std::size_t i) {
    return std::hypot(bodies.velocity.x[i], bodies.velocity.y[i], bodies.velocity.z[i]);
  };
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    if (speed(i) > speed(fastest)) fastest = i;
  }
  if (speed(fastest) < 0.1 * c) return "";
  return fmt::format("{} moves at {:.3g} times the speed of light, which Newton's mechanics does not know",
                     bodies.label(fastest), speed(fastest) / c);
}

/// Whether gravity between the bodies is all that acts on them, in open space, so that a virial ratio means something.
bool only_gravity(const sim::Model& model) {
  const sim::ForceLaw& law = *model.force.plugin;
  return law.attracts_by_mass && law.coupling == sim::Coupling::gravitational && law.cutoff == nullptr &&
         model.fields.empty() && model.domain.is_open();
}

}  // namespace

VirialRatio virial_ratio(const sim::Bodies& bodies, const sim::Vectors& acceleration) {
  const Centre c = centre_of(bodies);
  const Sums sums = sums_of(bodies, acceleration, c, true);
  // A pair belongs to two bodies, so each body changes the virial by twice its own term, on average.
  double variance = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!(bodies.mass[i] > 0)) continue;
    const auto [motion, pull] = motion_and_pull(bodies, acceleration, c, i);
    const double change = bodies.mass[i] * (motion / sums.motion - 2 * pull / sums.pull + 1 / sums.weight);
    variance += change * change;
  }
  const double ratio = sums.motion / sums.pull;
  return {ratio, std::abs(ratio) * std::sqrt(variance)};
}

std::string implausible(const Scenario& scenario, const Setup& setup, const sim::Vectors& acceleration, double energy) {
  const sim::Model& model = setup.model;
  std::string line = near_light(model);
  const auto join = [&](const std::string& more) { line += (line.empty() ? "" : "; ") + more; };
  if (!only_gravity(setup.model)) return line;
  const bool listed = has_listed_bodies(scenario);
  const auto all = readings(model);
  const Centre c = centre_of(model.bodies);
  for (const bool massive : {true, false}) {
    const Sums sums = sums_of(model.bodies, acceleration, c, massive);
    const double ratio = sums.motion / std::abs(sums.pull);
    if (!std::isfinite(ratio) || ratio == 0) continue;
    constexpr double no_gravity = 1e5;  // beyond any encounter of stars
    const Reading* meant = listed ? best_of(all, ratio) : nullptr;
    if (meant == nullptr && ratio < no_gravity) continue;
    join(massive ? fmt::format("2T/|Σ m x·a| = {:.3g}, where bodies that orbit each other have about 1", ratio)
                 : fmt::format("Σ v²/|Σ x·a| = {:.3g} of the bodies without mass, where orbits have about 1", ratio));
    join(meant != nullptr ? fmt::format("{}: {}", meant->what, meant->remedy)
                          : "gravity hardly bends their paths: check the units of positions, velocities and masses");
    break;
  }
  const bool orbits =
      setup.first_bodies.size() == 1 && (setup.facts.timescale_name == "period" || !setup.equilibrium.empty());
  if (line.empty() && orbits && energy > 0) join("the energy is positive, but these bodies are meant to stay together");
  return line;
}

std::string off_equilibrium(const Setup& setup, const VirialRatio& ratio) {
  constexpr double of_sampling = 4, of_softening = 0.02;
  constexpr std::size_t least = 30;  // bodies, of which a deviation can be estimated
  if (setup.equilibrium.empty() || setup.model.bodies.size() < least || !std::isfinite(ratio.value)) return "";
  if (std::abs(ratio.value - 1) <= std::max(of_sampling * ratio.deviation, of_softening)) return "";
  return fmt::format(
      "{} is called an equilibrium, but 2T/|Σ m x·a| = {:.3g}, and sampling explains only ±{:.2g}: it will {} at "
      "first{}",
      setup.equilibrium, ratio.value, ratio.deviation, ratio.value < 1 ? "contract" : "expand",
      setup.first_bodies.size() == 1 ? "" : "; its velocities do not know of the other bodies");
}

std::string less_accurate(const sim::Model& model, const std::optional<sim::ForceErrors>& errors) {
  const sim::ForceSolver& solver = *model.solver;
  // Keys after its accuracy, if any is given, say what the forces are like.
  if (!errors ||
      std::ranges::any_of(model.solver_values | std::views::drop(1), [](const auto& x) { return x.has_value(); }))
    return "";
  const std::string_view key = solver.parameters.front().name;
  const double accuracy = model.solver_values.front().value();
  constexpr double of_sampling =
      1.25;  // of 500 bodies five have larger errors than 99 %: their least is known to a quarter
  if (errors->of_99 <= of_sampling * accuracy) return "";
  return fmt::format("99 % of the bodies have an error of the force of up to {:.1e}, more than {} = {}{}",
                     errors->of_99, key, shortest_text(accuracy),
                     accuracy > solver.min_accuracy
                         ? ": a smaller one costs more"
                         : fmt::format("; method = \"{}\" has none", sim::default_solver(*model.force.plugin).name));
}

std::vector<std::string> Doubts::lines() const {
  std::vector<std::string> all{implausible, off_equilibrium, less_accurate};
  std::erase(all, "");
  return all;
}

Doubts doubts(const Scenario& scenario, const Setup& setup, sim::Backend& backend, const sim::Observables& start,
              const std::optional<sim::ForceErrors>& errors) {
  sim::Vectors acceleration(setup.model.bodies.size());
  if (!setup.equilibrium.empty() || only_gravity(setup.model)) {
    backend.accelerate();
    acceleration = backend.download(sim::Column::acceleration);
  }
  return {.implausible = implausible(scenario, setup, acceleration, start.total_energy()),
          .off_equilibrium = off_equilibrium(setup, virial_ratio(setup.model.bodies, acceleration)),
          .less_accurate = less_accurate(setup.model, errors)};
}

}  // namespace orrery::pipeline
