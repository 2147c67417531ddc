// SPDX-License-Identifier: MIT
#include "pipeline/run/run_record.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "pipeline/version.hpp"

namespace orrery::pipeline {

RunRecord make_record(const Scenario& scenario, const Setup& setup, const ChosenBackend& chosen,
                      const std::string& pictures, const std::string& command_line) {
  RunRecord record;
  record.title = scenario.title();
  record.scenario = scenario.text;
  record.resolved = resolved(scenario, setup) + pictures;
  for (const auto& [key, value] : physics(scenario, setup)) record.physics += fmt::format("{} = {}\n", key, value);
  record.seed = static_cast<std::uint64_t>(scenario.top->integer("seed"));
  record.dt = setup.dt;
  record.steps = setup.steps;
  record.expected_frames = static_cast<std::size_t>(setup.frames.size());
  record.expected_rows = static_cast<std::size_t>(std::max(setup.frames.size(), setup.observations.size()));
  record.components = setup.components;
  record.domain = setup.domain;
  record.virial = scenario.forces.front().plugin->cutoff != nullptr;
  record.initial_facts = initial_facts(scenario, setup);
  for (std::size_t i = 0; i < scenario.initial.size(); ++i) {
    const Value* bodies = scenario.initial[i].section->find("bodies");
    if (const auto* columns = bodies == nullptr ? nullptr : std::get_if<SharedColumns>(bodies))
      record.initial.emplace(i, *columns);
  }
  record.units = scenario.units->name;
  record.length_unit = scenario.units->length;
  record.time_unit = scenario.units->time;
  record.mass_unit = scenario.units->mass;
  for (const auto& column : scenario.integrator.plugin->columns) {
    if (column.persistent) record.columns.emplace_back(column.name);
  }
  std::string overrides;
  for (const std::string& override : scenario.overrides) overrides += override + "\n";
  record.provenance = {{"version", version()},
                       {"commit", commit()},
                       {"compiler", compiler()},
                       {"integrator", std::string(scenario.integrator.plugin->name)},
                       {"backend", chosen.kind},
                       {"backend_choice", chosen.reason},
                       {"kernel", chosen.backend->kernel()},
                       {"device", chosen.backend->hardware()},
                       {"precision", scenario.backend->text("precision")},
                       {"overrides", overrides},
                       {"command_line", command_line}};
  return record;
}

std::string state_hash(const sim::Snapshot& state) {
  XXH3_state_t* hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  for (const sim::Vectors* v :
       {&state.position, &state.velocity, &state.image}) {  // without images, their arrays are empty
    for (const auto* axis : {&v->x, &v->y, &v->z})
      XXH3_64bits_update(hash, axis->data(), axis->size() * sizeof(double));
  }
  const auto digest = XXH3_64bits_digest(hash);
  XXH3_freeState(hash);
  return fmt::format("{:016x}", digest);
}

}  // namespace orrery::pipeline
