// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.hpp"

namespace orrery::render {

/// A field of colours over two axes. Points are evenly spaced along both, in logarithms if an axis is logarithmic.
struct HeatMap {
  std::string title{};
  ChartAxis x{}, y{}, value{};     ///< `limits` of `x` and `y` are ignored; those of `value` are optional
  std::vector<double> xs{}, ys{};  ///< ascending; at least two each
  std::vector<double> values{};    ///< [ys × xs]; NaN, or ≤ 0 on a logarithmic scale: no colour
  std::string colormap = "viridis";
};

void draw(Drawing& drawing, const Style& style, const HeatMap& map);

}  // namespace orrery::render
