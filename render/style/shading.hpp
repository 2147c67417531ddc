// SPDX-License-Identifier: MIT
// How a sphere is lit, for triangles and for vector files alike.
#pragma once

#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// The colour at a unit normal (x right, y down, z to the eye).
Color lit(Color color, double x, double y, double z);

/// A lit sphere as circles around its lit side, in radii of the sphere from its middle.
struct Shades {
  double x, y, radius;
  struct Stop {
    double offset;  ///< from the circles' middle (0) to the sphere's far edge (1)
    Color color;
  };
  std::vector<Stop> stops;
};
Shades shades_of(Color color);

}  // namespace orrery::render
