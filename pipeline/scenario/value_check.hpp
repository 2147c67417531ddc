// SPDX-License-Identifier: MIT
// Values against their descriptions, wherever they come from.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// Makes the place of a value for a message, "file:line:column".
using Where = std::function<std::string()>;

/// Whether a value is a vector in space: a place or a velocity.
bool is_vector(const Parameter& parameter);

// All that follow throw Error, exit code 2.

/// Checks a number against the range of its key.
void check(double value, const Parameter& parameter, const Where& at);
/// Checks a text against the choices of its key.
void check(const std::string& value, const Parameter& parameter, const Where& at);
void check_count(std::size_t entries, const Parameter& parameter, const Where& at);

/// Returns a value of no document as it would be read from one: a whole number may stand for any number, a text for a list of one.
Value checked(Value value, const Parameter& parameter, const std::string& place);

}  // namespace orrery::pipeline
