// SPDX-License-Identifier: MIT
// Curves over two axes, one panel or a grid of them, with one legend.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/chart/ticks.hpp"
#include "render/style/annotations.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// Points in the order in which they are joined. One that is not finite, or not above 0 on a logarithmic axis, is a gap.
struct Curve {
  enum class Stroke { line, marks, both, dashed, band };

  std::string name{};  ///< in the legend, and of one colour in all panels; empty: not in the legend
  std::vector<double> x{}, y{};
  /// A band is filled between `low` and `y`, behind all lines; on a logarithmic axis a `low` that is not above 0 is the
  /// bottom of the axis. It has the colour of the other curves of its name.
  std::vector<double> low{};
  /// A dashed curve without a name is a guide: grey, and the axes do not stretch for it.
  Stroke stroke = Stroke::line;
  std::string note{};          ///< written beside the curve: "slope 4"
  std::vector<double> time{};  ///< when a film comes to each point, rising or falling; empty: they always are there
  /// Whose it is, by index in the run: in the colour of that body, or of two by turns; empty: in one by its order.
  std::vector<std::size_t> bodies{};
};

struct ChartAxis {
  std::string name{}, unit{};
  bool logarithmic = false;
  double unit_length = 1;  ///< what is 1 in `unit`: numbers at ticks are those of curves and limits divided by it
  /// The numbers themselves, of a logarithmic axis too; nothing: what curves need.
  std::optional<Interval> limits{};
};

/// The time, in the unit that the run info has for it.
ChartAxis time_axis(const RunInfo& info);

struct Chart {
  std::string title{};  ///< empty: it continues the chart above it, and shares its x axis
  ChartAxis x{}, y{};
  std::vector<Curve> curves{};
  bool equal = false;                     ///< one scale for both axes, which are then not logarithmic
  std::string empty = "nothing to draw";  ///< written where no curve has a point
  bool cut = false;                       ///< limits were asked for: marks are cut by the frame, as curves are
};

/// How many of the times of a run have come by `now`.
std::size_t grown_to(const std::vector<double>& times, double now);

/// Whether what can be drawn of these curves on a logarithmic axis spans two decades.
bool spans_decades(const std::vector<Curve>& curves);

/// A moment of a film: curves have grown as far, and its stamp stands at the right of the first title.
struct ChartTime {
  double time;
  Stamp stamp;
  bool beside = false;  ///< curves move, so that no corner stays free: the legend stands outside
};

/// Draws charts in rows of `columns`, from the left and from above.
void draw_charts(Drawing& drawing, const Style& style, const std::vector<Chart>& charts, int columns,
                 const std::optional<ChartTime>& moment = {});

}  // namespace orrery::render
