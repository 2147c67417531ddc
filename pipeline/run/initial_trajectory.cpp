// SPDX-License-Identifier: MIT
#include "pipeline/run/initial_trajectory.hpp"

#include "pipeline/run/plan.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

void write_initial_trajectory(const Scenario& scenario, const std::filesystem::path& file) {
  const Setup setup = set_up_to_step(scenario);
  const sim::Model& model = setup.model;
  RunRecord record;
  record.title = scenario.title;
  record.scenario = scenario.text;
  record.dt = model.dt;
  record.expected_frames = record.expected_rows = 1;
  record.components = model.components;
  record.domain = model.domain;
  record.initial_facts = setup.facts;
  record.units = model.units->name;
  record.length_unit = model.units->length;
  record.time_unit = model.units->time;
  record.mass_unit = model.units->mass;
  sim::Snapshot state;
  state.position = model.bodies.position;
  state.velocity = model.bodies.velocity;
  if (model.domain.is_periodic()) state.image = sim::Vectors(model.bodies.size());
  TrajectoryWriter writer(file, model.bodies, record, {});
  writer.append(state, true);
  writer.finish(state);
}

}  // namespace orrery::pipeline
