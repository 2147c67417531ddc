// SPDX-License-Identifier: MIT
// Scenarios whose tables are given as values rather than read from a text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/scenario/model_toml.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/foreign.hpp"

namespace orrery::pipeline {

// All throw Error, Fault::request.

/// Table [table] with these keys, and the defaults of the others, checked as in a document; `kind`, the name of its plug-in, must be one that
/// there is, or "" in a table without plug-ins. `place` is where messages say that the keys stand. Numbers with units become those of `units`.
Section given_table(std::string_view table, std::string_view kind, Arguments values, const std::string& place,
                    const sim::PlugIns& plug_ins = {}, const sim::Units& units = sim::all_units().front());

/// The tables of a model without bodies, whose keys all have their defaults.
ScenarioTables default_tables();

/// The name of the plug-in of a table that has one.
const std::string& kind_of(const Section& table);
/// The system of units of a scenario with these keys at its top.
const sim::Units& units_in(const Section& top);
/// The keys that a table was given, without defaults and without `kind`.
Arguments given_keys(const Section& table);

/// The model of these tables, as read_forces() makes it of a document.
Forces forces_of(const Section& top, Section pair, std::vector<Section> fields,
                 std::shared_ptr<const sim::PlugIns> plug_ins);

/// [integrator] of a model that is stepped without an end: of 0 steps, unless it has a length. `any_dt`: only its bodies matter, so that
/// it has a dt of 1, if it has none.
Section stepped(const Section& integrator, bool any_dt, const sim::PlugIns& plug_ins);
/// [integrator] with another plug-in and its keys; dt and the length of the run stay, unless these keys have others.
Section other_integrator(const Section& integrator, std::string_view kind, Arguments keys, const std::string& place,
                         const sim::PlugIns& plug_ins);

/// [integrator] with further keys, or others instead of its own: `time` and `steps` replace each other.
Section changed_integrator(const Section& integrator, Arguments keys, const std::string& place,
                           const sim::PlugIns& plug_ins);

/// Whether bodies of the scenario are not in its text.
bool needs_files(const ScenarioTables& tables);

/// The scenario of tables that are checked one by one: checks them together. Initial states that list bodies have them. `document` has
/// the pictures, `text` is what files record.
Scenario scenario_of(ScenarioTables tables, Document document, std::string text,
                     std::vector<std::string> overrides = {});
/// The same with the model that forces_of() made. `partial`: see ScenarioText.
Scenario scenario_of(ScenarioTables tables, sim::Model forces, Document document, std::string text,
                     std::vector<std::string> overrides, bool partial = false);

/// Tables as TOML, with the keys that they were given. Read back, they are the same scenario; bodies from arrays beyond max_bodies_in_text are
/// replaced by their hash.
std::string to_toml(const ScenarioTables& tables);
/// The same, but those bodies are in CSV files, called after `name`.
ModelText to_toml(const ScenarioTables& tables, const std::string& name);

}  // namespace orrery::pipeline
