// SPDX-License-Identifier: MIT
// Bodies that outweigh their neighbourhood, which a density would smear over the picture.
#pragma once

#include <cstddef>
#include <vector>

#include "render/crowd/field.hpp"

namespace orrery::render {

/// The points that a field should not spread, the heaviest first: each has more mass than the 2.5 √N others that are nearest
/// to it on the plane (24 to 400, those in the smallest square of cells about it that has so many) together, twelve at least,
/// but for up to three that have half its mass or more. Of the 64 heaviest inside both intervals.
std::vector<std::size_t> dominant(const std::vector<PointMass>& points, Interval x, Interval y);

}  // namespace orrery::render
