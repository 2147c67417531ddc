// SPDX-License-Identifier: MIT
// From toml++ nodes to checked values; for section.cpp alone.
#pragma once

#include <toml++/toml.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/section.hpp"

namespace orrery::pipeline {

/// "file:line:column", or the --set that a node came from.
std::string place(const toml::source_region& source);

/// Throws where `key` is not among `known`, with a suggestion, or with a promise where it is in `not_yet`.
void refuse_unknown(const toml::key& key, std::span<const std::string_view> known, NotYet not_yet,
                    const toml::source_region& value);

/// Checks every key of `table` (null: empty) and fills in the defaults.
Section read_section(const toml::table* table, std::string here, std::vector<Parameter> parameters, NotYet not_yet);

}  // namespace orrery::pipeline
