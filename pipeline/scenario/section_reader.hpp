// SPDX-License-Identifier: MIT
// From toml++ nodes to checked values; for section.cpp alone.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// "file:line:column", or the --set that a node came from.
std::string place(const toml::source_region& source);

/// The same of a key, which has no place of its own where --set brought it in; its value has.
std::string place(const toml::key& key, const toml::node& value);

/// A value as TOML in one line.
std::string to_toml(const toml::node& node);

/// Leaves out what is retired in an archived scenario, or says it as it is said now, with a line for each; refuses it in others.
std::vector<std::string> pass_over_retired(toml::table& root, std::span<const Retired> list, bool archived);

/// Throws where a key of `table` is not among `known`: with a suggestion, or with the table that it
/// belongs to. `within` is the name of the table, "" of the top; nothing for one that is an entry of a list.
void refuse_unknown(const toml::table& table, std::span<const std::string_view> known,
                    std::optional<std::string_view> within = {});

/// Checks those keys of `table` (null: empty) that are described, and fills in the defaults. `name` is what a
/// complaint calls the table: "[integrator]".
Section read_section(const toml::table* table, const std::string& name, std::string here,
                     std::vector<Parameter> parameters);

}  // namespace orrery::pipeline
