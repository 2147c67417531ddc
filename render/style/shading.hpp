// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

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
