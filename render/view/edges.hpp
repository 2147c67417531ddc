// SPDX-License-Identifier: MIT
// Draws the edges of the box: walls as lines, periodic ends as dashes.
#pragma once

#include "render/bounds.hpp"
#include "render/view/body_scene.hpp"
#include "render/view/camera.hpp"
#include "render/view/panel.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {

/// Draws the outline of the box in a plane, without the parts that coincide with the frame of the panel; call it between
/// open() and close().
void draw_edges(Drawing& drawing, const Style& style, const Panel& panel, Plane plane, const Bounds& bounds);

/// Adds the edges of the box within `volume` to a scene.
void add_edges(BodyScene& scene, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds);

/// Draws the edges of the box within `volume`: those behind all bodies or, with `front`, those in front of them.
void draw_edges(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds,
                bool front);

}  // namespace orrery::render
