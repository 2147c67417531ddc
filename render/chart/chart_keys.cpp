// SPDX-License-Identifier: MIT
#include "render/chart/chart_keys.hpp"

#include <array>

#include "render/figure.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {
namespace {

constexpr std::array keys{
    interval_key("x_limits", "[0.1, 10.0]",
                 "[from, to] of the horizontal axis of all panels, in its unit; default: the range of the curves"),
    interval_key(
        "y_limits", "[0.1, 1.0]",
        "[from, to] of the vertical axis of the uppermost panel, in its unit; default: the range of the curves"),
    line_width_parameter,
    marker_size_parameter,
};

}  // namespace

std::span<const Parameter> chart_keys() {
  return keys;
}

std::optional<Interval> interval_of(const Arguments& arguments, std::string_view key) {
  if (!arguments.has(key)) return std::nullopt;
  const auto& given = arguments.numbers(key);
  if (!(given[0] < given[1])) throw ArgumentError(key, "the lower limit must be below the upper one");
  return Interval{given[0], given[1]};
}

void set_limits(ChartAxis& axis, std::string_view key, const Arguments& arguments) {
  const Interval given = *interval_of(arguments, key);
  if (axis.logarithmic && !(given.low > 0)) {
    const bool scaled = arguments.has("scale");
    if (!scaled || arguments.text("scale") != "auto") {
      throw ArgumentError(key, std::string("a logarithmic axis begins above 0: raise the lower limit") +
                                   (scaled ? ", or write `scale = \"linear\"`" : ""));
    }
    axis.logarithmic = false;
  }
  axis.limits = Interval{given.low * axis.unit_length, given.high * axis.unit_length};
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
