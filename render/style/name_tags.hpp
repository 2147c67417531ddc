// SPDX-License-Identifier: MIT
// Names beside the bodies of a still, for who cannot tell their colours: in grey every path is the same.
#pragma once

#include <cstddef>
#include <functional>

#include "render/canvas/drawing.hpp"
#include "render/shown.hpp"

namespace orrery::render {

/// Writes the names of few bodies beside them, each where it lies on no body and no other words and on few of the lines that
/// were drawn. Who has no such place within `room` has its name in the legend alone. `mark(body)`: the disc that it was drawn
/// as, of no radius where it is not seen.
void tag_bodies(Drawing& drawing, const Shown& shown, const Box& room, const std::function<Disc(std::size_t)>& mark);

}  // namespace orrery::render
