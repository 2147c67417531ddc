// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/frame.hpp"
#include "render/style/color_bar.hpp"
#include "render/style/coloring.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// Returns `words`, shortened to `room` pixels with "…" at the end if necessary. `size`: of the font, in pixels.
std::string fitted(std::string words, float size, bool bold, float room);

/// Returns `words` in lines of at most `room` pixels, broken at spaces, and within words that are longer.
std::vector<std::string> wrapped(const std::string& words, float size, float room);

/// Returns the height of the line above a plot with title and time, if the style has it.
float heading_height(const Style& style);

/// The time shown, "t = 12.34 yr", with the same number of decimals throughout a run.
struct Stamp {
  std::string words;    ///< empty: none
  std::string longest;  ///< `words` start where this would, so that they stay in place in a film
};
/// `still`: one picture rather than a film.
Stamp time_stamp(const RunInfo& info, double time, bool still = false);

/// Draws the title above the left end of `plot` and the stamp above its right end. A long title is shrunk, then cut.
void heading(Drawing& drawing, const Style& style, const Box& plot, const std::string& title, const Stamp& stamp);

/// Writes `words` into the corner of `plot` where they hide the fewest points of what is drawn, on as many lines as they need.
void write_remark(Drawing& drawing, const Style& style, const Box& plot, const std::string& words);

/// The meaning of colours: a list of names or a colour bar.
class Legend {
 public:
  Legend(const Style& style, const Coloring& coloring);
  [[nodiscard]] bool empty() const { return names_.empty() && !bar_; }
  /// Both for a colour bar of height `room`; a list of names does not depend on it.
  [[nodiscard]] float width(float room) const;
  [[nodiscard]] float height(float room) const;
  void draw(Drawing& drawing, Point top_left, float room) const;

 private:
  Style style_;
  std::vector<std::string> names_;
  std::vector<Color> colors_;
  std::optional<ColorBar> bar_;
};

/// Draws a scale bar of a round length at the lower left `corner`, for a picture without axes. `scale`: pixels per unit of
/// length.
void length_bar(Drawing& drawing, const Style& style, Point corner, double scale, const std::string& unit);

/// Returns the radius of each body in pixels: proportional to the cube root of its mass, within limits that keep all visible.
std::vector<float> body_radii(const Style& style, const RunInfo& info, std::size_t bodies);

struct Shown;

/// Writes the names of bodies beside them in a still. A name covers no body, no other text and few lines of the drawing;
/// without such a place within `room` it is only in the legend, or where it covers least if `names` is "always". `mark(body)` returns the disc that the body was
/// drawn as, with radius 0 if it is not visible.
void tag_bodies(Drawing& drawing, const Shown& shown, const Box& room, const std::function<Disc(std::size_t)>& mark);

}  // namespace orrery::render
