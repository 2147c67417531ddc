// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "render/canvas/drawing.hpp"
#include "render/shown.hpp"

namespace orrery::render {

/// Writes the names of bodies beside them in a still, if they are few. A name covers no body, no other text and few lines of
/// the drawing; without such a place within `room` it is only in the legend. `mark(body)` returns the disc that the body was
/// drawn as, with radius 0 if it is not visible.
void tag_bodies(Drawing& drawing, const Shown& shown, const Box& room, const std::function<Disc(std::size_t)>& mark);

}  // namespace orrery::render
