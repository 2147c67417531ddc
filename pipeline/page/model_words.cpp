// SPDX-License-Identifier: MIT
#include "pipeline/page/model_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/printable.hpp"

namespace orrery::pipeline {
namespace {

constexpr Parameter shared_keys[] = {{.name = "scale", .meaning = ""},
                                     {.name = "rotate", .meaning = "", .unit = "degrees"},
                                     {.name = "offset", .meaning = "", .unit = "length"},
                                     {.name = "velocity", .meaning = "", .unit = "length/time"}};

/// The keys that all initial states have, where they are not 0 and no key of its own.
std::vector<std::string> placing(const InitialTable& table, const RunUnits& units) {
  std::vector<std::string> words;
  for (const Parameter& key : shared_keys) {
    const Value* value = table.section->find(key.name);
    const auto* vector = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
    const std::span<const Parameter> own = table.plugin->parameters;
    if (vector == nullptr || std::ranges::find(own, key.name, &Parameter::name) != own.end()) continue;
    if (std::ranges::any_of(*vector, [](double x) { return x != 0; }))
      words.push_back(key_in_words(key, *value, units));
  }
  return words;
}

/// The keys of an array of parameters that have values.
std::vector<std::string> keys_of(std::span<const Parameter> parameters, const Arguments& values,
                                 const RunUnits& units) {
  std::vector<std::string> words;
  for (const Parameter& key : parameters) {
    const Value* value = values.find(key.name);
    if (value == nullptr || key.name == "xxh3") continue;  // the hash of a list
    if (std::string one = key_in_words(key, *value, units); !one.empty()) words.push_back(std::move(one));
  }
  return words;
}

/// The step as the scenario writes it, " (1/500 period)", if that is not its number.
std::string step_as_written(const KnownRun& run) {
  const Value* dt = run.scenario->tables.integrator->find("dt");
  const auto* text = dt == nullptr ? nullptr : std::get_if<std::string>(dt);
  return text == nullptr ? "" : fmt::format(" ({})", printable(*text));
}

}  // namespace

std::string brief_meaning(std::string_view meaning, bool foreign) {
  const std::size_t end = std::min(meaning.find(": "), meaning.find("; "));
  return printable(foreign ? meaning : meaning.substr(0, end));
}

std::string keys_in_words(std::span<const Parameter> parameters, const Arguments& values, const RunUnits& units) {
  return listed(keys_of(parameters, values, units));
}

std::string with_keys(const std::string& keys) {
  return keys.empty() ? "" : ", with " + keys;
}

bool pairs_act(const KnownRun& run) {
  const sim::Model& model = run.scenario->model;
  if (run.alone() || model.coupling() == 0) return false;
  if (!run.keeps_all()) return true;
  const std::vector<double> weights = model.force.plugin->source(run.file.bodies());
  return std::ranges::any_of(weights, [](double w) { return w != 0; });
}

std::string pair_force_in_words(const KnownRun& run) {
  const auto& [law, values] = run.scenario->model.force;
  return fmt::format("{}{}{}", in_quotes(law->name), after_comma(law->meaning),
                     with_keys(keys_in_words(law->parameters, values, run.units)));
}

std::string field_in_words(const KnownRun& run, std::size_t k) {
  const auto& [law, values] = run.scenario->model.fields[k];
  std::string_view meaning = law->meaning;
  constexpr std::string_view kind = "external field: ";
  if (meaning.starts_with(kind)) meaning.remove_prefix(kind.size());
  return fmt::format("{}{}{}", in_quotes(law->name), after_comma(meaning),
                     with_keys(keys_in_words(law->parameters, values, run.units)));
}

std::string initial_state_in_words(const KnownRun& run, std::size_t k, bool introduced) {
  const InitialTable& table = run.scenario->tables.initial[k];
  const sim::InitialState& state = *table.plugin;
  Arguments values = table.section.values();
  // How many bodies there are is said before.
  const Value* n = values.find("n");
  if (n != nullptr && number_in(*n) == static_cast<double>(run.file.whole())) values.erase("n");
  std::vector<std::string> keys = keys_of(state.parameters, values, run.units);
  for (std::string& more : placing(table, run.units)) keys.push_back(std::move(more));
  return fmt::format("{}{}{}", in_quotes(state.name),
                     introduced ? "" : fmt::format(" ({})", brief_meaning(state.meaning)),
                     keys.empty() ? "" : " with " + listed(keys));
}

const sim::ForceSolver& solver_of(const KnownRun& run) {
  const sim::Model& model = run.scenario->model;
  return model.solver != nullptr ? *model.solver : sim::default_solver(*model.force.plugin);
}

std::string solver_in_words(const KnownRun& run) {
  const sim::ForceSolver& solver = solver_of(run);
  const sim::SolverValues& values = run.scenario->model.solver_values;
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < std::min(solver.parameters.size(), values.size()); ++k) {
    if (values[k]) keys.push_back(fmt::format("{} = {}", solver.parameters[k].name, number(*values[k])));
  }
  return fmt::format("{}{}{}", in_quotes(solver.name), after_comma(solver.meaning), with_keys(listed(keys)));
}

std::string precision_in_words(const KnownRun& run) {
  const sim::Precision precision = run.scenario->model.precision;
  if (precision == sim::Precision::float64) return "in float64";
  return fmt::format("in {}, while positions and velocities are float64", sim::name_of(precision));
}

std::string integrator_in_words(const KnownRun& run) {
  const sim::Integrator& method = *run.scenario->model.integrator;
  std::vector<std::string> properties;
  if (method.symplectic) properties.emplace_back("symplectic");
  if (method.symmetric) properties.emplace_back("symmetric in time");
  Arguments values;
  for (std::size_t k = 0; k < method.parameters.size(); ++k)
    values.set(method.parameters[k].name, run.scenario->model.keys.at.at(k));
  return fmt::format("{}{}, of {} order{}{}{}{}", in_quotes(method.name),
                     after_comma(brief_meaning(method.meaning, method.foreign != nullptr)), ordinal(method.order),
                     method.bath ? " without friction" : "", properties.empty() ? "" : ", ", listed(properties),
                     with_keys(keys_in_words(method.parameters, values, run.units)));
}

std::string steps_in_words(const KnownRun& run) {
  if (run.own_steps()) {
    const sim::Clock& clock = run.state->clock;
    return fmt::format("which chooses its steps, of which {} {} taken and {} refused", with_commas(clock.steps),
                       clock.steps == 1 ? "was" : "were", with_commas(clock.refused));
  }
  return fmt::format("in {} of dt = {}{}", counted(run.record.steps, "step"), quantity(run.record.dt, run.units.time),
                     step_as_written(run));
}

std::string end_in_words(const KnownRun& run) {
  const std::string scales = in_timescales(run.end(), run.record.initial_facts);
  return fmt::format("{}{}", time_in_words(run.end(), run.record), scales.empty() ? "" : ", " + scales);
}

}  // namespace orrery::pipeline
