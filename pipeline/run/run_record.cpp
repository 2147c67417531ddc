// SPDX-License-Identifier: MIT
#include "pipeline/run/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "pipeline/scenario/foreign_text.hpp"
#include "pipeline/trajectory/hash.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {

RunRecord model_record(const Scenario& scenario, const Setup& setup) {
  RunRecord record;
  const sim::Model& model = setup.model;
  record.title = scenario.title;
  record.scenario = scenario.text;
  record.dt = model.dt;
  record.components = model.components;
  record.domain = model.domain;
  record.initial_facts = setup.facts;
  record.units = model.units->name;
  record.epoch = scenario.epoch;
  record.length_unit = model.units->length;
  record.time_unit = model.units->time;
  record.mass_unit = model.units->mass;
  return record;
}

namespace {

/// Sets what decides how the file is laid out.
void lay_out(RunRecord& record, const Setup& setup) {
  const sim::Model& model = setup.model;
  record.domain = model.domain;
  record.frames = setup.output.frames.size();
  record.expected_rows = static_cast<std::size_t>(std::max(record.frames, setup.output.rows.size()));
  record.virial = model.force.plugin->cutoff != nullptr;
  for (const auto& column : model.integrator->columns) {
    if (column.persistent) record.columns.emplace_back(column.name);
  }
}

}  // namespace

double file_size(const Setup& setup) {
  RunRecord record;
  lay_out(record, setup);
  return trajectory_size(setup.model.bodies, record, setup.output.stored);
}

RunRecord make_record(const Scenario& scenario, const Setup& setup, const ChosenBackend& chosen,
                      const std::string& pictures, const std::string& command_line) {
  RunRecord record = model_record(scenario, setup);
  record.resolved = resolved(scenario, setup.adjusted) + pictures;
  record.seed = scenario.seed;
  const sim::Model& model = setup.model;
  record.steps = model.steps;
  record.initial = listed_bodies(scenario);
  lay_out(record, setup);
  std::string overrides;
  for (const std::string& override : scenario.overrides) overrides += override + "\n";
  record.provenance = {{"version", version()},
                       {"commit", commit()},
                       {"compiler", compiler()},
                       {"integrator", std::string(model.integrator->name)},
                       {"backend", chosen.kind},
                       {"backend_choice", chosen.reason},
                       {"kernel", chosen.backend->kernel()},
                       {"device", chosen.backend->hardware()},
                       {"precision", std::string(sim::name_of(model.precision))},
                       {"overrides", overrides},
                       {"command_line", command_line}};
  if (std::string foreign = foreign_text(model); !foreign.empty())
    record.provenance.emplace(foreign_key, std::move(foreign));
  return record;
}

std::string state_hash(const sim::Snapshot& state) {
  trajectory::Hash hash;
  for (const sim::Vectors* v :
       {&state.position, &state.velocity, &state.image}) {  // without images, their arrays are empty
    for (const auto* axis : {&v->x, &v->y, &v->z}) hash.add(std::span<const double>(*axis));
  }
  return fmt::format("{:016x}", hash.value());
}

}  // namespace orrery::pipeline
