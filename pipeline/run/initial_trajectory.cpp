// SPDX-License-Identifier: MIT
#include "pipeline/run/initial_trajectory.hpp"

#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

void write_initial_trajectory(const Scenario& scenario, const std::filesystem::path& file) {
  const Setup setup = set_up_to_step(scenario);
  const sim::Model& model = setup.model;
  RunRecord record = model_record(scenario, setup);
  record.frames = 1;
  record.expected_rows = 1;
  sim::Snapshot state;
  state.position = model.bodies.position;
  state.velocity = model.bodies.velocity;
  if (model.domain.is_periodic()) state.image = sim::Vectors(model.bodies.size());
  TrajectoryWriter writer(file, model.bodies, record, {});
  writer.append(state, true);
  writer.finish(state);
}

}  // namespace orrery::pipeline
