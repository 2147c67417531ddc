// SPDX-License-Identifier: MIT
#include "pipeline/scenario/model_toml.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

/// A number as the kind of its parameter.
Value as_kind(double number, Kind kind) {
  if (kind == Kind::integer) return static_cast<std::int64_t>(number);
  if (kind == Kind::boolean) return number != 0;
  return number;
}

template <class Plugin>
std::string force_of(const sim::Chosen<Plugin>& force) {
  std::string text = "\n[[force]]\n" + toml_line("kind", std::string(force.plugin->name));
  for (const auto& [key, value] : force.values) text += toml_line(key, value);
  return text;
}

std::string domain_of(const sim::Domain& domain) {
  std::vector<std::string> boundaries;
  std::vector<double> edges, low;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(domain.dimensions); ++axis) {
    boundaries.emplace_back(domain.boundary[axis]->name);
    edges.push_back(domain.edges[axis]);
    low.push_back(domain.low[axis]);
  }
  return "\n[domain]\n" + toml_line("dimensions", static_cast<std::int64_t>(domain.dimensions)) +
         toml_line("boundary", boundaries) + toml_line("edges", edges) + toml_line("low", low);
}

/// Where the bodies are divided into tables: a table numbers its components after those of the tables before it, so
/// that two tables may have components of one name.
std::vector<std::size_t> ends_of_tables(const std::vector<std::int32_t>& species) {
  std::vector<std::int32_t> least(species);  // from there on
  for (std::size_t i = species.size(); i-- > 1;) least[i - 1] = std::min(least[i - 1], least[i]);
  std::vector<std::size_t> ends;
  std::int32_t greatest = -1;
  for (std::size_t i = 0; i < species.size(); ++i) {
    if (i > 0 && greatest < least[i]) ends.push_back(i);
    greatest = std::max(greatest, species[i]);
  }
  ends.push_back(species.size());
  return ends;
}

/// The bodies from `begin` to `end`.
SharedColumns columns_of(const sim::Model& model, std::size_t begin, std::size_t end) {
  const sim::Bodies& bodies = model.bodies;
  auto table = std::make_shared<Columns>();
  table->rows = end - begin;
  const auto cut = [&](const auto& all) {
    return std::vector(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  table->numbers = {{"mass", cut(bodies.mass)},
                    {"position", rows_of(bodies.position, begin, end)},
                    {"velocity", rows_of(bodies.velocity, begin, end)}};
  if (!bodies.charge.empty()) table->numbers.emplace("charge", cut(bodies.charge));
  if (!bodies.radius.empty()) table->numbers.emplace("radius", cut(bodies.radius));
  if (!bodies.names.empty()) table->texts.emplace("name", cut(bodies.names));
  std::vector<std::string> components;
  for (const std::int32_t species : cut(bodies.species))
    components.push_back(model.components.at(static_cast<std::size_t>(species)));
  table->texts.emplace("component", std::move(components));
  return table;
}

std::string integrator_of(const sim::Model& model) {
  std::string text = "\n[integrator]\n" + toml_line("kind", std::string(model.integrator->name)) +
                     toml_line("dt", model.dt) + toml_line("steps", model.steps);
  const auto parameters = model.integrator->parameters;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    text += toml_line(parameters[k].name, as_kind(model.keys.at.at(k), parameters[k].kind));
  return text;
}

}  // namespace

std::string csv_of(const Columns& table) {
  std::string text;
  // Vectors by their components, other columns by their names; numbers that are missing are empty.
  std::vector<std::pair<std::string_view, const std::vector<double>*>> columns;
  for (const char* name : {"mass", "position", "velocity"})
    if (const auto found = table.numbers.find(name); found != table.numbers.end())
      columns.emplace_back(name, &found->second);
  for (const auto& [name, values] : table.numbers)
    if (name != "mass" && name != "position" && name != "velocity") columns.emplace_back(name, &values);
  for (const auto& [name, values] : columns) {
    if (!text.empty()) text += ",";
    text += name == "position" ? "x,y,z" : name == "velocity" ? "vx,vy,vz" : name;
  }
  for (const auto& [key, texts] : table.texts) text += "," + key;
  for (std::size_t i = 0; i < table.rows; ++i) {
    text += "\n";
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<double>& values = *columns[c].second;
      const std::size_t count = values.size() / table.rows;
      for (std::size_t k = 0; k < count; ++k) {
        if (c + k > 0) text += ",";
        if (const double x = values[count * i + k]; !std::isnan(x)) fmt::format_to(std::back_inserter(text), "{}", x);
      }
    }
    for (const auto& [key, texts] : table.texts) text += "," + csv_field(texts[i]);
  }
  return text + "\n";
}

ModelText to_toml(const sim::Model& model, const std::string& name) {
  const bool gravity = model.force.plugin->coupling == sim::Coupling::gravitational;
  if (const double G = gravity ? model.coupling() : model.units->G; G != model.G) {
    throw Error(fmt::format("G = {} beside {} and units = \"{}\" cannot be written: a scenario has G = {} there",
                            model.G, model.force.plugin->name, model.units->name, G),
                Fault::request);
  }
  const bool named = model.units != sim::all_units().data();
  const auto& law = *model.force.plugin;
  if (const auto decided = model.units->coupling(law.coupling); named && decided && *decided != model.coupling()) {
    throw Error(fmt::format("{0} = {1} of {2} in units = \"{3}\" cannot be written: they set {0} = {4}",
                            law.coupling_key, model.coupling(), law.name, model.units->name, *decided),
                Fault::request);
  }
  ModelText written;
  std::string& text = written.toml;
  if (named) text += toml_line("units", std::string(model.units->name));
  text += domain_of(model.domain);
  std::size_t begin = 0, k = 0;
  for (const std::size_t end : ends_of_tables(model.bodies.species)) {
    const SharedColumns table = columns_of(model, begin, end);
    // To add −0 changes no bit; to add 0 would make −0 of 0.
    const std::vector<double> nothing(3, -0.0);
    text += "\n[[initial]]\nkind = \"table\"\n" + toml_line("offset", nothing) + toml_line("velocity", nothing) +
            toml_line("recentre", false);
    if (model.bodies.size() <= max_bodies_in_text) {
      text += toml_line("bodies", table);
    } else {
      const std::string file = fmt::format("{}{}.csv", name, ++k > 1 ? fmt::format("-{}", k) : "");
      text += toml_line("file", file);
      written.tables.emplace(file, csv_of(*table));
    }
    begin = end;
  }
  text += force_of(model.force) + toml_line("method", std::string(model.solver->name));
  for (std::size_t i = 0; i < model.solver_values.size(); ++i) {
    const Parameter& key = model.solver->parameters[i];
    if (model.solver_values[i]) text += toml_line(key.name, as_kind(*model.solver_values[i], key.kind));
  }
  for (const auto& field : model.fields) text += force_of(field);
  text += integrator_of(model);
  text +=
      "\n[backend]\n" + toml_line("precision", std::string(sim::name_of(model.precision))) +
      toml_line("inverse_root", std::string(model.precision == sim::Precision::float32_exact_root ? "sqrt" : "rsqrt"));
  return written;
}

std::uint64_t hash_of(const sim::Model& model) {
  auto [text, tables] = to_toml(model);
  for (const auto& [name, table] : tables) text += table;
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace orrery::pipeline
