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

/// Sets the limits of an axis to those of a key that is given, in its unit. An axis that is logarithmic by `scale = "auto"`
/// becomes linear if they are not positive. Throws ArgumentError for limits that it cannot have.
void set_limits(ChartAxis& axis, std::string_view key, const Arguments& arguments);

/// Applies `x_limits` to all charts of a column and `y_limits` to the uppermost, likewise.
void limit(std::vector<Chart>& charts, const Arguments& arguments);

}  // namespace orrery::render
