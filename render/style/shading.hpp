// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// Returns the colour of a lit surface with this unit normal (x right, y down, z to the viewer).
Color lit(Color color, double x, double y, double z);

/// A lit sphere as a radial gradient; centre and radius of the gradient are in units of the radius of the sphere, from its
/// centre.
struct Shades {
  double x, y, radius;
  struct Stop {
    double offset;  ///< from the centre of the gradient (0) to the far edge of the sphere (1)
    Color color;
  };
  std::vector<Stop> stops;
};
Shades shades_of(Color color);

}  // namespace orrery::render
