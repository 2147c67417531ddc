// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "render/frame.hpp"

namespace orrery::render {

// The rule for escaping bodies (also in docs/view.md). A body escapes if, relative to the centre of mass,
// - it ends at its maximum distance (of finite ones);
// - it is unbound: on the outer half of its way it keeps more than 1/√2 of its speed, the value for a parabola;
// - it ends at more than 1.5 times the maximum distance of all other bodies shown;
// and fewer than half of the bodies do. For bodies that are within a quarter of their distance from each other, both at the
// end and at half of it, the second test is that of their centre of mass. An escaping body is shown until it finally leaves
// the reach of the others. Distances along `closed` axes do not count.

/// Returns the bounding box of all finite positions; low > high if there are none.
Extent extent_of_all(const Frame& frame);

/// Returns the bounding box without escaping bodies; for more than 64 bodies without the outermost 1 % (at least two) on each
/// side of each coordinate, plus a margin of 10 %. `keep_outliers`: with all bodies.
Extent extent_without_outliers(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                               bool keep_outliers, const std::array<bool, 3>& closed = {});

/// The same for each moment.
std::vector<Extent> extents_without_outliers(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                                             bool keep_outliers, const std::array<bool, 3>& closed = {});

/// A body that escapes, and the last moment at which it is shown.
struct Escape {
  std::size_t body, last;
};
/// Returns those of few bodies; of more than 64 none, since that rule does not ask what becomes of each.
std::vector<Escape> escapes(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                            const std::array<bool, 3>& closed = {});

/// Returns the mean of [N][3] with [N] weights; the unweighted mean if those are missing or sum to 0.
std::array<double, 3> mean(const std::vector<float>& xyz, const std::vector<double>& weights);
/// Returns the centre of mass of a frame of all bodies, from unwrapped positions if there are images.
std::array<double, 3> center_of_mass(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds);

}  // namespace orrery::render
