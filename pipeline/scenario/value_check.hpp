// SPDX-License-Identifier: MIT
// Values against their descriptions, wherever they come from.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "common/parameter.hpp"
#include "sim/units.hpp"

namespace orrery::pipeline {

/// Makes the place of a value for a message, "file:line:column".
using Where = std::function<std::string()>;

/// Whether a value is a vector in space: a place or a velocity.
bool is_vector(const Parameter& parameter);

// All that follow throw Error, Fault::request.

/// Says what type the values of a key have.
[[noreturn]] void refuse_type(Kind kind, const Parameter& parameter, const Where& at);
void check_count(std::size_t entries, const Parameter& parameter, const Where& at);

/// Returns a value as one of `kind`, that of the key or of its entries: a whole number may stand for any number, 5e6 for a whole one,
/// a text for a list of one, and a text with a unit for a number in `units` of a key with a dimension (quantity.hpp). Checks type, range,
/// choices and number of entries.
Value checked(Value value, Kind kind, const Parameter& parameter, const Where& at, const sim::Units& units);

}  // namespace orrery::pipeline
