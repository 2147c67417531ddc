// SPDX-License-Identifier: MIT
#include "pipeline/pictures/subject.hpp"

#include <cmath>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/plan.hpp"

namespace orrery::pipeline {
namespace {

/// G if the pair force is gravity, else 0.
double newtonian(const sim::Model& model) {
  return model.is_newtonian() ? model.G : 0;
}

/// Bodies without positions and velocities.
sim::Bodies without_positions(const sim::Bodies& bodies) {
  return {.mass = bodies.mass,
          .charge = bodies.charge,
          .radius = bodies.radius,
          .position = {},
          .velocity = {},
          .species = bodies.species,
          .names = bodies.names};
}

}  // namespace

Subject subject_of(const Scenario& scenario, const Setup& setup, const Resources& resources) {
  const sim::BackendOptions options = options_of(scenario.backend, resources);
  const sim::Model& model = setup.model;
  const InitialFacts& facts = setup.facts;
  const double G = newtonian(model);
  const bool bath = model.integrator->bath;
  return {.bodies = stored_bodies(without_positions(model.bodies), setup.output.stored),
          .components = model.components,
          .domain = model.domain,
          .file = scenario.file,
          .stored = stored_data(scenario, setup),
          .end = model.end(),
          .timescale = facts.timescale,
          .timescale_name = facts.timescale_name,
          .physics = {.G = G,
                      .mass = facts.mass,
                      .threads = options.threads,
                      .conserved = conserved_momenta(model.domain, sim::fields_of(model), bath),
                      .bath = bath,
                      .density = facts.density},
          .system = [&] { return sim::system_of(setup.model); },
          .turning = turning_of(model.bodies, G, facts.timescale),
          .gap = static_cast<double>(setup.output.frames.gaps().greatest) * std::abs(model.dt),
          .follow = frames_to_follow(model, facts.timescale, G),
          .device = options.device,
          .of_sweep = scenario.document.count("sweep") > 0};
}

Subject subject_of(const TrajectoryReader& trajectory, const Document& document, const Resources& resources) {
  const RunRecord& record = trajectory.record();
  const InitialFacts& facts = record.initial_facts;
  const bool bath = has_bath(record);
  Subject subject{.bodies = trajectory.bodies(),
                  .components = record.components,
                  .domain = record.domain,
                  .file = trajectory.path().filename().string(),
                  .stored = stored_data(trajectory),
                  .end = static_cast<double>(record.steps) * record.dt,
                  .timescale = facts.timescale,
                  .timescale_name = facts.timescale_name,
                  .physics = {.mass = facts.mass,
                              .threads = resources.threads,
                              .conserved = conserved_momenta(record.domain, {}, bath),
                              .bath = bath,
                              .density = facts.density},
                  .system = {},
                  .device = backend_request(backend_table(document)).device.value_or(resources.device)};
  try {
    Forces forces = read_forces(document);
    forces.model.G = facts.G;
    subject.physics.G = newtonian(forces.model);
    subject.physics.conserved = conserved_momenta(record.domain, sim::fields_of(forces.model), bath);
    subject.system = [&trajectory, forces] {
      sim::Bodies bodies = trajectory.bodies();
      bodies.position = bodies.velocity = sim::Vectors(bodies.size());
      return system_at(forces.pair, forces.model, std::move(bodies));
    };
  } catch (const Error& error) {
    subject.physics.unknown = error.what();
  }
  return subject;
}

Subject subject_of(const TrajectoryReader& trajectory, const Resources& resources) {
  return subject_of(trajectory, Document(scenario_text(trajectory, trajectory.path()), {}), resources);
}

}  // namespace orrery::pipeline
