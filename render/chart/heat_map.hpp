// SPDX-License-Identifier: MIT
// A number over two others, as a field of colours with a bar.
#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.hpp"

namespace orrery::render {

/// Cells around points that lie evenly along both axes: evenly in their logarithms where an axis is logarithmic.
struct HeatMap {
  std::string title{};
  ChartAxis x{}, y{}, value{};     ///< `limits` of the axes are not looked at; those of `value` may be given
  std::vector<double> xs{}, ys{};  ///< ascending; at least two each
  std::vector<double> values{};  ///< [ys × xs]; what is no number, or not above 0 on a logarithmic scale, has no colour
  std::string colormap = "viridis";
};

void draw(Drawing& drawing, const Style& style, const HeatMap& map);

}  // namespace orrery::render
