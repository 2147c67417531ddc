// SPDX-License-Identifier: MIT
// Which part of a run a picture has to hold: all of it but who escapes.
#pragma once

#include <array>
#include <vector>

#include "render/frame.hpp"

namespace orrery::render {

/// The rule, as `orrery list figure` and docs/view.md say it. A body escapes if, measured from the centre of mass,
/// - it ends further out than it ever was, finite numbers taken;
/// - it would not come back: on the outer half of its way it keeps more than 1/√2 of its speed, which one on a parabola
///   about the others just does not;
/// - it ends more than one and a half times as far out as anything that is shown of the others;
/// and of N bodies fewer than half do. Bodies that are together at its end and half as far out, within a quarter of the
/// distance, come back or do not as their centre of mass does. It is shown until it leaves the others' reach for good. Along
/// axes that are `closed` nobody escapes, and no distance counts.

/// The box of all finite places; low above high where there are none.
Extent extent_of_all(const Frame& frame);
/// The box of boxes.
Extent extent_of_all(const std::vector<FrameSummary>& moments);

/// The box of what counts: of few bodies all but escapers, of a crowd all but the outermost hundredth on each side of each
/// coordinate, two bodies at least, and a margin of a tenth instead. `escapers`: of all.
Extent extent_of_most(const std::vector<FrameSummary>& moments, const std::vector<double>& mass, bool escapers,
                      const std::array<bool, 3>& closed = {});

/// The same of each moment alone.
std::vector<Extent> extents_of_most(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                                    bool escapers, const std::array<bool, 3>& closed = {});

/// [N] weights times [N][3] summed, over the sum of weights; the plain mean where those are missing or sum to 0.
std::array<double, 3> mean(const std::vector<float>& xyz, const std::vector<double>& weights);
/// Of the places in a frame of all bodies: where their images are known, of those that they would be at had they gone straight on,
/// which no end of the box makes leap.
std::array<double, 3> center_of_mass(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds);

}  // namespace orrery::render
