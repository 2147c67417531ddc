// SPDX-License-Identifier: MIT
// Bodies and their paths in perspective.
#pragma once

#include "render/canvas/drawing.hpp"
#include "render/shown.hpp"
#include "render/view/camera.hpp"

namespace orrery::render {

/// Draws what is inside the volume: bodies, paths, the edges of the box and, with `floor`, the shadows of paths. A still also
/// marks the starts.
void draw_in_space(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, bool floor);

/// Writes the names of bodies, if few and in a still, within `room`; call it after draw_in_space().
void draw_names(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, const Box& room);

}  // namespace orrery::render
