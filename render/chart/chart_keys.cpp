// SPDX-License-Identifier: MIT
// Limits are the numbers that the axis shows.
#include "render/chart/chart_keys.hpp"

#include <array>
#include <string_view>

#include "render/style/sizes.hpp"

namespace orrery::render {
namespace {

constexpr std::array keys{
    Parameter{.name = "x_limits",
              .kind = Kind::numbers,
              .example = "[0.1, 10.0]",
              .meaning = "[from, to] of the horizontal axis, in its unit, of all panels; left out, all of the curves",
              .count = 2,
              .optional = true},
    Parameter{.name = "y_limits",
              .kind = Kind::numbers,
              .example = "[0.1, 1.0]",
              .meaning = "[from, to] of the vertical axis, in its unit, of several panels that of the uppermost; left "
                         "out, what the curves need",
              .count = 2,
              .optional = true},
    line_width_parameter,
    marker_size_parameter,
};

void set_limits(ChartAxis& axis, std::string_view key, const Arguments& arguments) {
  const auto& given = arguments.numbers(key);
  if (!(given[0] < given[1])) throw ArgumentError(key, "the lower limit must be below the upper one");
  if (axis.logarithmic && !(given[0] > 0)) {
    const bool scaled = arguments.has("scale");
    if (!scaled || arguments.text("scale") != "auto") {
      throw ArgumentError(key, std::string("a logarithmic axis begins above 0: raise the lower limit") +
                                   (scaled ? ", or write `scale = \"linear\"`" : ""));
    }
    axis.logarithmic = false;
  }
  axis.limits = Interval{given[0] * axis.unit_length, given[1] * axis.unit_length};  // the numbers that the axis shows
}

}  // namespace

std::span<const Parameter> chart_keys() {
  return keys;
}

void limit(std::vector<Chart>& charts, const Arguments& arguments) {
  const bool x = arguments.has("x_limits"), y = arguments.has("y_limits");
  for (Chart& chart : charts) {
    if (x) set_limits(chart.x, "x_limits", arguments);
    chart.cut = chart.cut || x;
  }
  if (!y || charts.empty()) return;
  set_limits(charts.front().y, "y_limits", arguments);
  charts.front().cut = true;
}

}  // namespace orrery::render
