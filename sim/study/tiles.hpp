// SPDX-License-Identifier: MIT
// One-sided GPU kernels with one tuning parameter varied: unrolling, block size, threads per body, bounds check.
#pragma once

#include <memory>

#include "sim/study/work.hpp"

namespace orrery::sim::study {

struct TileShape {
  bool tiled = true;  ///< other bodies are read from shared memory, one block width at a time; else from global memory
  int unroll = 8;     ///< of the loop over other bodies: 1, 2, 4, 8, 16 or 32
  unsigned block = 256;       ///< threads: 16, 32, …, 1024
  bool bounds_check = false;  ///< each pair checks the index; else the last tile is padded with massless bodies
  bool run_time = false;      ///< block size and trip count are run-time values
  int threads_per_body =
      1;  ///< 1, 2, …, 32 if not tiled: lanes of a warp that share the other bodies and add their sums

  bool operator==(const TileShape&) const = default;
};

/// Whole steps in float32 with the approximate root and fused multiply-adds. Null for a shape that is not compiled, and
/// without CUDA. Throws Error if the device fails.
std::unique_ptr<Work> make_tile(const TileShape& shape, const Bodies& bodies, const Setting& setting);

/// Operations of a matrix element m_i m_j (r² + ε²)^(−1/2), by the usual count: 3 differences, 3 fused sums, a root, 2
/// products.
inline constexpr double flops_of_an_element = 12;

/// Fills n × n floats with −m_i m_j / r, softened. A block of `block` threads (1, 2, 4, …, 1024) fills as many columns
/// and 32 rows; `compile_time`: the block size is a template argument. Null for other block sizes, and without CUDA.
/// Throws Error if memory is short.
std::unique_ptr<Work> make_matrix_tiles(unsigned block, bool compile_time, const Bodies& bodies,
                                        const Setting& setting);

}  // namespace orrery::sim::study
