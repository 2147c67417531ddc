// SPDX-License-Identifier: MIT
#include <cmath>

#include "render/chart/chart_curves.hpp"
#include "render/style/annotations.hpp"
#include "render/style/color_bar.hpp"
#include "render/style/colormap.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {
namespace {

double place(const ChartAxis& axis, double value) {
  return axis.logarithmic ? std::log10(value) : value;
}

/// Returns the axis with half a cell beyond the first and the last point.
Axis axis_around(const ChartAxis& axis, const std::vector<double>& points) {
  const double first = place(axis, points.front()), last = place(axis, points.back());
  const double half = (last - first) / static_cast<double>(points.size() - 1) / 2;
  return axis_of(axis, {first - half, last + half});
}

/// Returns the axis of the colour bar. `values` are those of the cells, on that axis.
Axis scale_of(const ChartAxis& value, const std::vector<double>& values) {
  ValueRange range;
  for (const double at : values) range.add(at);
  return axis_of(value, range.low < range.high ? Interval{range.low, range.high} : Interval{0, 1});
}

}  // namespace

void draw(Drawing& drawing, const Style& style, const HeatMap& map) {
  std::vector<double> values;
  for (const double value : map.values) {
    const double at = place(map.value, value);
    values.push_back(std::isfinite(at) ? at : std::nan(""));
  }
  const ColorBar bar(style, scale_of(map.value, values), colormap_colors("viridis"));
  const float gap = style.tick_text, beside = bar.width(static_cast<float>(drawing.size.height)) + gap;
  const Axis across = axis_around(map.x, map.xs), up = axis_around(map.y, map.ys);
  const Heading heading(style, drawing.size, map.title);
  Margins around = first_margins(style);
  for (int pass = 0; pass < 3; ++pass) {
    const Box box = room_for_panels(style, drawing.size, around, beside, heading.height());
    const Panel panel(style, box, across, up);
    around = panel.margins();
    if (pass < 2) continue;
    panel.open(drawing);
    drawing.add(bar.cells(box, map.xs.size(), values));
    panel.close(drawing);
    bar.draw(drawing, {box.right + around.right + gap, box.top}, box.height());
    heading.draw(drawing, box);
  }
}

}  // namespace orrery::render
