// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/chart/ticks.hpp"
#include "render/style/annotations.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// Points in the order in which they are joined. A point that is not finite, or not positive on a logarithmic axis, is a gap.
struct Curve {
  enum class Stroke { line, marks, both, dashed, band };

  std::string name{};    ///< in the legend; curves of one name have one colour in all panels; empty: not in the legend
  std::string remark{};  ///< follows the name in the legend, also if the key `labels` replaces it
  std::vector<double> x{}, y{};
  /// A band is filled between `low` and `y`, behind all lines; a `low` ≤ 0 on a logarithmic axis is the bottom of the axis.
  std::vector<double> low{};
  /// A dashed curve without a name is a guide: it is grey, and limits of axes do not include it.
  Stroke stroke = Stroke::line;
  std::string note{};          ///< written beside the curve, for example "slope 4"
  std::vector<double> time{};  ///< when each point appears in a film, ascending or descending; empty: always
  /// One or two bodies, by index in the run, that determine the colour (two alternate); empty: by the order of curves.
  std::vector<std::size_t> bodies{};
  bool of_file = false;  ///< numbers of a file rather than of a run
  std::size_t run = 0;   ///< of several runs, which determines its dashes; 0: a solid line
};

struct ChartAxis {
  std::string name{}, unit{};
  bool logarithmic = false;
  double unit_length = 1;            ///< tick labels are values divided by it
  std::optional<DateScale> dates{};  ///< ticks are dates; numbers of the chart stay times
  /// In values, also on a logarithmic axis; nullopt: the range of the curves.
  std::optional<Interval> limits{};
};

/// Returns whether values that differ by so little are equal except for rounding: no axis is finer.
inline bool is_constant(Interval range) {
  return range.length() <= 1e-8 * std::max(std::abs(range.low), std::abs(range.high));
}

/// The range of the finite values that were added.
struct ValueRange {
  double low = INFINITY, high = -INFINITY;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Adds those that a logarithmic axis can show.
  void add_positive(const std::vector<double>& values) {
    for (const double value : values) add(value > 0 ? value : NAN);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// Returns an axis of durations in the unit of the run info.
inline ChartAxis duration_axis(const RunInfo& info) {
  return {.name = "t", .unit = info.time_unit, .unit_length = info.time_unit_length};
}

/// The same for times of the run, with dates if it has those.
inline ChartAxis time_axis(const RunInfo& info) {
  ChartAxis axis = duration_axis(info);
  axis.dates = info.dates;
  return axis;
}

struct Chart {
  std::string title{};   ///< of the first chart of a column
  std::string remark{};  ///< below that title: what is between frames and cannot be drawn
  ChartAxis x{}, y{};
  std::vector<Curve> curves{};
  /// Names of several runs with curves of the same names, in the legend after those; empty: there is one run, or curves have the
  /// names of runs.
  std::vector<std::string> runs{};
  std::string empty = "nothing to draw";  ///< written if no curve has a point
  bool cut = false;                       ///< marks are clipped by the frame, as curves are
  /// In a film, the time from which on it is drawn, until that of the next moment; nullopt: always, with growing curves. Charts
  /// of one moment are a column, and moments have the order of the run.
  std::optional<double> moment{};
};

/// Returns how many of the monotone `times` have been reached at `now`. O(log N).
std::size_t grown_to(const std::vector<double>& times, double now);

/// Returns whether the positive values of these curves span more than two decades.
bool spans_decades(const std::vector<Curve>& curves);

/// A field of colours over two axes. Points are evenly spaced along both, in logarithms if an axis is logarithmic.
struct HeatMap {
  std::string title{};
  ChartAxis x{}, y{}, value{};     ///< without limits: those of the points and values
  std::vector<double> xs{}, ys{};  ///< ascending; at least two each
  std::vector<double> values{};    ///< [ys × xs]; NaN, or ≤ 0 on a logarithmic scale: no colour
};

void draw(Drawing& drawing, const Style& style, const HeatMap& map);

}  // namespace orrery::render
