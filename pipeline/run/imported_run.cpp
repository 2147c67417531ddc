// SPDX-License-Identifier: MIT
#include "pipeline/run/imported_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/named.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/given_tables.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

constexpr const char* imported_key = "imported";

/// Gives bodies the masses, charges, radii, names and components that they lack and those of a scenario have.
void complete(Columns& bodies, bool has_masses, const sim::Bodies& known, const std::vector<std::string>& components,
              const std::string& source, std::vector<std::string>& notes) {
  if (known.size() != bodies.rows)
    throw Error(fmt::format("{}: has {} bodies, the scenario {}", source, bodies.rows, known.size()), Fault::request);
  // By name, if both have the same, else in the same order.
  std::vector<std::size_t> places(bodies.rows);
  const auto names = bodies.texts.find("name");
  bool by_name = names != bodies.texts.end() && !known.names.empty();
  for (std::size_t i = 0; i < bodies.rows; ++i) {
    const auto found = by_name ? std::ranges::find(known.names, names->second[i]) : known.names.end();
    by_name = by_name && found != known.names.end();
    places[i] = by_name ? static_cast<std::size_t>(found - known.names.begin()) : i;
  }
  if (!by_name)
    for (std::size_t i = 0; i < bodies.rows; ++i) places[i] = i;
  notes.push_back(fmt::format("bodies are those of the scenario by their {}", by_name ? "names" : "order"));
  const auto column = [&](const std::vector<double>& of) {
    std::vector<double> all;
    for (const std::size_t place : places) all.push_back(of[place]);
    return all;
  };
  auto& numbers = bodies.numbers;
  std::vector<double> masses = column(known.mass);
  if (has_masses && numbers["mass"] != masses)
    notes.emplace_back("masses are those of the file; the scenario has others");
  if (!has_masses) numbers["mass"] = std::move(masses);
  if (!known.charge.empty() && !numbers.contains("charge")) numbers["charge"] = column(known.charge);
  if (!known.radius.empty() && !numbers.contains("radius")) numbers["radius"] = column(known.radius);
  if (!known.names.empty() && names == bodies.texts.end())
    for (const std::size_t place : places) bodies.texts["name"].push_back(known.names[place]);
  if (!components.empty() && !bodies.texts.contains("component"))
    for (const std::size_t place : places)
      bodies.texts["component"].push_back(components[static_cast<std::size_t>(known.species[place])]);
  drop_empty_texts(bodies);
}

/// The times of the frames, and whether they are the numbers of the frames for want of others.
std::vector<double> times_of(const ImportedRun& run, std::vector<std::string>& notes) {
  const std::size_t frames = run.read.frames.size();
  if (!run.interval && !run.read.frames.time.empty()) return run.read.frames.time;
  std::vector<double> times(frames);
  for (std::size_t k = 0; k < frames; ++k) times[k] = static_cast<double>(k) * run.interval.value_or(1);
  if (!run.interval && frames > 1)
    notes.emplace_back("frames have no times: t is their number; --dt is the time between them");
  return times;
}

/// The step of each frame: that of its time, if all are at steps of dt, else its number.
std::vector<std::int64_t> steps_of(const std::vector<double>& times, double dt) {
  std::vector<std::int64_t> steps, numbers;
  bool at_steps = dt != 0;
  for (const double t : times) {
    const double step = std::round(t / dt);
    at_steps = at_steps && std::abs(step) < 0x1p53 && std::abs(t / dt - step) < 1e-4 &&
               (steps.empty() ? step >= 0 : step > static_cast<double>(steps.back()));
    steps.push_back(at_steps ? static_cast<std::int64_t>(step) : 0);
    numbers.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  return at_steps ? steps : numbers;
}

void refuse_disordered(const std::vector<double>& times, const std::string& source) {
  const bool backward = times.size() > 1 && times[1] < times[0];
  for (std::size_t k = 1; k < times.size(); ++k)
    if (backward ? !(times[k] < times[k - 1]) : !(times[k] > times[k - 1]))
      throw Error(fmt::format("{}: frame {} at t = {} does not come after t = {}; --dt gives frames times", source, k,
                              times[k], times[k - 1]),
                  Fault::request);
}

/// The scenario of the run: the tables of the given one, or gravity, with the bodies of the first frame.
Scenario scenario_of_import(const ImportedRun& run, const SharedColumns& bodies, const Setup& known, double dt) {
  ScenarioTables tables = run.scenario != nullptr ? run.scenario->tables : default_tables();
  tables.initial.clear();
  tables.perturbations.clear();
  const std::string place = run.source;
  if (run.scenario == nullptr) {
    Arguments top{{"title", run.title}};
    if (!run.read.units->length.empty()) top.set("units", std::string(run.read.units->name));
    tables.top = given_table("", "", std::move(top), place);
    const auto frames = static_cast<std::int64_t>(run.read.frames.size());
    tables.integrator =
        given_table("integrator", "leapfrog", {{"dt", dt}, {"steps", std::max<std::int64_t>(frames - 1, 1)}}, place);
  } else {  // a table of bodies has no timescale for the durations of the scenario
    const auto& plug_ins = run.scenario->document.plug_ins();
    tables.integrator = changed_integrator(tables.integrator, {{"dt", known.model.dt}, {"steps", known.model.steps}},
                                           place, plug_ins ? *plug_ins : sim::PlugIns{});
  }
  tables.trajectory = given_table("trajectory", "", {}, place);
  tables.observables = given_table("observables", "", {{"extremes", false}}, place);
  Section table = given_table("initial", "table", {{"recentre", false}}, place);
  load_bodies(table, 0, {.text = "", .name = place, .bodies = [&](std::size_t) { return bodies; }}, {});
  table.set_columns("bodies", bodies, [place](std::size_t i) { return fmt::format("{}: body {}", place, i); });
  tables.initial.push_back({&named(sim::initial_states(), "table", "initial"), std::move(table)});
  std::string text = to_toml(tables);
  const auto plug_ins = run.scenario != nullptr ? run.scenario->document.plug_ins() : nullptr;
  return scenario_of(std::move(tables), Document("", place, {}, plug_ins), std::move(text));
}

}  // namespace

std::vector<std::string> write_imported_run(ImportedRun run, const std::filesystem::path& file, Context& context) {
  std::vector<std::string> notes = run.read.remarks;
  ForeignFrames& frames = run.read.frames;
  const bool has_masses =
      std::ranges::none_of(frames.first.asked, [](const AskedKey& one) { return one.key == "mass"; });
  auto bodies = std::make_shared<Columns>(*frames.first.bodies);
  std::optional<Setup> known;
  if (run.scenario != nullptr) {
    known = set_up_to_step(*run.scenario, context.resources);
    complete(*bodies, has_masses, known->model.bodies, known->model.components, run.source, notes);
  }
  const std::vector<double> times = times_of(run, notes);
  refuse_disordered(times, run.source);
  const double span = times.back() - times.front();
  const double spacing = span == 0 ? 1 : span / static_cast<double>(times.size() - 1);
  if (known && known->model.steps == 0) known->model.dt = spacing;  // a model without an end
  const std::vector<std::int64_t> steps = steps_of(times, known ? known->model.dt : spacing);
  if (known && known->model.steps == 0) known->model.steps = std::max<std::int64_t>(steps.back(), 1);
  const Scenario scenario = scenario_of_import(run, bodies, known ? *known : Setup{}, spacing);
  const Setup setup = set_up_to_step(scenario, context.resources);
  const sim::Model& model = setup.model;
  const ChosenBackend chosen = make_backend(setup, {.kind = "cpu"}, context.resources);
  sim::Simulation simulation(*chosen.backend, named(sim::integrators(), "leapfrog", "integrator"), spacing, {},
                             model.bodies.names);

  RunRecord record = make_record(scenario, setup, chosen, "", run.command_line);
  record.frames = static_cast<std::int64_t>(frames.size());
  record.expected_rows = frames.size();
  record.steps = steps.back();
  record.columns.clear();
  if (known) record.initial_facts = known->facts;
  record.provenance["integrator"] = "unknown";
  record.provenance[imported_key] = fmt::format("{} ({})", run.source, run.read.format);
  TrajectoryWriter writer(file, model.bodies, record, {.velocities = !frames.velocity.empty(), .extremes = false});
  Progress progress("importing", context);
  const Context::During orderly(context, Context::Phase::orderly);
  sim::Snapshot last;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    sim::Snapshot now;
    now.step = steps[k];
    now.position = std::move(frames.position[k]);
    now.velocity = frames.velocity.empty() ? sim::Vectors(model.bodies.size()) : std::move(frames.velocity[k]);
    if (model.domain.is_periodic()) now.image = sim::Vectors(model.bodies.size());
    simulation.resume(now);
    last = simulation.observe();
    last.time = times[k];
    if (frames.velocity.empty()) last.observables.kinetic_energy = std::numeric_limits<double>::quiet_NaN();
    writer.append(last, true);
    if (writer.commit_due()) writer.commit(last);
    if (context.stopped())
      throw Error(fmt::format("{}: stopped after {} of {} frames", file.string(), k + 1, frames.size()));
    progress.show(static_cast<double>(k + 1) / static_cast<double>(frames.size()));
  }
  writer.finish(last);
  return notes;
}

void refuse_imported(const RunRecord& record, const std::filesystem::path& file, const std::string& what) {
  if (const std::string source = provenance_of(record, imported_key); !source.empty())
    refuse(file, fmt::format("was imported from {}: another program computed it, so it cannot be {}", source, what));
}

}  // namespace orrery::pipeline
