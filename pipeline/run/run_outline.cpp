// SPDX-License-Identifier: MIT
#include "pipeline/run/run_outline.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "sim/analysis/closest.hpp"

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

/// Whether the bodies with mass have energy: one moves or is in a field, or two of them act on each other.
bool has_energy(const sim::Model& model) {
  const sim::Bodies& bodies = model.bodies;
  const std::vector<sim::ExternalField> fields = sim::fields_of(model);
  sim::Vectors massive;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!(bodies.mass[i] > 0)) continue;
    const sim::Vectors &x = bodies.position, &v = bodies.velocity;
    if (v.x[i] != 0 || v.y[i] != 0 || v.z[i] != 0) return true;
    for (const sim::ExternalField& field : fields) {
      if (field.law->potential(field.parameters, {x.x[i], x.y[i], x.z[i]}) != 0) return true;
    }
    massive.push_back(x.x[i], x.y[i], x.z[i]);
  }
  const sim::ForceLaw& law = *model.force.plugin;
  if (law.cutoff == nullptr || massive.size() < 2) return massive.size() > 1;
  const double cutoff = law.cutoff(sim::make_pair_force(law, bodies, model.force.values).parameters);
  return sim::closest(massive, {}, model.domain.periods()).r2 < cutoff * cutoff;
}

}  // namespace

StoredData stored_data(const Scenario& scenario, const Setup& setup) {
  const auto times = [frames = setup.output.frames, steps = setup.model.steps, dt = setup.model.dt] {
    std::vector<double> all;
    for (std::int64_t step = frames.from(0); step <= steps; step = frames.from(step + 1))
      all.push_back(static_cast<double>(step) * dt);
    return all;
  };
  const auto ids = [kept = setup.output.stored.bodies, bodies = setup.model.bodies.size()] {
    std::vector<std::int64_t> all = kept;
    if (all.empty()) all.resize(bodies), std::iota(all.begin(), all.end(), std::int64_t{0});
    return all;
  };
  return {.velocities = setup.output.stored.velocities,
          .bodies = setup.model.bodies.size(),
          .steps = setup.model.steps,
          .time_unit = std::string(setup.model.units->time),
          .epoch = scenario.epoch,
          .times = times,
          .ids = ids};
}

StoredData stored_data(const TrajectoryReader& trajectory) {
  const RunRecord& record = trajectory.record();
  return {.velocities = trajectory.options().velocities,
          .bodies = trajectory.whole(),
          .steps = record.steps,
          .time_unit = record.time_unit,
          .epoch = record.epoch,
          .times = [&trajectory] { return trajectory.times(); },
          .ids = [&trajectory] { return trajectory.ids(); }};
}

RunOutline outline_of(const Scenario& scenario, const Setup& setup, std::filesystem::path file) {
  RunOutline outline{.file = std::move(file),
                     .scenario = scenario.text,
                     .overrides = scenario.overrides,
                     .physics = physics(scenario, setup),
                     .stored = stored_data(scenario, setup),
                     .end = setup.model.end(),
                     .keplerian = kepler_start(scenario).has_value(),
                     .has_energy = has_energy(setup.model)};
  sim::Bodies masses;
  masses.mass = setup.model.bodies.mass;
  count_masses(outline, stored_bodies(masses, setup.output.stored).mass);
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
    outline.keplerian = kepler_start(scenario_of(trajectory, trajectory.path())).has_value();
  } catch (const Error&) {  // not valid in this version
  }
  return outline;
}

}  // namespace orrery::pipeline
