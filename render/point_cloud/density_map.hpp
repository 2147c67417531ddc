// SPDX-License-Identifier: MIT
// Surface density from bodies: each is spread over a neighbourhood of its own size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::render {

/// A point mass on a plane.
struct PointMass {
  double x = 0, y = 0, mass = 0;
};

inline bool is_inside(const PointMass& p, Interval x, Interval y) {
  return p.x >= x.low && p.x <= x.high && p.y >= y.low && p.y <= y.high;
}

/// How many neighbours a point among so many is spread over.
inline float neighbours_among(std::size_t points) {
  return std::clamp(2.5F * std::sqrt(static_cast<float>(points)), 24.F, 400.F);
}

/// Mass per area on a grid of cells that tile both intervals; row 0 has the highest y.
struct DensityMap {
  Interval x, y;
  Size size;
  std::vector<float> density;

  [[nodiscard]] double cell_area() const { return x.length() / size.width * y.length() / size.height; }
  /// At a place inside.
  [[nodiscard]] float at(double px, double py) const;
};

/// The surface density of the points inside both intervals, on about `wish` cells. Each is spread by the
/// kernel (1 − u²)³ over the circle that holds about 2.5 √N points, 24 to 400, or over a cell and a half
/// where these lie closer (Silverman 1986, 5.3: neighbourhoods that follow the density). A kernel that meets
/// the border is mirrored there, so that the sum over cells times their area is the mass inside both
/// intervals. O(N + cells) on all threads; the same with any number of them.
DensityMap surface_density(const std::vector<PointMass>& points, Interval x, Interval y, Size wish);

}  // namespace orrery::render
