// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/chart/chart.hpp"

namespace orrery::render {

/// The keys of all figures of curves: `labels`, `data`, `columns`, `x_limits`, `y_limits`, `line_width` and `marker_size`.
std::span<const Parameter> chart_keys();

/// Returns the interval given by a key; nullopt if there is none. Throws ArgumentError if it is empty.
std::optional<Interval> interval_of(const Arguments& arguments, std::string_view key);

/// Sets the limits of an axis to those of a key that is given, in its unit. An axis that is logarithmic by `scale = "auto"`
/// becomes linear if they are not positive. Throws ArgumentError for limits that it cannot have.
void set_limits(ChartAxis& axis, std::string_view key, const Arguments& arguments);

/// Applies `x_limits` to all charts of a column and `y_limits` to the uppermost, likewise, at each moment.
void limit(std::vector<Chart>& charts, const Arguments& arguments);

/// The key `bands`, with what it means for a figure.
constexpr Parameter bands_key(std::string_view meaning) {
  return {.name = "bands", .kind = Kind::boolean, .fallback = "true", .meaning = meaning};
}

/// Replaces the names in the legend of charts by those of `labels`, if given, and appends their remarks. Throws
/// ArgumentError if the number of labels is not that of the curves.
void label(std::vector<Chart>& charts, const Arguments& arguments);

}  // namespace orrery::render
