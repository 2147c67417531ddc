// SPDX-License-Identifier: MIT
// The Pythagorean problem, whose encounters amplify every rounding: what is known of it, measured.
#pragma once

#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {

/// The light body at four times, the closest approach of all, and what is left behind when it has escaped.
Findings pythagorean_problem(const Context& context, const Method& method);

}  // namespace orrery::pipeline
