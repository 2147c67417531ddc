// SPDX-License-Identifier: MIT
#include "pipeline/run/initial_trajectory.hpp"

#include "pipeline/run/plan.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

void write_initial_trajectory(const Scenario& scenario, const std::filesystem::path& file) {
  const Setup setup = set_up_to_step(scenario);
  RunRecord record;
  record.title = scenario.title();
  record.scenario = scenario.text;
  record.dt = setup.dt;
  record.expected_frames = record.expected_rows = 1;
  record.components = setup.components;
  record.domain = setup.domain;
  record.initial_facts = initial_facts(scenario, setup);
  record.units = scenario.units->name;
  record.length_unit = scenario.units->length;
  record.time_unit = scenario.units->time;
  record.mass_unit = scenario.units->mass;
  sim::Snapshot state;
  state.position = setup.bodies.position;
  state.velocity = setup.bodies.velocity;
  if (setup.domain.is_periodic()) state.image = sim::Vectors(setup.bodies.size());
  TrajectoryWriter writer(file, setup.bodies, record, {});
  writer.append(state, true);
  writer.finish(state);
}

}  // namespace orrery::pipeline
