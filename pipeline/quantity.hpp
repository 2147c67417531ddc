// SPDX-License-Identifier: MIT
// Numbers with units, "1.37 Mearth" or "29.78 km/s", in the units of a scenario.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/units.hpp"

namespace orrery::pipeline {

/// Whether a key whose Parameter::unit this is may have a unit: "length", "mass·length²/time²", "degrees" and "s" may, "MB" or "" not.
bool has_dimension(std::string_view unit);

/// Whether a text is a number and something after it, as quantities are.
bool looks_like_quantity(std::string_view text);

/// The number that stands for `text` in a key with that Parameter::unit. A unit is a product of symbols or names with powers: "km/s",
/// "kpc s km-1", "Msun/pc^3", "solar masses"; each "/" is for the one factor after it. The result is rounded once, if the ratio of the units is one of
/// whole numbers. A number alone is in the unit of the key. Throws std::invalid_argument, whose text goes on after the name of the key: " = \"3 km\" is …".
double quantity_in(std::string_view text, std::string_view unit, const sim::Units& system);

/// The unit of a key in a system, "km s-1"; empty if it has none.
std::string unit_in(std::string_view unit, const sim::Units& system);

/// A quantity as an example for a key: "29.78 km/s".
std::string example_of(std::string_view unit);

}  // namespace orrery::pipeline
