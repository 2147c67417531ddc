// SPDX-License-Identifier: MIT
// Marks and dashes, which distinguish curves also without colours.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// The number of different marks, and so of curves in one picture that can be distinguished.
inline constexpr std::size_t different_marks = 13;

/// Draws mark `i` modulo different_marks: filled shapes (disc, square, triangle, …), open shapes, then strokes; `radius` in
/// pixels.
void draw_mark(Drawing& drawing, const Style& style, std::size_t i, Point at, float radius, Color color);

/// Returns the dashes of a line. Lengths in pixels that are drawn and not drawn alternate in `pattern`, which repeats.
std::vector<Line> dashed(const Line& line, std::span<const float> pattern);
inline std::vector<Line> dashed(const Line& line, float on, float off) {
  return dashed(line, std::array{on, off});
}

/// Draws these dashes.
inline void draw_dashed(Drawing& drawing, const Line& line, float on, float off) {
  for (Line& dash : dashed(line, on, off)) drawing.add(std::move(dash));
}

/// The number of runs in one picture whose lines can be distinguished by dashes.
inline constexpr std::size_t different_runs = 7;

/// Draws a line of run `run` modulo different_runs: solid, then dashed in six ways.
void draw_line_of_run(Drawing& drawing, Line line, std::size_t run);

}  // namespace orrery::render
