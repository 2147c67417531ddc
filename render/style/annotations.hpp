// SPDX-License-Identifier: MIT
// What stands around a plot: title, time stamp, legend; and how large bodies are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/frame.hpp"
#include "render/style/color_bar.hpp"
#include "render/style/coloring.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// `words`, or as many of their first letters as `room` pixels hold, and "…".
std::string fitted(std::string words, float size, bool bold, float room);

/// The room above a plot for its title and time, where the look has them.
float heading_height(const Style& style);

/// The moment that is shown, "t = 12.34 yr", with as many places throughout a run as its length asks for.
struct Stamp {
  std::string words;    ///< empty: none
  std::string longest;  ///< of the run: words start where this would, so that they stay in place
};
Stamp time_stamp(const RunInfo& info, double time);

/// Title at the left of `plot`, on the line above it; `stamp` at its right. A long title is written smaller, then cut.
void heading(Drawing& drawing, const Style& style, const Box& plot, const std::string& title, const Stamp& stamp);

/// What colours mean: names beside them, or a bar.
class Legend {
 public:
  Legend(const Style& style, const Coloring& coloring);
  [[nodiscard]] bool empty() const { return names_.empty() && !bar_; }
  /// Of names, whatever there is room for; a bar is as high as `room`.
  [[nodiscard]] float width(float room) const;
  [[nodiscard]] float height(float room) const;
  void draw(Drawing& drawing, Point top_left, float room) const;

 private:
  Style style_;
  std::vector<std::string> names_;
  std::vector<Color> colors_;
  std::optional<ColorBar> bar_;
};

/// A bar of a round length at the lower left `corner`, where `scale` pixels are a unit: the measure of a
/// picture without axes.
void length_bar(Drawing& drawing, const Style& style, Point corner, double scale, const std::string& unit);

/// The radius of each body in pixels: by the cube root of its mass, within what the eye can use.
std::vector<float> body_radii(const Style& style, const RunInfo& info, std::size_t bodies);

}  // namespace orrery::render
