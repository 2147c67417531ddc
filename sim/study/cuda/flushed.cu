// SPDX-License-Identifier: MIT
// Compiled with --ftz=true: denormal floats, below 2⁻¹²⁶, are zero.
#include "sim/study/cuda/rungs.cuh"

namespace orrery::sim::study {

const PackedKernel flushed_divided = packed_tiles_kernel<Root::divided, Product::plain, 32, 1, true>;
const PackedKernel flushed_approximate = packed_tiles_kernel<Root::approximate, Product::plain, 32, 1, true>;

}  // namespace orrery::sim::study
