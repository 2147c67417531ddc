// SPDX-License-Identifier: MIT
// Bodies that outweigh their neighbourhood, which a density would smear over the picture.
#pragma once

#include <cstddef>
#include <vector>

#include "render/point_cloud/density_map.hpp"

namespace orrery::render {

/// The points that a field should not spread, the heaviest first. Each has more mass than its neighbours on the plane together,
/// up to three of which may be left out that have half its mass or more. Neighbours are the 2.5 √N nearest others, 24 to 400 of
/// them, in the smallest square of cells about it that has so many; with fewer than twelve nobody dominates. Only the 64 heaviest
/// points inside both intervals are asked.
std::vector<std::size_t> dominant(const std::vector<PointMass>& points, Interval x, Interval y);

}  // namespace orrery::render
