// SPDX-License-Identifier: MIT
// Few bodies and their paths as a camera sees them.
#pragma once

#include "render/canvas/drawing.hpp"
#include "render/shown.hpp"
#include "render/view/camera.hpp"

namespace orrery::render {

/// What lies inside the volume: balls, paths that the near hides the far of, and their shadows where there is
/// a floor. In a still the starts are marked.
void draw_in_space(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, bool floor);

/// The names of few bodies of a still, within `room`, upon what draw_in_space() drew.
void draw_names(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, const Box& room);

}  // namespace orrery::render
