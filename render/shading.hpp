// SPDX-License-Identifier: MIT
// How a sphere is lit, for triangles and for SVG alike.
#pragma once

#include "render/drawing.hpp"

namespace orrery::render {

/// The colour at a unit normal (x right, y down, z to the eye).
Color lit(Color color, double x, double y, double z);

}  // namespace orrery::render
