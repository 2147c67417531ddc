// SPDX-License-Identifier: MIT
// Curves over two axes, one panel or a grid of them, with one legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/palette.hpp"
#include "render/ticks.hpp"

namespace orrery::render {

class Canvas;
struct Stamp;

/// Points in the order in which they are joined. One that is not finite, or not above 0 on a logarithmic axis, is a gap.
struct Curve {
  enum class Stroke { line, marks, both, dashed };

  std::string name{};  ///< in the legend, and of one colour in all panels; empty: not in the legend
  std::vector<double> x{}, y{};
  /// A dashed curve without a name is a guide: grey, and the axes do not stretch for it.
  Stroke stroke = Stroke::line;
  std::string note{};                  ///< written beside the curve: "slope 4"
  std::optional<std::size_t> shown{};  ///< of a film: the first so many points, the last as a disc; nothing: all
};

struct ChartAxis {
  std::string name{}, unit{};
  bool logarithmic = false;
  /// The numbers themselves, of a logarithmic axis too; nothing: what curves need.
  std::optional<Interval> limits{};
};

struct Chart {
  std::string title{};  ///< empty: it continues the chart above it, and shares its x axis
  ChartAxis x{}, y{};
  std::vector<Curve> curves{};
  bool equal = false;                     ///< one scale for both axes, which are then not logarithmic
  std::string empty = "nothing to draw";  ///< written where no curve has a point
};

/// How many of the times of a run, which rise or fall, have come by `now`: for Curve::shown.
std::size_t grown_to(const std::vector<double>& times, double now);

/// Draws charts in rows of `columns`, from the left and from above. `stamp` stands at the right of the first title.
void draw_charts(Drawing& drawing, const Look& look, const std::vector<Chart>& charts, int columns, const Stamp& stamp);

/// The same, at every capture of the canvas.
void add(Canvas& canvas, std::vector<Chart> charts, int columns = 1);

}  // namespace orrery::render
