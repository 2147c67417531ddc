// SPDX-License-Identifier: MIT
// A build without CUDA has no short-range rungs on a GPU.
#include "sim/study/short_range.hpp"

namespace orrery::sim::study {

std::span<const ShortRangeRung> short_range_on_gpu() {
  return {};
}

}  // namespace orrery::sim::study
