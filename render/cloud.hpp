// SPDX-License-Identifier: MIT
// Many bodies as soft dots that add up to a density picture.
#pragma once

#include <cstdint>
#include <vector>

#include "render/drawing.hpp"
#include "render/palette.hpp"

namespace orrery::render {

/// One body on the canvas.
struct Dot {
  Point at;
  std::uint16_t component = 0;  ///< whose colour it has
  float weight = 1;             ///< fainter below 1
};

/// The dots inside `room`, `scale` device pixels a pixel. Time is O(dots + pixels), on all threads.
Picture cloud(const Look& look, const Box& room, float scale, const std::vector<Dot>& dots);

}  // namespace orrery::render
