// SPDX-License-Identifier: MIT
// The ends of the box that bodies are in, where they are seen: walls as lines, ends that are joined as dashes.
#pragma once

#include "render/bounds.hpp"
#include "render/view/camera.hpp"
#include "render/view/panel.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {

/// The outline of the box on a plane, but for what the panel's own frame draws; to be called between open() and close().
void draw_edges(Drawing& drawing, const Style& style, const Panel& panel, Plane plane, const Bounds& bounds);

/// Edges of the box in space within `volume`: those that no body can be behind, or with `front` the others.
void draw_edges(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds,
                bool front);

}  // namespace orrery::render
