// SPDX-License-Identifier: MIT
// Trajectories that the caller writes, frame by frame.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "pipeline/public/handles.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/given_tables.hpp"
#include "pipeline/trajectory/trajectory.hpp"

using namespace orrery::pipeline;
using orrery::Error;
using orrery::Fault;

struct orrery_writer {
  SharedContext context;
  std::filesystem::path file;
  std::int64_t steps = 0;  ///< of the whole run
  std::unique_ptr<TrajectoryWriter> writer{};
  orrery::sim::Snapshot last{};  ///< appended
  std::int64_t committed = -1;   ///< its step, or that of an earlier one

  /// Appends the current state as a frame and a row.
  void append(orrery_simulation& simulation) {
    if (writer == nullptr) throw Misuse("the file is closed");
    orrery::sim::Snapshot now = simulation.simulation->look();
    if (now.step > steps) {
      throw Error(fmt::format("{}: step {} is beyond the {} of the model: orrery_model_set_steps sets them",
                              file.string(), now.step, steps),
                  Fault::request);
    }
    if (now.size() != simulation.setup.model.bodies.size() || (last.size() != 0 && now.size() != last.size()))
      throw Misuse("the simulation has other bodies");
    writer->append(now, true);
    last = std::move(now);
    if (writer->commit_due()) commit();
  }
  void commit() {
    writer->commit(last);
    committed = last.step;
  }
};

namespace {

/// The scenario of a simulation with these keys of [trajectory] instead of its own.
Scenario stored_scenario(const orrery_simulation& simulation, orrery::Arguments keys, const std::string& file) {
  ScenarioTables tables = simulation.scenario.tables;
  keys.set("file", file);
  tables.trajectory = given_table("trajectory", "", std::move(keys), "[trajectory]");
  // Extremes are those of all steps, which only a run sees.
  tables.observables = given_table("observables", "", {{"extremes", false}}, "[observables]");
  std::string text = to_toml(tables);
  return scenario_of(std::move(tables), Document("", "model", {}, simulation.scenario.document.plug_ins()),
                     std::move(text));
}

}  // namespace

orrery_status orrery_writer_create(orrery_simulation* simulation, const orrery_key* keys, size_t count,
                                   const char* file, orrery_writer** writer) {
  return answer_of(simulation, [&](orrery_simulation& s) {
    (void)needed(writer, "writer");
    const std::filesystem::path path = needed_text(file, "file");
    if (s.simulation->step() != 0) throw Error(path.string() + ": a file begins at step 0", Fault::request);
    if (s.setup.model.steps == 0) {
      throw Error(path.string() + ": the model has no number of steps: orrery_model_set_steps sets it", Fault::request);
    }
    const Scenario scenario = stored_scenario(s, arguments_of(keys, count), path.filename().string());
    const Setup setup = set_up(scenario);
    auto made = std::unique_ptr<orrery_writer>(
        new orrery_writer{.context = s.context, .file = path, .steps = setup.model.steps});
    const RunRecord record = make_record(scenario, setup, s.chosen, "", "orrery_writer");
    made->writer = std::make_unique<TrajectoryWriter>(path, setup.model.bodies, record, setup.output.stored);
    made->append(s);
    made->commit();
    *writer = made.release();
  });
}

void orrery_writer_free(orrery_writer* writer) {
  if (writer != nullptr && writer->writer != nullptr && writer->last.step > writer->committed)
    (void)answer(writer->context, [&] { writer->commit(); });
  delete writer;
}

orrery_status orrery_writer_append(orrery_writer* writer, orrery_simulation* simulation) {
  return answer_of(writer, [&](orrery_writer& w) { w.append(needed(simulation, "simulation")); });
}

orrery_status orrery_writer_finish(orrery_writer* writer) {
  return answer_of(writer, [](orrery_writer& w) {
    if (w.writer == nullptr) throw Misuse("the file is closed");
    if (w.last.step == w.steps) {
      w.writer->finish(w.last);
    } else {
      w.commit();
    }
    w.writer.reset();
  });
}
