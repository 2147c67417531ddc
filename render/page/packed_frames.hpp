// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace orrery::render {

/// Positions as whole multiples of a quantum, compressed.
struct PackedFrames {
  int order = 1;   ///< of the differences in time
  int planes = 1;  ///< bytes per number
  std::string bytes;
};

/// Packs positions [frames][bodies][3] as multiples of `quantum` about `centre`. Each coordinate of each body is a sequence in
/// time of differences of an order from 1 to 3, the one that becomes smallest; these are zigzag coded, divided into planes of
/// bytes and deflated. A number outside ±2²⁷ quanta, or none, is stored as the nearest one, or as 0.
PackedFrames packed_frames(std::span<const float> positions, std::size_t frames, std::size_t bodies,
                           const std::array<double, 3>& centre, double quantum);

}  // namespace orrery::render
