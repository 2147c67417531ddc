// SPDX-License-Identifier: MIT
// Which keys a table of a scenario can have.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// The keys of a table, "integrator" or "figure", with this kind, those that all kinds share among them; `kind` "" is the
/// default kind. nullopt if there is no such kind, or if the build draws no pictures.
std::optional<std::vector<Parameter>> keys_of_kind(std::string_view table, std::string_view kind);

/// Whether some kind of a table has a key.
bool some_kind_has(std::string_view table, std::string_view key);

/// Whether this kind of [force] is an external field, which has neither a method nor its keys.
bool is_external_field(std::string_view kind);

}  // namespace orrery::pipeline
