// SPDX-License-Identifier: MIT
#include "pipeline/run/run_outline.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "sim/force.hpp"
#include "sim/initial_states/list.hpp"

namespace orrery::pipeline {
namespace {

std::ptrdiff_t massive_of(const std::vector<double>& mass) {
  return std::ranges::count_if(mass, [](double m) { return m > 0; });
}

void count_masses(RunOutline& outline, const std::vector<double>& of_frames) {
  const std::ptrdiff_t massive = massive_of(of_frames);
  outline.several_masses = massive > 1;
  outline.has_massless = massive < std::ssize(of_frames);
}

/// Whether the bodies with mass have energy. One has if it moves or is in a field; that several have none is not found.
bool has_energy(const sim::Bodies& bodies, const std::vector<sim::ExternalField>& fields) {
  const std::ptrdiff_t massive = massive_of(bodies.mass);
  if (massive != 1) return massive > 1;
  const auto i =
      static_cast<std::size_t>(std::ranges::find_if(bodies.mass, [](double m) { return m > 0; }) - bodies.mass.begin());
  const sim::Vectors &x = bodies.position, &v = bodies.velocity;
  double potential = 0;
  for (const sim::ExternalField& field : fields)
    potential += field.law->potential(field.numbers, {x.x[i], x.y[i], x.z[i]});
  return v.x[i] != 0 || v.y[i] != 0 || v.z[i] != 0 || potential != 0;
}

}  // namespace

StoredData stored_data(const Scenario& scenario, const Setup& setup) {
  const auto times = [frames = setup.frames, steps = setup.steps, dt = setup.dt] {
    std::vector<double> all;
    for (std::int64_t step = frames.from(0); step <= steps; step = frames.from(step + 1))
      all.push_back(static_cast<double>(step) * dt);
    return all;
  };
  const auto ids = [kept = setup.kept, bodies = setup.bodies.size()] {
    std::vector<std::int64_t> all = kept;
    if (all.empty()) all.resize(bodies), std::iota(all.begin(), all.end(), std::int64_t{0});
    return all;
  };
  return {.velocities = scenario.trajectory->boolean("velocities"),
          .bodies = setup.bodies.size(),
          .steps = setup.steps,
          .time_unit = std::string(scenario.units->time),
          .times = times,
          .ids = ids};
}

StoredData stored_data(const TrajectoryReader& trajectory) {
  const RunRecord& record = trajectory.record();
  return {.velocities = trajectory.options().velocities,
          .bodies = trajectory.whole(),
          .steps = record.steps,
          .time_unit = record.time_unit,
          .times = [&trajectory] { return trajectory.times(); },
          .ids = [&trajectory] { return trajectory.ids(); }};
}

RunOutline outline_of(const Scenario& scenario, const Setup& setup, std::filesystem::path file) {
  RunOutline outline{.file = std::move(file),
                     .scenario = scenario.text,
                     .overrides = scenario.overrides,
                     .physics = physics(scenario, setup),
                     .stored = stored_data(scenario, setup),
                     .end = setup.end(),
                     .keplerian = is_keplerian(scenario),
                     .has_energy = has_energy(setup.bodies, external_fields(scenario.fields, setup.G))};
  sim::Bodies masses;
  masses.mass = setup.bodies.mass;
  count_masses(outline, stored_bodies(masses, trajectory_options(scenario, setup)).mass);
  return outline;
}

RunOutline outline_of(const TrajectoryReader& trajectory) {
  const RunRecord& record = trajectory.record();
  RunOutline outline{.file = trajectory.path(),
                     .scenario = record.scenario,
                     .overrides = overrides_of(record),
                     .physics = physics_of(trajectory),
                     .stored = stored_data(trajectory),
                     .finished = trajectory.finished(),
                     .end = static_cast<double>(record.steps) * record.dt};
  outline.stored.times = [times = trajectory.times()] { return times; };  // the reader may be gone by then
  outline.stored.ids = [ids = trajectory.ids()] { return ids; };
  count_masses(outline, trajectory.bodies().mass);
  if (!outline.several_masses) {
    const History history = trajectory.history();
    outline.has_energy = !history.time.empty() && initial_energy(history).scale() > 0;
  }
  try {
    outline.keplerian = is_keplerian(scenario_of(trajectory, trajectory.path()));
  } catch (const Error&) {  // not valid in this version
  }
  return outline;
}

bool is_keplerian(const Scenario& scenario) {
  const auto& force = scenario.forces.front();
  return scenario.initial.size() == 1 && scenario.initial.front().plugin == &sim::two_body && scenario.fields.empty() &&
         scenario.perturbations.empty() &&
         sim::is_newtonian(*force.plugin, force.plugin->numbers(force.section.values())) &&
         force.section->number("softening") == 0;
}

}  // namespace orrery::pipeline
