// SPDX-License-Identifier: MIT
#include "pipeline/pictures/subject.hpp"

#include <cmath>

#include "common/usable_threads.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/plan.hpp"

namespace orrery::pipeline {
namespace {

/// G if the pair force is gravity, else 0.
double attraction(const std::vector<Choice<sim::ForceLaw>>& pairs, double G) {
  const auto& [law, section] = pairs.front();
  return sim::is_newtonian(*law, law->numbers(section.values())) ? G : 0;
}

int device_of(const Document& document) {
  const auto keys = section_keys("backend");
  return static_cast<int>(document.table("backend", 0, {keys.begin(), keys.end()})->integer("device"));
}

/// Bodies without positions and velocities.
sim::Bodies without_positions(const sim::Bodies& bodies) {
  return {.mass = bodies.mass,
          .charge = bodies.charge,
          .position = {},
          .velocity = {},
          .species = bodies.species,
          .names = bodies.names};
}

}  // namespace

Subject subject_of(const Scenario& scenario, const Setup& setup) {
  const InitialFacts facts = initial_facts(scenario, setup);
  const double G = attraction(scenario.forces, setup.G);
  const bool bath = scenario.integrator.plugin->bath;
  return {.document = scenario.document,
          .bodies = stored_bodies(without_positions(setup.bodies), trajectory_options(scenario, setup)),
          .components = setup.components,
          .domain = setup.domain,
          .file = scenario.trajectory->text("file"),
          .stored = stored_data(scenario, setup),
          .end = setup.end(),
          .timescale = setup.timescale,
          .timescale_name = setup.timescale_name,
          .physics = {.G = G,
                      .mass = facts.mass,
                      .threads = options_of(scenario.backend).threads,
                      .conserved = conserved_momenta(setup.domain, external_fields(scenario.fields, setup.G), bath),
                      .bath = bath,
                      .density = facts.density},
          .system = [&] { return make_system(scenario, setup); },
          .turning = turning_of(setup.bodies, G, setup.timescale),
          .gap = static_cast<double>(setup.frames.gaps().greatest) * std::abs(setup.dt),
          .follow = frames_to_follow(setup, G),
          .device = options_of(scenario.backend).device};
}

Subject subject_of(const TrajectoryReader& trajectory, const Document& document) {
  const RunRecord& record = trajectory.record();
  const InitialFacts& facts = record.initial_facts;
  const bool bath = has_bath(record);
  Subject subject{.document = document,
                  .bodies = trajectory.bodies(),
                  .components = record.components,
                  .domain = record.domain,
                  .file = trajectory.path().filename().string(),
                  .stored = stored_data(trajectory),
                  .end = static_cast<double>(record.steps) * record.dt,
                  .timescale = facts.timescale,
                  .timescale_name = facts.timescale_name,
                  .physics = {.mass = facts.mass,
                              .threads = usable_threads(),
                              .conserved = conserved_momenta(record.domain, {}, bath),
                              .bath = bath,
                              .density = facts.density},
                  .system = {},
                  .device = device_of(document)};
  try {
    const Forces forces = read_forces(document);
    subject.physics.G = attraction(forces.pairs, facts.G);
    subject.physics.conserved = conserved_momenta(record.domain, external_fields(forces.fields, facts.G), bath);
    subject.system = [&trajectory, forces, G = facts.G] {
      sim::System system;
      system.bodies = trajectory.bodies();
      system.bodies.position = system.bodies.velocity = sim::Vectors(system.bodies.size());
      system.forces = pair_forces(forces.pairs, system.bodies);
      system.fields = external_fields(forces.fields, G);
      return system;
    };
  } catch (const Error& error) {
    subject.physics.unknown = error.what();
  }
  return subject;
}

}  // namespace orrery::pipeline
