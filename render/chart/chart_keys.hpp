// SPDX-License-Identifier: MIT
// The keys that every figure of curves has: limits of its axes, and sizes.
#pragma once

#include <span>
#include <vector>

#include "common/parameter.hpp"
#include "render/chart/chart.hpp"

namespace orrery::render {

/// `x_limits`, `y_limits`, `line_width` and `marker_size`.
std::span<const Parameter> chart_keys();

/// Gives charts one above another the limits that were asked for: all of them those of x, the uppermost those of y. Throws
/// ArgumentError for limits that an axis cannot have; an axis that is logarithmic by itself, `scale = "auto"`, becomes
/// linear for limits that want it.
void limit(std::vector<Chart>& charts, const Arguments& arguments);

}  // namespace orrery::render
