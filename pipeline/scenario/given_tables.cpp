// SPDX-License-Identifier: MIT
#include "pipeline/scenario/given_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/scenario/model_toml.hpp"

namespace orrery::pipeline {
namespace {

/// The bodies of a table; null if it lists none.
SharedColumns bodies_in(const Section& table) {
  const Value* bodies = table->find("bodies");
  const auto* columns = bodies == nullptr ? nullptr : std::get_if<SharedColumns>(bodies);
  return columns == nullptr ? nullptr : *columns;
}

std::string text_of_table(const std::string& header, std::string_view kind, const Section& table) {
  std::string text;
  if (!kind.empty()) text += fmt::format("kind = {}\n", to_toml(std::string(kind)));
  Arguments keys = given_keys(table);
  if (const SharedColumns bodies = bodies_in(table)) {
    for (const char* source : {"file", "frame", "bodies"}) keys.erase(source);
    const bool few = bodies->rows <= max_bodies_in_text;
    keys.set(few ? "bodies" : "xxh3", few ? Value(bodies) : Value(table->text("xxh3")));
    if (few) keys.erase("xxh3");
  }
  for (const auto& [key, value] : keys) text += fmt::format("{} = {}\n", key, to_toml(value));
  return text.empty() || header.empty() ? text : fmt::format("\n{}\n{}", header, text);
}

}  // namespace

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
  return given_table("integrator", kind_of(integrator), std::move(keys), integrator.where(""), plug_ins);
}

Section other_integrator(const Section& integrator, std::string_view kind, Arguments keys, const std::string& place,
                         const sim::PlugIns& plug_ins) {
  const Arguments own = given_keys(integrator);
  const bool length = keys.has("time") || keys.has("steps");
  for (const char* key : {"dt", "time", "steps"}) {
    const Value* value = own.find(key);
    if (value != nullptr && !keys.has(key) && (key == std::string_view("dt") || !length)) keys.set(key, *value);
  }
  return given_table("integrator", kind, std::move(keys), place, plug_ins);
}

std::string to_toml(const ScenarioTables& tables) {
  std::string text = text_of_table("", "", tables.top);
  for (const auto& [plugin, table] : tables.initial) text += text_of_table("[[initial]]", plugin->name, table);
  for (const Section& table : tables.perturbations) text += text_of_table("[[perturb]]", "", table);
  text += text_of_table("[domain]", "", tables.domain);
  text += text_of_table("[[force]]", kind_of(tables.force), tables.force);
  for (const Section& table : tables.fields) text += text_of_table("[[force]]", kind_of(table), table);
  text += text_of_table("[integrator]", kind_of(tables.integrator), tables.integrator);
  const std::string& backend = kind_of(tables.backend);
  text += text_of_table("[backend]", backend == "auto" ? "" : backend, tables.backend);
  text += text_of_table("[trajectory]", "", tables.trajectory);
  return text + text_of_table("[observables]", "", tables.observables);
}

}  // namespace orrery::pipeline
