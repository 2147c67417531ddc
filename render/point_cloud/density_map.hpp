// SPDX-License-Identifier: MIT
// Surface density from point masses, distances to neighbours, and points that dominate their neighbourhood.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::render {

struct PointMass {
  double x = 0, y = 0, mass = 0;
};

inline bool is_inside(const PointMass& p, Interval x, Interval y) {
  return p.x >= x.low && p.x <= x.high && p.y >= y.low && p.y <= y.high;
}

/// Returns whether an interval is one period; `period` 0: not periodic.
inline bool is_one_period(Interval limits, double period) {
  return period > 0 && std::abs(limits.length() - period) < 1e-6 * period;
}

/// Returns the number of neighbours in the smoothing kernel of a point: 2.5 √points, 24 to 400.
inline float neighbours_among(std::size_t points) {
  return std::clamp(2.5F * std::sqrt(static_cast<float>(points)), 24.F, 400.F);
}

/// Mass per area on a grid of cells that covers both intervals; row 0 has the highest y.
struct DensityMap {
  Interval x, y;
  Size size;
  std::vector<float> density;  ///< [height][width]

  /// Returns the density of the cell at a position within both intervals.
  [[nodiscard]] float at(double px, double py) const;
};

/// Returns the surface density of the points inside both intervals on about `requested` cells. Each point is smoothed by
/// the adaptive kernel (1 − u²)³ out to its k-th nearest other point, inside or outside of the intervals; the radius is at
/// least 1.6 cells and at most a fifth of the longer interval, less for fewer than 1000 points (Silverman 1986, 5.3). k is
/// `neighbours`, or by default (0) neighbours_among(): then the radius is that of the 16th neighbour where these tell that
/// the density is not the same over the larger kernel (a stream, a clump). Kernels are mirrored at the ends of an interval, so that the sum over cells times their area
/// is the mass inside both. An axis with a period (`periods`; 0: none) has images of the points: kernels wrap around if
/// the interval is one period, and those of points beside a part of a period reach into it. O(N + cells) and
/// neighbour_distances(), on all threads; the result does not depend on their number.
DensityMap surface_density(const std::vector<PointMass>& points, Interval x, Interval y, Size requested,
                           const std::array<double, 2>& periods = {}, std::size_t neighbours = 0);

/// Returns the points that should not be smoothed to a field, in order of decreasing mass. Each has more mass than all its
/// neighbours together, of which up to three with at least half of its mass are ignored. Neighbours are the
/// neighbours_among() nearest points, at least twelve, in the smallest square of cells about it that contains as many. Only
/// the 64 heaviest points inside both intervals are tested. Neighbourhoods continue at the other end of an interval that is one
/// period (`periods`; 0: none).
std::vector<std::size_t> dominant(const std::vector<PointMass>& points, Interval x, Interval y,
                                  const std::array<double, 2>& periods = {});

/// A point in units of the cells of a grid with a corner at the origin.
struct GridPoint {
  float x = 0, y = 0;
  float mass = 0;  ///< 0: it only counts as a neighbour of others
};

/// Sorts points by cell and returns for each one with mass the distance to its k-th nearest other, [N] in the new
/// order, clamped to `least` … `most`. All points are within the grid, and lengths are in its cells. A distance changes
/// by no more than its place moves, so it is computed on nodes and interpolated between them where that bounds the
/// error by a fifth of it or by `least` / 2; the median error is about 1 %. O(nodes · k) on all threads, with at most
/// as many nodes as points or cells; the result does not depend on the number of threads.
std::vector<float> neighbour_distances(std::vector<GridPoint>& points, Size cells, std::size_t k, float least,
                                       float most);

}  // namespace orrery::render
