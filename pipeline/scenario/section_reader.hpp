// SPDX-License-Identifier: MIT
// From toml++ nodes to checked values. Only for the files that may include toml++.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// "file:line:column", or "--set …" for a node from an override.
std::string place(const toml::source_region& source);

/// The same for a key. A key from --set has no location: that of its value is returned.
std::string place(const toml::key& key, const toml::node& value);

/// A value as TOML in one line.
std::string to_toml(const toml::node& node);

/// A value without a description: of lists, those of numbers become one of all their numbers, others texts; of a table or a date,
/// which no key has, a list of nothing.
Value value_of(const toml::node& node);

/// Applies overrides (see overrides.hpp) and returns a line for each key of the file that fell away with another one. Throws
/// Error, Fault::request.
std::vector<std::string> apply_overrides(toml::table& root, std::span<const std::string> overrides,
                                         const sim::PlugIns& plug_ins);

/// A key that its table cannot have.
struct UnknownKey {
  toml::source_position at;
  std::string place, key;
  std::string message;  ///< a suggestion, or the table that it belongs to
};

/// Adds the keys of `table` that are not in `known` to `found`. `within` is the name of the table, "" for the top, nullopt for an
/// entry of a list.
void find_unknown(const toml::table& table, std::span<const std::string_view> known,
                  std::optional<std::string_view> within, std::vector<UnknownKey>& found);

/// The same for the names of `keys`, and for the entries of lists of tables among them.
void find_unknown(const toml::table& table, std::span<const Parameter> keys, std::optional<std::string_view> within,
                  std::vector<UnknownKey>& found);

/// Throws one Error that names these keys in the order of the file, Fault::request, if there are any.
void refuse(std::vector<UnknownKey> keys);

/// What the values of a document mean, besides their descriptions.
struct ValueMeaning {
  int dimensions = 3;
  const sim::Units* units = sim::all_units().data();
};

/// Checks the keys of `table` (null: empty) that `parameters` describe, and adds defaults. `name` is that of the table in error
/// messages, "[integrator]"; `here` its location. Keys that it does not have may be `given`, with values that the checks of a document
/// hold for. If the run has two `dimensions`, places and velocities may have two components;
/// the third is 0. Numbers with units are converted to those of the document.
Section read_section(const toml::table* table, const std::string& name, std::string here,
                     std::vector<Parameter> parameters, const ValueMeaning& meaning = {}, const GivenKeys& given = {});

}  // namespace orrery::pipeline
