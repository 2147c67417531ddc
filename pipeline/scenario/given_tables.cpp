// SPDX-License-Identifier: MIT
#include "pipeline/scenario/given_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/scenario/bodies.hpp"

namespace orrery::pipeline {
namespace {

/// The bodies of a table; null if it lists none.
SharedColumns bodies_in(const Section& table) {
  const Value* bodies = table->find("bodies");
  const auto* columns = bodies == nullptr ? nullptr : std::get_if<SharedColumns>(bodies);
  return columns == nullptr ? nullptr : *columns;
}

/// Adds a CSV file of these bodies, and returns its name.
std::string add_file(const Columns& bodies, const std::string& name, ModelText& written) {
  const std::size_t before = written.tables.size();
  std::string file = fmt::format("{}{}.csv", name, before == 0 ? "" : fmt::format("-{}", before + 1));
  written.tables.emplace(file, csv_of(bodies));
  return file;
}

/// `name`: of CSV files for many bodies; empty: their hash instead.
void add_table(const std::string& header, std::string_view kind, const Section& table, const std::string& name,
               ModelText& written) {
  std::string text;
  if (!kind.empty()) text += fmt::format("kind = {}\n", to_toml(std::string(kind)));
  Arguments keys = given_keys(table);
  if (const SharedColumns bodies = bodies_in(table)) {
    for (const char* source : {"file", "bodies"}) keys.erase(source);
    for (const std::string_view source : keys_of_file) keys.erase(source);
    if (bodies->rows <= max_bodies_in_text) {
      keys.erase("xxh3");
      keys.set("bodies", bodies);
    } else if (name.empty()) {
      keys.set("xxh3", table->text("xxh3"));
    } else {
      keys.erase("xxh3");
      keys.set("file", add_file(*bodies, name, written));
    }
  }
  for (const auto& [key, value] : keys) text += fmt::format("{} = {}\n", key, to_toml(value));
  written.toml += text.empty() || header.empty() ? text : fmt::format("\n{}\n{}", header, text);
}

}  // namespace

ScenarioTables default_tables() {
  const auto table = [](const char* name, const char* kind = "") {
    return given_table(name, kind, {}, fmt::format("[{}]", name));
  };
  return {.top = given_table("", "", {}, "the model"),
          .initial = {},
          .perturbations = {},
          .force = table("force", "gravity"),
          .fields = {},
          .integrator = table("integrator", "leapfrog"),
          .domain = table("domain"),
          .backend = table("backend", "auto"),
          .trajectory = table("trajectory"),
          .observables = table("observables")};
}

const std::string& kind_of(const Section& table) {
  return table->text("kind");
}

Arguments given_keys(const Section& table) {
  Arguments keys;
  for (const auto& [key, value] : table.entries()) {
    if (key != "kind" && table.given(key)) keys.set(key, *value);
  }
  return keys;
}

Section stepped(const Section& integrator, bool any_dt, const sim::PlugIns& plug_ins) {
  Arguments keys = given_keys(integrator);
  if (any_dt && !keys.has("dt")) keys.set("dt", 1.0);
  if (!keys.has("time") && !keys.has("steps")) keys.set("steps", std::int64_t{0});
  return given_table("integrator", kind_of(integrator), std::move(keys), integrator.where(""), plug_ins,
                     integrator.units());
}

Section other_integrator(const Section& integrator, std::string_view kind, Arguments keys, const std::string& place,
                         const sim::PlugIns& plug_ins) {
  const Arguments own = given_keys(integrator);
  const bool length = keys.has("time") || keys.has("steps");
  for (const char* key : {"dt", "time", "steps"}) {
    const Value* value = own.find(key);
    if (value != nullptr && !keys.has(key) && (key == std::string_view("dt") || !length)) keys.set(key, *value);
  }
  return given_table("integrator", kind, std::move(keys), place, plug_ins, integrator.units());
}

Section changed_integrator(const Section& integrator, Arguments keys, const std::string& place,
                           const sim::PlugIns& plug_ins) {
  Arguments all = given_keys(integrator);
  if (keys.has("time") || keys.has("steps")) all.erase("time"), all.erase("steps");
  for (const auto& [key, value] : keys) all.set(key, value);
  return given_table("integrator", kind_of(integrator), std::move(all), place, plug_ins, integrator.units());
}

bool needs_files(const ScenarioTables& tables) {
  return std::ranges::any_of(tables.initial, [](const auto& initial) {
    return initial.section.given("file") || initial.section.given("xxh3");
  });
}

ModelText to_toml(const ScenarioTables& tables, const std::string& name) {
  ModelText written;
  const auto add = [&](const char* header, std::string_view kind, const Section& table) {
    add_table(header, kind, table, name, written);
  };
  add("", "", tables.top);
  for (const auto& [plugin, table] : tables.initial) add("[[initial]]", plugin->name, table);
  for (const Section& table : tables.perturbations) add("[[perturb]]", "", table);
  add("[domain]", "", tables.domain);
  add("[[force]]", kind_of(tables.force), tables.force);
  for (const Section& table : tables.fields) add("[[force]]", kind_of(table), table);
  add("[integrator]", kind_of(tables.integrator), tables.integrator);
  const std::string& backend = kind_of(tables.backend);
  add("[backend]", backend == "auto" ? "" : backend, tables.backend);
  add("[trajectory]", "", tables.trajectory);
  add("[observables]", "", tables.observables);
  return written;
}

std::string to_toml(const ScenarioTables& tables) {
  return to_toml(tables, "").toml;
}

}  // namespace orrery::pipeline
