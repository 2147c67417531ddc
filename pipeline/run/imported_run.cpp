// SPDX-License-Identifier: MIT
#include "pipeline/run/imported_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
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

/// Where each body of the first frame is among those of a scenario: by its name, by its number from 0 or 1, or in the same order.
std::vector<std::size_t> places_among(const sim::Bodies& known, const BodyFile& first, std::string& how) {
  const std::size_t n = known.size();
  std::vector<std::size_t> places;
  const auto are_all = [&] {
    std::vector<std::size_t> sorted = places;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != i) return false;
    return sorted.size() == n;
  };
  how = "names";
  if (const auto names = first.bodies->texts.find("name"); names != first.bodies->texts.end() && !known.names.empty()) {
    std::unordered_map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < n; ++i) by_name.emplace(known.names[i], i);
    for (const std::string& name : names->second) {
      const auto found = by_name.find(name);
      places.push_back(found == by_name.end() ? n : found->second);
    }
  }
  if (are_all()) return places;
  how = "numbers";
  places.clear();
  if (!first.ids.empty()) {
    const std::int64_t least = std::ranges::min(first.ids);
    for (const std::int64_t id : first.ids)
      places.push_back(least == 0 || least == 1 ? static_cast<std::size_t>(id - least) : n);
  }
  if (are_all()) return places;
  how = "order";
  places.resize(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// Puts bodies into the order of a scenario, and gives them the masses, charges, radii, names and components that they lack.
void complete(ForeignFrames& frames, bool has_masses, const sim::Model& model, const std::string& source,
              std::vector<std::string>& notes) {
  const sim::Bodies& known = model.bodies;
  Columns& bodies = *frames.first.bodies;
  if (known.size() != bodies.rows)
    throw Error(fmt::format("{}: has {} bodies, the scenario {}", source, bodies.rows, known.size()), Fault::request);
  std::string how;
  const std::vector<std::size_t> places = places_among(known, frames.first, how);
  notes.push_back(fmt::format("bodies are those of the scenario by their {}", how));
  const auto reorder = [&]<class Number>(std::vector<Number>& column) {
    const std::size_t width = column.size() / places.size();
    std::vector<Number> there(column.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(width * i), width,
                  there.begin() + static_cast<std::ptrdiff_t>(width * places[i]));
    column = std::move(there);
  };
  if (!std::ranges::is_sorted(places)) {
    for (auto& [name, column] : bodies.numbers) reorder(column);
    for (auto& [name, column] : bodies.texts) reorder(column);
    for (auto* all : {&frames.position, &frames.velocity})
      for (sim::Vectors& one : *all)
        for (auto* axis : {&one.x, &one.y, &one.z}) reorder(*axis);
  }
  auto& numbers = bodies.numbers;
  if (has_masses && numbers["mass"] != known.mass)
    notes.emplace_back("masses are those of the file; the scenario has others");
  if (!has_masses) numbers["mass"] = known.mass;
  if (!known.charge.empty()) numbers.try_emplace("charge", known.charge);
  if (!known.radius.empty()) numbers.try_emplace("radius", known.radius);
  if (!known.names.empty()) bodies.texts.try_emplace("name", known.names);
  if (!model.components.empty() && !bodies.texts.contains("component"))
    for (const std::int32_t species : known.species)
      bodies.texts["component"].push_back(model.components[static_cast<std::size_t>(species)]);
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

/// Throws for numbers that are none: arrays of a caller are not checked before.
void refuse_infinite(const ForeignFrames& frames, const std::vector<double>& times, const std::string& source) {
  const auto refuse_at = [&](std::size_t frame, const char* what) {
    throw Error(fmt::format("{}: frame {}: a {} is not a finite number", source, frame, what), Fault::request);
  };
  const auto finite = [](const sim::Vectors& all) {
    return std::ranges::all_of(all.x, [](double v) { return std::isfinite(v); }) &&
           std::ranges::all_of(all.y, [](double v) { return std::isfinite(v); }) &&
           std::ranges::all_of(all.z, [](double v) { return std::isfinite(v); });
  };
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k])) refuse_at(k, "time");
    if (!finite(frames.position[k])) refuse_at(k, "position");
    if (!frames.velocity.empty() && !finite(frames.velocity[k])) refuse_at(k, "velocity");
  }
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

/// Puts bodies into a periodic box, whether or not they had been, and returns how many periods each was beyond it.
sim::Vectors wrapped(sim::Vectors& position, const sim::Domain& domain) {
  sim::Vectors image(position.size());
  const auto periods = domain.periods();
  std::vector<double>* places[] = {&position.x, &position.y, &position.z};
  std::vector<double>* images[] = {&image.x, &image.y, &image.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; periods[axis] > 0 && i < position.size(); ++i) {
      double& x = (*places[axis])[i];
      double& count = (*images[axis])[i];
      count = std::floor((x - domain.low[axis]) / periods[axis]);
      if (count != 0) x -= count * periods[axis];
      if (x >= domain.low[axis] + periods[axis]) x = domain.low[axis], count += 1;  // rounded to the upper edge
    }
  }
  return image;
}

/// Removes a file that was not finished.
class Unfinished {
 public:
  explicit Unfinished(std::filesystem::path file) : file_(std::move(file)) {}
  ~Unfinished() {
    std::error_code none;
    if (!finished_) std::filesystem::remove(file_, none);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  void finish() { finished_ = true; }

 private:
  std::filesystem::path file_;
  bool finished_ = false;
};

}  // namespace

std::vector<std::string> write_imported_run(ImportedRun run, const std::filesystem::path& file, Context& context) {
  std::vector<std::string> notes = run.read.remarks;
  ForeignFrames& frames = run.read.frames;
  const bool has_masses =
      std::ranges::none_of(frames.first.asked, [](const AskedKey& one) { return one.key == "mass"; });
  std::optional<Setup> known;
  if (run.scenario != nullptr) {
    known = set_up_to_step(*run.scenario, context.resources);
    complete(frames, has_masses, known->model, run.source, notes);
  }
  const std::vector<double> times = times_of(run, notes);
  refuse_infinite(frames, times, run.source);
  refuse_disordered(times, run.source);
  const double span = times.back() - times.front();
  const double spacing = span == 0 ? 1 : span / static_cast<double>(times.size() - 1);
  if (known && known->model.steps == 0) known->model.dt = spacing;  // a model without an end
  const std::vector<std::int64_t> steps = steps_of(times, known ? known->model.dt : spacing);
  if (known && known->model.steps == 0) known->model.steps = std::max<std::int64_t>(steps.back(), 1);
  const Scenario scenario = scenario_of_import(run, frames.first.bodies, known ? *known : Setup{}, spacing);
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
  record.provenance["imported"] = fmt::format("{} ({})", run.source, run.read.format);
  if (std::filesystem::exists(file)) refuse(file, "already exists");
  Unfinished unfinished(file);
  TrajectoryWriter writer(file, model.bodies, record, {.velocities = !frames.velocity.empty(), .extremes = false});
  Progress progress("importing", context);
  const Context::During orderly(context, Context::Phase::orderly);
  sim::Snapshot last;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    sim::Snapshot now;
    now.step = steps[k];
    now.position = std::move(frames.position[k]);
    now.velocity = frames.velocity.empty() ? sim::Vectors(model.bodies.size()) : std::move(frames.velocity[k]);
    if (model.domain.is_periodic()) now.image = wrapped(now.position, model.domain);
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
  unfinished.finish();
  return notes;
}

void refuse_imported(const RunRecord& record, const std::filesystem::path& file, const std::string& what) {
  if (const std::string source = imported_from(record); !source.empty())
    refuse(file, fmt::format("was imported from {}: another program computed it, so it cannot be {}", source, what));
}

}  // namespace orrery::pipeline
