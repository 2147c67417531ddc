// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <xxhash.h>

#include <map>
#include <span>
#include <string>

#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/domain.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t longest = 200;  // characters

/// A value as TOML, or its hash if that is long. Bodies are written if they are few.
std::string brief(const Value& value) {
  const auto* bodies = std::get_if<SharedColumns>(&value);
  constexpr std::size_t few = 4;
  const std::string text = bodies != nullptr && (*bodies)->rows > few ? "" : to_toml(value);
  if (!text.empty() && text.size() <= longest) return text;
  if (bodies != nullptr) return fmt::format("({} bodies, XXH3 {})", (*bodies)->rows, hash_text(**bodies));
  return fmt::format("({} characters, XXH3 {:016x})", text.size(), XXH3_64bits(text.data(), text.size()));
}

/// The keys of a list of bodies that `resolved` leaves out, and those that say where the bodies are.
constexpr std::string_view list_itself[] = {"bodies"}, places_of_bodies[] = {"file", "frame", "xxh3"};

std::string text_of(const Scenario& scenario, const Section& trajectory, const Section& observables) {
  const ScenarioTables& tables = scenario.tables;
  std::string text;
  const auto add = [&](std::string_view header, const Section& section,
                       std::span<const std::string_view> without = {}) {
    if (!header.empty()) text += fmt::format("\n{}\n", header);
    for (const std::string& line : section.lines(without)) text += line + "\n";
  };
  add("", tables.top);
  for (const auto& choice : tables.initial) {
    if (lists_bodies(*choice.plugin)) {
      add("[[initial]]", choice.section, list_itself);
    } else {
      add("[[initial]]", choice.section);
    }
  }
  for (const Section& table : tables.perturbations) add("[[perturb]]", table);
  if (scenario.document.count("domain") > 0) add("[domain]", tables.domain);  // absent in earlier versions
  add("[[force]]", tables.force.section);
  for (const auto& choice : tables.fields) add("[[force]]", choice.section);
  add("[integrator]", tables.integrator.section);
  add("[backend]", tables.backend);
  add("[trajectory]", trajectory);
  add("[observables]", observables);
  return text;
}

Section adjusted(Section section, const Adjusted& by) {
  for (const auto& [key, value] : by.keys) section.set(key, value);
  return section;
}

/// Adds the entries of a table.
void add(Keys& keys, const std::string& table, const Section& section, std::span<const std::string_view> without = {}) {
  for (const auto& [key, value] : section.entries(without)) keys[table + std::string(key)] = brief(*value);
}

/// The keys of everything but the steps, G and the number of frames.
Keys keys_of(const Scenario& scenario) {
  const ScenarioTables& tables = scenario.tables;
  Keys keys;
  keys["seed"] = to_toml(static_cast<std::int64_t>(scenario.seed));
  keys["units"] = to_toml(std::string(scenario.model.units->name));
  for (std::size_t i = 0; i < tables.initial.size(); ++i) {
    const auto& choice = tables.initial[i];
    const std::string prefix = fmt::format("initial[{}].", i);
    if (lists_bodies(*choice.plugin)) {
      add(keys, prefix, choice.section, places_of_bodies);
    } else {
      add(keys, prefix, choice.section);
    }
  }
  for (std::size_t i = 0; i < tables.perturbations.size(); ++i)
    add(keys, fmt::format("perturb[{}].", i), tables.perturbations[i]);
  if (scenario.model.domain != sim::Domain()) add(keys, "domain.", tables.domain);
  // The pair force comes first: the order in the file changes no bit.
  add(keys, "force[0].", tables.force.section);
  for (std::size_t i = 0; i < tables.fields.size(); ++i)
    add(keys, fmt::format("force[{}].", i + 1), tables.fields[i].section);
  keys["integrator.kind"] = to_toml(std::string(scenario.model.integrator->name));
  const auto precision = scenario.model.precision;
  keys["backend.precision"] = to_toml(std::string(sim::name_of(precision)));
  if (sim::name_of(precision) == "float32")
    keys["backend.inverse_root"] = to_toml(*tables.backend->find("inverse_root"));
  constexpr std::string_view free[] = {"commit", "sync", "file"};
  add(keys, "trajectory.", tables.trajectory, free);
  add(keys, "observables.", tables.observables);
  return keys;
}

}  // namespace

std::string resolved(const Scenario& scenario) {
  return text_of(scenario, scenario.tables.trajectory, scenario.tables.observables);
}

std::string resolved(const Scenario& scenario, const Setup& setup) {
  return text_of(scenario, adjusted(scenario.tables.trajectory, setup.adjusted_frames),
                 adjusted(scenario.tables.observables, setup.adjusted_rows));
}

Keys physics(const Scenario& scenario, const Setup& setup) {
  Keys keys = physics(scenario, setup.model, setup.output.frames.size());
  for (const auto& [key, value] : setup.adjusted_frames.keys) keys["trajectory." + key] = brief(value);
  for (const auto& [key, value] : setup.adjusted_rows.keys) keys["observables." + key] = brief(value);
  return keys;
}

Keys physics(const Scenario& scenario, const sim::Model& model, std::optional<std::int64_t> frames) {
  Keys keys = keys_of(scenario);
  // Fields use G even if the pair force is not gravity.
  if (!model.fields.empty() && model.force.plugin->coupling != sim::Coupling::gravitational)
    keys["G"] = to_toml(model.G);
  // Resolved numbers, however the scenario gives them.
  keys["integrator.dt"] = to_toml(model.dt);
  keys["integrator.steps"] = to_toml(model.steps);
  for (const Parameter& own : model.integrator->parameters)
    keys[fmt::format("integrator.{}", own.name)] = to_toml(*scenario.tables.integrator.section->find(own.name));
  const Section& trajectory = scenario.tables.trajectory;
  if (frames && !trajectory.given("every") && !trajectory.given("times")) keys["trajectory.frames"] = to_toml(*frames);
  return keys;
}

std::optional<std::int64_t> given_frames(const Scenario& scenario) {
  const Section& trajectory = scenario.tables.trajectory;
  return trajectory.given("frames") ? std::optional(trajectory->integer("frames")) : std::nullopt;
}

Keys physics_as_written(const Scenario& scenario) {
  Keys keys = keys_of(scenario);
  add(keys, "integrator.", scenario.tables.integrator.section);
  return keys;
}

}  // namespace orrery::pipeline
