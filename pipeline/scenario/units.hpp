// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "sim/initial_state.hpp"
#include "sim/units.hpp"

namespace orrery::pipeline {

using sim::all_units;
using sim::Units;

/// A system of units in SI; nullopt if it is dimensionless.
std::optional<sim::SystemOfUnits> in_si(const Units& units);

}  // namespace orrery::pipeline
