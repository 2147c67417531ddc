// SPDX-License-Identifier: MIT
#include "pipeline/scenario/key_homes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/external_field.hpp"
#include "sim/force.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_kinds = 4;  // in a message

bool has(std::span<const Parameter> parameters, std::string_view key) {
  return std::ranges::find(parameters, key, &Parameter::name) != parameters.end();
}

/// The number of kinds of a table, and the quoted names of those with the key.
struct Kinds {
  std::size_t all = 0;
  std::vector<std::string> with_key;

  void add(std::string_view name, bool has_key) {
    ++all;
    if (has_key) with_key.push_back(fmt::format("\"{}\"", name));
  }
};

template <class Plugins>
void add_plugins(Kinds& kinds, const Plugins& plugins, std::string_view key) {
  for (const auto* plugin : plugins) kinds.add(plugin->name, has(plugin->parameters, key));
}

Kinds kinds_of(std::string_view table, std::string_view key, const sim::PlugIns& plug_ins) {
  Kinds kinds;
  if (table == "initial") add_plugins(kinds, sim::initial_states(), key);
  if (table == "integrator") add_plugins(kinds, plug_ins.integrators(), key);
  if (table == "force") {
    add_plugins(kinds, plug_ins.laws(), key);
    add_plugins(kinds, plug_ins.fields(), key);
  }
  if (table == "figure" || table == "film") {
    for (const auto& kind : figure_descriptions(table)) kinds.add(kind.name, has(kind.parameters, key));
  }
  return kinds;
}

/// "[integrator]", "[force] with kind = "gravity""; "" if the table does not have the key.
std::string table_with(std::string_view table, std::string_view key) {
  const bool described = table != "figure" && table != "film";
  if (described && has(section_keys(table), key)) return fmt::format("[{}]", table);
  Kinds kinds = kinds_of(table, key, {});
  if (kinds.with_key.empty()) return "";
  std::string name = described ? fmt::format("[{}]", table) : fmt::format("[[{}]]", table);
  if (kinds.with_key.size() == kinds.all) return name;
  if (kinds.with_key.size() > max_kinds) {
    kinds.with_key.resize(max_kinds);
    kinds.with_key.emplace_back("…");
  }
  return fmt::format("{} with kind = {}", name, fmt::join(kinds.with_key, ", "));
}

template <class Plugins>
const std::span<const Parameter>* keys_in(const Plugins& plugins, std::string_view kind) {
  const auto found = std::ranges::find_if(plugins, [&](const auto* plugin) { return plugin->name == kind; });
  return found == plugins.end() ? nullptr : &(*found)->parameters;
}

/// The keys of a kind alone; null if there is none of that name.
const std::span<const Parameter>* keys_of_plugin(std::string_view table, std::string_view kind,
                                                 const sim::PlugIns& plug_ins) {
  if (table == "initial") return keys_in(sim::initial_states(), kind);
  if (table == "integrator") return keys_in(plug_ins.integrators(), kind.empty() ? "leapfrog" : kind);
  if (const auto* own = keys_in(plug_ins.laws(), kind.empty() ? "gravity" : kind)) return own;
  return keys_in(plug_ins.fields(), kind);
}

}  // namespace

std::optional<std::vector<Parameter>> keys_of_kind(std::string_view table, std::string_view kind,
                                                   const sim::PlugIns& plug_ins) {
  std::vector<Parameter> keys;
  if (table == "figure" || table == "film") {
    const auto kinds = figure_descriptions(table);
    const auto found = std::ranges::find(kinds, kind, &FigureDescription::name);
    if (found == kinds.end()) return std::nullopt;
    keys = found->parameters;
  } else {
    const auto common = section_keys(table);
    keys.assign(common.begin(), common.end());
  }
  if (table == "initial" || table == "integrator" || table == "force") {
    const auto* own = keys_of_plugin(table, kind, plug_ins);
    if (own == nullptr) return std::nullopt;
    std::erase_if(keys, [&](const Parameter& key) { return has(*own, key.name); });  // the plug-in's replaces it
    keys.insert(keys.end(), own->begin(), own->end());
  }
  return keys;
}

bool some_kind_has(std::string_view table, std::string_view key, const sim::PlugIns& plug_ins) {
  return !kinds_of(table, key, plug_ins).with_key.empty();
}

std::string where_key_belongs(std::string_view key, std::string_view within) {
  static constexpr std::string_view tables[] = {"integrator", "trajectory", "observables", "initial", "domain",
                                                "force",      "perturb",    "backend",     "figure",  "film"};
  if (std::ranges::find(tables, key) != std::end(tables)) return fmt::format("is a table of its own: write [{}]", key);
  const bool above = !within.empty() && has(section_keys(""), key);
  std::vector<std::string> homes;
  for (const std::string_view table : tables) {
    if (std::string name = table_with(table, key); !name.empty()) homes.push_back(std::move(name));
  }
  if (key == "combine") homes.emplace_back("[sweep]");
  if (homes.empty() && !above) return "";
  return fmt::format("belongs {}{}{}{}", above ? "at the top of the file, before the first table" : "",
                     above && !homes.empty() ? ", or " : "", homes.empty() ? "" : "to ", fmt::join(homes, ", "));
}

}  // namespace orrery::pipeline
