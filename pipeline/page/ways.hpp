// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "render/bounds.hpp"
#include "render/frame.hpp"
#include "render/page/packed_frames.hpp"

namespace orrery::pipeline {

/// Between which frames of a page the ways of bodies are known, by the rule of figures and films (render/between.hpp).
struct Ways {
  /// Bits [frames − 1][bodies], the lowest of a byte first: 1 where a way is not known. Empty: all are known.
  std::string unknown{};
  double share = 0;                ///< of the ways, those that are not known
  std::set<std::size_t> bodies{};  ///< whose ways are not known somewhere
};

/// `frames`: those of the page, with the bodies in question. Since a stage takes the nearest image across a periodic end, the way of
/// a body that moves by half a period or more is not known to it either.
Ways ways_between(const std::vector<render::Frame>& frames, const render::Bounds& bounds);

/// The velocities at frames, packed as multiples of `quantum`, which is one of the positions per longest interval.
struct PackedVelocities {
  render::PackedFrames packed{};  ///< no bytes: frames have no velocities, or there is one only
  double quantum = 0;
};

/// `unit`: of the times of a page, in that of the run, to which velocities are converted.
PackedVelocities packed_velocities(const std::vector<render::Frame>& frames, double unit, double quantum_of_positions);

}  // namespace orrery::pipeline
