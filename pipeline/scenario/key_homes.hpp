// SPDX-License-Identifier: MIT
// Which keys a table of a scenario can have.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/foreign.hpp"

namespace orrery::pipeline {

/// The keys of a table, "integrator" or "figure", with this kind, those that all kinds share among them; `kind` "" is the
/// default kind. nullopt if there is no such kind, or if the build draws no pictures.
std::optional<std::vector<Parameter>> keys_of_kind(std::string_view table, std::string_view kind,
                                                   const sim::PlugIns& plug_ins);

/// Whether some kind of a table has a key.
bool some_kind_has(std::string_view table, std::string_view key, const sim::PlugIns& plug_ins);

}  // namespace orrery::pipeline
