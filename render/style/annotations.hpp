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
std::vector<std::string> wrapped(const std::string& words, float size, float room, bool bold = false);

/// The time shown, "t = 12.34 yr", with the same number of decimals throughout a run.
struct Stamp {
  std::string words;    ///< empty: none
  std::string longest;  ///< `words` start where this would, so that they stay in place in a film
};
/// `still`: one picture rather than a film.
Stamp time_stamp(const RunInfo& info, double time, bool still = false);

/// Returns both with " · " between them, or the one that is not empty.
inline std::string joined(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : " · ") + other;
}

/// What is above a plot: the title, with the time at the right end, and below it a remark. Title and remark are in as many lines
/// as they need, since a printed page has no other place for what is cut off.
class Heading {
 public:
  /// `canvas`: the size of the picture. `longest`: of the stamp that will be drawn.
  Heading(const Style& style, Size canvas, const std::string& title, const std::string& remark = "",
          const std::string& longest = "");
  /// Returns the space that it takes above the plot, in pixels.
  [[nodiscard]] float height() const;
  /// Draws it above `plot`.
  void draw(Drawing& drawing, const Box& plot, const Stamp& stamp = {}) const;

 private:
  static constexpr float min_share = 0.7F;  // of the size of a title in one line
  [[nodiscard]] float remark_row() const { return 1.3F * style_.tick_text; }

  Style style_;
  std::vector<std::string> title_, remark_;  // in lines
  float size_, margin_;                      // of the title, beside all
};

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
  [[nodiscard]] float beside_sample() const { return (of_runs_ ? 2.9F : 1.35F) * text_; }
  static constexpr float row_height = 1.55F, line_height = 1.2F;  // in heights of the text
  [[nodiscard]] float height_of(std::size_t name) const;

  Style style_;
  float text_;
  std::vector<std::vector<std::string>> names_;  // in lines
  std::vector<Color> colors_;
  std::optional<ColorBar> bar_;
  bool of_runs_ = false;  // whose samples are lines
};

/// Draws a scale bar of a round length at the lower left `corner`, for a picture without axes. `scale`: pixels per unit of
/// length.
void length_bar(Drawing& drawing, const Style& style, Point corner, double scale_of_run, const ShownUnit& unit);

/// Returns the radius of each body in pixels: proportional to the cube root of its mass, within limits that keep all visible.
std::vector<float> body_radii(const Style& style, const RunInfo& info, std::size_t bodies);

struct Shown;

/// Writes the names of bodies beside them in a still. A name covers no body, no other text and few lines of the drawing;
/// without such a place within `room` it is only in the legend, or where it covers least if `names` is "always". `mark(body)` returns the disc that the body was
/// drawn as, with radius 0 if it is not visible.
void tag_bodies(Drawing& drawing, const Shown& shown, const Box& room, const std::function<Disc(std::size_t)>& mark);

}  // namespace orrery::render
