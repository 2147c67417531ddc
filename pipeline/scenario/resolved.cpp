// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

/// Calls use(header, prefix of the keys, table) for each table, in the order of `resolved`. The pair force is the first force:
/// the order in the file changes no bit.
template <class Use>
void each_table(const Scenario& scenario, const Use& use) {
  const ScenarioTables& tables = scenario.tables;
  std::size_t initial = 0, perturbations = 0, forces = 0;
  const auto listed = [&](const std::string& name, std::size_t& count, const Section& table) {
    use(fmt::format("\n[[{}]]\n", name), fmt::format("{}[{}].", name, count++), table);
  };
  const auto single = [&](const std::string& name, const Section& table) {
    use(fmt::format("\n[{}]\n", name), name + ".", table);
  };
  use("", "", tables.top);
  for (const InitialTable& table : tables.initial) listed("initial", initial, table.section);
  for (const Section& table : tables.perturbations) listed("perturb", perturbations, table);
  if (scenario.model.domain != sim::Domain()) single("domain", tables.domain);
  listed("force", forces, tables.force);
  for (const Section& table : tables.fields) listed("force", forces, table);
  single("integrator", tables.integrator);
  single("backend", tables.backend);
  single("trajectory", tables.trajectory);
  single("observables", tables.observables);
}

/// Removes the keys that change neither a bit nor what is stored: those that say where bodies, which are there, come from,
/// among others.
Keys those_that_matter(Keys keys) {
  for (std::size_t i = 0; keys.contains(fmt::format("initial[{}].kind", i)); ++i) {
    if (!keys.contains(fmt::format("initial[{}].bodies", i))) continue;
    for (const std::string_view source : {"file", "xxh3"}) keys.erase(fmt::format("initial[{}].{}", i, source));
    for (const std::string_view source : keys_of_file) keys.erase(fmt::format("initial[{}].{}", i, source));
  }
  const auto* precision = std::get_if<std::string>(&keys["backend.precision"]);
  const bool has_root = precision != nullptr && *precision == "float32";
  std::erase_if(keys, [&](const auto& entry) {
    const std::string& key = entry.first;
    if (key.starts_with("backend.")) return key != "backend.precision" && !(has_root && key == "backend.inverse_root");
    return key == "title" || key == "trajectory.commit" || key == "trajectory.sync" || key == "trajectory.file";
  });
  return keys;
}

}  // namespace

std::string resolved(const Scenario& scenario, const Keys& adjusted) {
  std::string text;
  each_table(scenario, [&](const std::string& header, const std::string& prefix, const Section& table) {
    text += header;
    for (const auto& [key, value] : table.entries()) {
      if (std::holds_alternative<SharedColumns>(*value)) continue;
      const auto other = adjusted.find(prefix + std::string(key));
      text += fmt::format("{} = {}\n", key, to_toml(other == adjusted.end() ? *value : other->second));
    }
  });
  return text;
}

Keys recipe(const Scenario& scenario) {
  Keys keys;
  each_table(scenario, [&](const std::string& /*header*/, const std::string& prefix, const Section& table) {
    for (const auto& [key, value] : table.entries()) keys.emplace(prefix + std::string(key), *value);
  });
  keys["units"] = std::string(scenario.model.units->name);
  return those_that_matter(std::move(keys));
}

Keys recorded_recipe(const TrajectoryReader& run) {
  const ScenarioText source = scenario_text(run, run.path());
  Keys keys = Document(without_pictures(source.text), source.name, {}).values();
  for (std::size_t i = 0; keys.contains(fmt::format("initial[{}].kind", i)); ++i) {
    if (const SharedColumns bodies = run.initial(i)) keys[fmt::format("initial[{}].bodies", i)] = bodies;
  }
  keys["units"] = run.record().units;
  return those_that_matter(std::move(keys));
}

Keys physics(Keys recipe, double G, double dt, std::int64_t steps, std::int64_t frames) {
  recipe.erase("integrator.time");
  recipe["integrator.dt"] = dt;
  recipe["integrator.steps"] = steps;
  // Fields use G even if the pair force is not gravity.
  if (recipe.contains("force[1].kind") && !recipe.contains("force[0].G")) recipe["G"] = G;
  if (frames > 0 && !recipe.contains("trajectory.every") && !recipe.contains("trajectory.times"))
    recipe.emplace("trajectory.frames", frames);
  return recipe;
}

Keys physics(const Scenario& scenario, const Setup& setup) {
  Keys keys = recipe(scenario);
  for (const auto& [key, value] : setup.adjusted) keys[key] = value;
  return physics(std::move(keys), setup.model.G, setup.model.dt, setup.model.steps, setup.output.frames.size());
}

}  // namespace orrery::pipeline
