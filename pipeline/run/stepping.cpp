// SPDX-License-Identifier: MIT
// The main loop.
#include "pipeline/run/stepping.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "pipeline/interrupt.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/background_writer.hpp"
#include "pipeline/run/pace.hpp"
#include "pipeline/version.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {

RunRecord make_record(const Scenario& scenario, const Setup& setup, const ChosenBackend& chosen,
                      const std::string& pictures, const std::string& command_line) {
  RunRecord record;
  record.title = scenario.title();
  record.scenario = scenario.text;
  record.resolved = resolved(scenario) + pictures;
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

Stepping step_through(const Scenario& scenario, const Setup& setup, sim::Backend& backend, TrajectoryWriter& trajectory,
                      const Origin* origin, bool quiet, Progress* whole) {
  sim::Simulation simulation = simulation_of(scenario, setup, backend);
  std::optional<Progress> own;
  Progress& progress = whole != nullptr ? *whole : own.emplace("stepping", quiet);
  Pace pace;
  if (origin != nullptr) simulation.resume(origin->state);
  simulation.stop_when([] { return Interrupt::signal() != 0; });
  const std::int64_t start = simulation.step();
  const auto done = [&] {
    return static_cast<double>(simulation.step()) / static_cast<double>(std::max<std::int64_t>(setup.steps, 1));
  };
  progress.starts_at(done());

  // What was looked at last with its state; the writer's thread shares it.
  sim::Snapshot at_start = simulation.observe();
  if (origin != nullptr) at_start.extremes = origin->state.extremes, at_start.excursion = origin->state.excursion;
  BackgroundWriter::Moment last = std::make_shared<sim::Snapshot>(std::move(at_start));
  const double first_energy = origin != nullptr ? origin->first_energy : last->observables.total_energy();
  // Rows seen since, without one. The next good state vouches for them; before, no file could go on from behind them.
  std::vector<BackgroundWriter::Moment> rows;
  constexpr std::size_t most_rows = 1024;
  const auto energy_error = [&] {
    return sim::energy_error((rows.empty() ? last : rows.back())->observables.total_energy(), first_energy);
  };
  if (scenario.observables->boolean("extremes") && (origin == nullptr || origin->extremes)) {
    const sim::Observables& first = last->observables;
    const double watched =
        origin != nullptr ? origin->watched_energy : sim::unless_rounding(first.kinetic_energy, first.potential_energy);
    simulation.watch(watched, *last);
  }
  BackgroundWriter writer(trajectory, origin != nullptr ? start : -1);
  const auto keep_rows = [&] {
    for (auto& row : rows) writer.keep(std::move(row), false);
    rows.clear();
  };
  const auto keep = [&](sim::Snapshot seen) {
    auto now = std::make_shared<sim::Snapshot>(std::move(seen));
    if (now->size() == 0) return rows.push_back(std::move(now));
    keep_rows();
    last = std::move(now);
    writer.keep(last, setup.frames.contains(last->step));
  };
  bool looked = false;  // at a state that is not kept yet
  // Where the state has left the range of numbers or a device is lost, what was seen so far is made safe first. The backend
  // is asked for no more than the states of rows that have none, once if it is lost.
  const auto sound = [&](const auto& work) {
    try {
      return work();
    } catch (const Error& error) {
      try {
        if (std::exchange(looked, false)) keep(simulation.seen());
      } catch (const Error&) {  // it was lost with the device
      }
      try {
        for (const auto& row : std::exchange(rows, {})) keep(simulation.with_state(*row));
      } catch (const Error&) {  // so were their states, or they are not good
      }
      writer.wait();
      if (last->step > writer.safe()) writer.commit(last), writer.wait();
      throw Error(fmt::format("{} (the file holds everything up to step {})", error.what(), writer.safe()),
                  error.exit_code());
    }
  };
  // A device takes the next steps while what was looked at before is copied, written and committed.
  const auto keep_what_was_seen = [&] {
    if (!std::exchange(looked, false)) return;
    keep(sound([&] { return simulation.seen(); }));
  };
  const auto details = [&, work = interactions_of_an_evaluation(scenario, setup)] {
    const double seconds = progress.elapsed().count();
    return fmt::format("{} steps/s · {} interactions/s · ΔE/E₀ {:+.1e}",
                       with_prefix(static_cast<double>(simulation.step() - start) / seconds),
                       with_prefix(static_cast<double>(backend.evaluations()) * work / seconds), energy_error());
  };

  if (origin == nullptr) {
    writer.keep(last, setup.frames.contains(last->step));
    writer.commit(last);  // from here on there is something to go on from
  }
  while (simulation.step() < setup.steps && Interrupt::signal() == 0) {
    const std::int64_t next = setup.next_look(simulation.step());
    const std::int64_t steps = pace.slice(next - simulation.step());
    sound([&] { simulation.advance(steps, simulation.step() + steps == next); });
    if (simulation.cut_short()) break;
    keep_what_was_seen();
    if (simulation.step() == next) {
      // A row needs no state, but a frame is one, and from time to time the file gets one to go on from.
      const bool with_state =
          setup.frames.contains(next) || next == setup.steps || rows.size() + 1 >= most_rows || writer.commit_due();
      sound([&] { with_state ? simulation.look() : simulation.look_at_observables(); });
      looked = true;
    } else if (writer.commit_due()) {
      auto state = std::make_shared<sim::Snapshot>(sound([&] { return simulation.state(); }));
      keep_rows();
      writer.commit(std::move(state));
    }
    progress.show(done(), details);
  }
  keep_what_was_seen();
  if (simulation.cut_short()) rows.clear();  // the state is beyond them and not whole
  if (!simulation.cut_short() && last->step != simulation.step()) {
    last = std::make_shared<sim::Snapshot>(sound([&] { return simulation.observe(); }));
    keep_rows();
  }
  const bool finished = simulation.step() == setup.steps;
  writer.wait();
  if (!finished && last->step > writer.safe()) writer.commit(last), writer.wait();
  if (finished) trajectory.finish(*last);
  if (whole != nullptr) whole->clear();  // others print now
  return {.last = *last,
          .steps = simulation.step() - start,
          .seconds = progress.elapsed().count(),
          .energy_error = energy_error(),
          .signal = finished ? 0 : Interrupt::signal()};
}

std::string state_hash(const sim::Snapshot& state) {
  XXH3_state_t* hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  for (const sim::Vectors* v : {&state.position, &state.velocity, &state.image}) {  // no image, no bytes
    for (const auto* axis : {&v->x, &v->y, &v->z})
      XXH3_64bits_update(hash, axis->data(), axis->size() * sizeof(double));
  }
  const auto digest = XXH3_64bits_digest(hash);
  XXH3_freeState(hash);
  return fmt::format("{:016x}", digest);
}

}  // namespace orrery::pipeline
