// SPDX-License-Identifier: MIT
// Marks and dashes, which distinguish curves also without colours.
#pragma once

#include <cstddef>
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

/// Returns the dashes of a line: `on` pixels drawn and `off` pixels not drawn alternate.
std::vector<Line> dashed(const Line& line, float on, float off);

/// Draws these dashes.
inline void draw_dashed(Drawing& drawing, const Line& line, float on, float off) {
  for (Line& dash : dashed(line, on, off)) drawing.add(std::move(dash));
}

}  // namespace orrery::render
