// SPDX-License-Identifier: MIT
// Cells as areas, an axis below and on the left, the bar on the right.
#include "render/chart/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/style/annotations.hpp"
#include "render/style/color_bar.hpp"
#include "render/style/colormap.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {
namespace {

double place(const ChartAxis& axis, double value) {
  return axis.logarithmic ? std::log10(value) : value;
}

/// Half of a cell beyond the first and the last point.
Axis axis_around(const ChartAxis& axis, const std::vector<double>& points) {
  const double first = place(axis, points.front()), last = place(axis, points.back());
  const double half = (last - first) / static_cast<double>(points.size() - 1) / 2;
  Axis drawn;
  drawn.limits = {first - half, last + half};
  drawn.name = axis.name;
  drawn.unit = axis.unit;
  drawn.logarithmic = axis.logarithmic;
  return drawn;
}

Axis scale_of(const HeatMap& map) {
  Axis scale;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : map.values) {
    const double at = place(map.value, value);
    if (!std::isfinite(at)) continue;
    low = std::min(low, at);
    high = std::max(high, at);
  }
  if (map.value.limits) low = place(map.value, map.value.limits->low), high = place(map.value, map.value.limits->high);
  scale.limits = low < high ? Interval{low, high} : Interval{0, 1};
  scale.name = map.value.name;
  scale.unit = map.value.unit;
  scale.logarithmic = map.value.logarithmic;
  return scale;
}

Picture cells_of(const HeatMap& map, const Axis& scale, const std::vector<Color>& colors, const Box& box) {
  const std::size_t width = map.xs.size(), height = map.ys.size();
  Picture picture{
      box, {static_cast<int>(width), static_cast<int>(height)}, std::vector<std::uint8_t>(4 * width * height), true};
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const double at = place(map.value, map.values[row * width + column]);
      if (!std::isfinite(at)) continue;
      const double share = std::clamp((at - scale.limits.low) / scale.limits.length(), 0.0, 1.0);
      const Color color = colors[static_cast<std::size_t>(share * static_cast<double>(colors.size() - 1) + 0.5)];
      std::uint8_t* to = &picture.rgba[4 * ((height - 1 - row) * width + column)];
      to[0] = color.red, to[1] = color.green, to[2] = color.blue, to[3] = color.alpha;
    }
  }
  return picture;
}

}  // namespace

void draw(Drawing& drawing, const Style& style, const HeatMap& map) {
  const auto colors = std::ranges::find(colormaps(), map.colormap, &Colormap::name)->colors();
  const Axis scale = scale_of(map);
  const ColorBar bar(style, scale, colors);
  const float gap = style.tick_text, edge = 0.7F * style.tick_text,
              beside = bar.width(static_cast<float>(drawing.size.height)) + gap;
  const Axis across = axis_around(map.x, map.xs), up = axis_around(map.y, map.ys);
  Margins around{4.5F * style.tick_text, 0, edge, 3.5F * style.tick_text};
  for (int pass = 0; pass < 3; ++pass) {
    const Box box{edge + around.left, edge + heading_height(style),
                  static_cast<float>(drawing.size.width) - edge - around.right - beside,
                  static_cast<float>(drawing.size.height) - edge - around.bottom};
    const Panel panel(style, box, across, up);
    around = panel.margins();
    if (pass < 2) continue;
    panel.open(drawing);
    drawing.add(cells_of(map, scale, colors, box));
    panel.close(drawing);
    bar.draw(drawing, {box.right + around.right + gap, box.top}, box.height());
    heading(drawing, style, box, map.title, {});
  }
}

}  // namespace orrery::render
