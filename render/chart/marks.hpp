// SPDX-License-Identifier: MIT
// How curves of one chart are told apart: by colour, and by the mark that they bear, which survives a grey print.
#pragma once

#include <cstddef>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// So many marks there are before they repeat.
inline constexpr std::size_t different_marks = 13;

/// Mark `i`: disc, square, triangle, diamond, … filled, then open, then of strokes; `radius` in pixels.
void draw_mark(Drawing& drawing, const Style& style, std::size_t i, Point at, float radius, Color color);

/// The pieces of a line that is drawn `on` pixels and not drawn `off` pixels, in turn, along its length.
std::vector<Line> dashed(const Line& line, float on, float off);

}  // namespace orrery::render
