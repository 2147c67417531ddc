// SPDX-License-Identifier: MIT
// Closed forms are of initial states that this file knows; others are compared with a finer run.
#include "pipeline/pictures/series/final_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/initial_states/list.hpp"
#include "sim/analysis/kepler_orbit.hpp"

namespace orrery::pipeline {
namespace {

double square(const sim::Vectors& v, std::size_t i) {
  return v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i];
}

double mean_square(const sim::Vectors& v) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += square(v, i);
  return sum / static_cast<double>(std::max<std::size_t>(v.size(), 1));
}

std::optional<sim::Vectors> exact(const TrajectoryReader& run, const sim::Snapshot& state) {
  try {
    const Scenario scenario = scenario_of(run, run.path());
    const auto& initial = scenario.initial;
    const auto& force = scenario.forces.front();
    const bool kepler = initial.size() == 1 && initial.front().plugin == &sim::two_body && scenario.fields.empty() &&
                        scenario.perturbations.empty() &&
                        sim::is_newtonian(*force.plugin, force.plugin->numbers(force.section.values())) &&
                        force.section->number("softening") == 0;
    if (!kepler || state.position.size() != 2) return std::nullopt;
    const Arguments& keys = initial.front().section.values();
    const auto& mass = keys.numbers("masses");
    const double total = mass[0] + mass[1];
    const auto orbit = sim::kepler_orbit(force.section->number(force.plugin->coupling_key) * total,
                                         keys.number("semi_major_axis"), keys.number("eccentricity"), state.time);
    const auto& p = state.position;
    const auto about = [&](const std::vector<double>& of) { return (mass[0] * of[0] + mass[1] * of[1]) / total; };
    const double x = about(p.x), y = about(p.y), z = about(p.z);
    sim::Vectors places;
    for (const double share : {-mass[1] / total, mass[0] / total})
      places.push_back(x + share * orbit.position.x, y + share * orbit.position.y, z + share * orbit.position.z);
    return places;
  } catch (const Error&) {  // of a version that had other rules
    return std::nullopt;
  }
}

}  // namespace

FinalState final_state(const TrajectoryReader& trajectory, const sim::Snapshot& state) {
  return {trajectory.path().string(), state.time, state.position, exact(trajectory, state)};
}

double size_of(const FinalState& state) {
  return std::sqrt(mean_square(state.position));
}

double distance(const FinalState& state, const sim::Vectors& reference) {
  sim::Vectors apart;
  const sim::Vectors& p = state.position;
  for (std::size_t i = 0; i < p.size(); ++i)
    apart.push_back(p.x[i] - reference.x[i], p.y[i] - reference.y[i], p.z[i] - reference.z[i]);
  return std::sqrt(mean_square(apart));
}

double distance_of_ends(const SeriesRequest& request, const FinalState& a, const FinalState& b) {
  const auto complain = [&](const std::string& a_has, const std::string& b_has, const char* want) {
    request.keys.complain("error", fmt::format("{} {}, {} {}: final states are compared {}; error = \"energy\" is not",
                                               a.file, a_has, b.file, b_has, want));
  };
  if (a.position.size() != b.position.size()) {
    complain(fmt::format("has {} bodies", a.position.size()), fmt::format("{}", b.position.size()),
             "of runs of the same bodies");
  }
  if (std::abs(a.time - b.time) > 1e-9 * std::max(std::abs(a.time), std::abs(b.time)))
    complain(fmt::format("ends at t = {:.9g}", a.time), fmt::format("at {:.9g}", b.time), "at one time");
  return distance(a, b.position);
}

}  // namespace orrery::pipeline
