// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/chart/chart.hpp"

namespace orrery::render {

/// The keys of all figures of curves: `x_limits`, `y_limits`, `line_width` and `marker_size`.
std::span<const Parameter> chart_keys();

/// Returns the interval given by a key; nullopt if there is none. Throws ArgumentError if it is empty.
std::optional<Interval> interval_of(const Arguments& arguments, std::string_view key);

/// Applies `x_limits` to all charts of a column and `y_limits` to the uppermost. An axis that is logarithmic by `scale =
/// "auto"` becomes linear if the limits are not positive. Throws ArgumentError for limits that an axis cannot have.
void limit(std::vector<Chart>& charts, const Arguments& arguments);

}  // namespace orrery::render
