// SPDX-License-Identifier: MIT
// One-sided kernels of a GPU that differ in one number: unrolling, block size, threads a body, how the tile is bounded.
#pragma once

#include <memory>

#include "sim/bodies.hpp"
#include "sim/study/setting.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

struct TileShape {
  bool tiled = true;     ///< others come through shared memory, a block's width at a time; else from where they lie
  int unroll = 8;        ///< of the loop over others: 1, 2, 4, 8, 16 or 32
  unsigned block = 256;  ///< threads: 16, 32, …, 1024
  bool bounds_check =
      false;  ///< each pair asks whether there is such a body; else the last tile is filled with massless ones
  bool run_time = false;     ///< the compiler does not know the block size, nor how often the loop runs
  int threads_per_body = 1;  ///< 1, 2, …, 32, where not tiled: lanes of a warp that share the others and add their sums
};

/// Whole steps in float32 with the approximate root and fused multiply-adds. Null for a shape that is not compiled, and without
/// CUDA. Throws Error where the device fails.
std::unique_ptr<Work> make_tile(const TileShape& shape, const Bodies& bodies, const Setting& setting);

}  // namespace orrery::sim::study
