// SPDX-License-Identifier: MIT
// Whole runs: made, resumed, repeated, compared.
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "pipeline/compare/diff.hpp"
#include "pipeline/compare/verify.hpp"
#include "pipeline/public/handles.hpp"
#include "pipeline/run/imported_run.hpp"
#include "pipeline/run/run_folder.hpp"
#include "pipeline/scenario/given_tables.hpp"

namespace orrery::pipeline {
namespace {

/// Shows the observer of the caller what the main loop shows.
Observer observer_of(const orrery_run_options& options, const std::vector<double>& mass, LibraryContext& context) {
  if (options.observe_every < 0) throw Misuse("`observe_every` is negative");
  if (options.observe == nullptr) return {};
  return {options.observe_every, [&context, mass, options](const sim::Snapshot& now, const sim::InitialEnergy& first) {
            const orrery_state state = state_of(now, mass);
            const orrery_observables observables = observables_of(now.observables, first);
            if (options.observe(options.user, &state, &observables) != 0) context.stop_now();
          }};
}

orrery_status status_of(bool whole) {
  return whole ? ORRERY_OK : ORRERY_STOPPED;
}

/// Logs a report line by line.
void tell(const Report& report, LibraryContext& context) {
  std::istringstream lines(report.table());
  for (std::string line; std::getline(lines, line);) context.result("{}", line);
}

/// The table `own`, or one of these keys, if there are any.
Section output_table(const char* name, const Section& own, const orrery_key* keys, std::size_t count) {
  return count == 0 ? own : given_table(name, "", arguments_of(keys, count), fmt::format("[{}]", name));
}

/// [bodies][3] as vectors.
sim::Vectors vectors_of_rows(const double* rows, std::size_t bodies) {
  sim::Vectors all;
  for (std::size_t i = 0; i < bodies; ++i) all.push_back(rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]);
  return all;
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;

orrery_status orrery_run(orrery_model* model, const orrery_run_options* options, const char* file) {
  return answer_of(model, [&](orrery_model& m) {
    const orrery_run_options given = given_struct(options, "options");
    const std::filesystem::path path = needed_text(file, "file"), above = path.parent_path();
    orrery_model own = m;
    own.changed = m.changed || given.trajectory_count > 0 || given.observables_count > 0;
    ScenarioTables& tables = own.tables;
    tables.observables = output_table("observables", tables.observables, given.observables, given.observables_count);
    tables.trajectory = output_table("trajectory", tables.trajectory, given.trajectory, given.trajectory_count);
    tables.trajectory.set("file", path.filename().string());
    if (given.backend != nullptr)
      tables.backend = backend_table(tables.backend, given_struct(given.backend, "backend"));
    RunOptions run{.source = path, .force = given.replace != 0, .command_line = "orrery_run"};
    RunFolder folder(run, own.scenario(Purpose::run), above.empty() ? "." : above, *m.context);
    folder.observe(observer_of(given, folder.model().bodies.mass, *m.context));
    return status_of(folder.complete(Draw::never));
  });
}

orrery_status orrery_resume(orrery_context* context, const char* file, const orrery_run_options* options) {
  return answer_of(context, [&](orrery_context& c) {
    const orrery_run_options given = given_struct(options, "options");
    RunOptions run{.source = needed_text(file, "file"), .command_line = "orrery_resume"};
    RunFolder folder = RunFolder::of_trajectory(run, *c.context);
    if (given.backend != nullptr) {
      const Section& own = folder.scenario().tables.backend;
      folder.compute_on(backend_request(backend_table(own, given_struct(given.backend, "backend"))));
    }
    folder.observe(observer_of(given, folder.model().bodies.mass, *c.context));
    return status_of(folder.complete(Draw::never));
  });
}

orrery_status orrery_verify(orrery_context* context, const char* file, int* same) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(same, "same");
    VerifyOptions options{};
    options.file = needed_text(file, "file");
    options.command_line = "orrery_verify";
    const Verdict verdict = verify(options, *c.context);
    if (verdict.stopped) return ORRERY_STOPPED;
    tell(verdict.report, *c.context);
    *same = verdict.same ? 1 : 0;
    return ORRERY_OK;
  });
}

orrery_status orrery_diff(orrery_context* context, const char* a, const char* b, int* same) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(same, "same");
    const Verdict verdict = diff(needed_text(a, "a"), needed_text(b, "b"));
    tell(verdict.report, *c.context);
    *same = verdict.same ? 1 : 0;
  });
}

orrery_status orrery_import_frames(orrery_model* model, const char* file, size_t frames, const double* time,
                                   const double* position, const double* velocity) {
  return answer_of(model, [&](orrery_model& m) {
    const std::filesystem::path path = needed_text(file, "file");
    if (frames == 0) throw Misuse("`frames` is 0");
    (void)needed(time, "time");
    (void)needed(position, "position");
    if (std::filesystem::exists(path)) throw orrery::Error(path.string() + ": already exists", orrery::Fault::request);
    const Scenario scenario = m.scenario(Purpose::look);
    const std::size_t bodies = m.model().bodies.size();
    ImportedRun run{.title = scenario.title, .source = "arrays", .scenario = &scenario};
    run.command_line = "orrery_import_frames";
    run.read.format = "memory";
    run.read.units = scenario.model.units;
    ForeignFrames& all = run.read.frames;
    all.first.bodies = std::make_shared<orrery::Columns>();
    all.first.bodies->rows = bodies;
    all.first.bodies->numbers["position"].assign(position, position + 3 * bodies);
    all.first.bodies->numbers["velocity"].resize(3 * bodies);
    if (velocity != nullptr) all.first.bodies->numbers["velocity"].assign(velocity, velocity + 3 * bodies);
    all.first.asked.push_back({"mass", "those of the model"});
    all.time.assign(time, time + frames);
    for (std::size_t k = 0; k < frames; ++k) {
      all.position.push_back(vectors_of_rows(position + 3 * k * bodies, bodies));
      if (velocity != nullptr) all.velocity.push_back(vectors_of_rows(velocity + 3 * k * bodies, bodies));
    }
    for (const std::string& note : write_imported_run(std::move(run), path, *m.context)) m.context->info("{}", note);
  });
}
