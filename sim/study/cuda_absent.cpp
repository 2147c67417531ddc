// SPDX-License-Identifier: MIT
// A build without CUDA has no rungs on a GPU.
#include "sim/study/ladder.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::sim::study {

std::span<const Rung> gpu_ladder() {
  return {};
}

std::unique_ptr<Work> make_tile(const TileShape& /*shape*/, const Bodies& /*bodies*/, const Setting& /*setting*/) {
  return nullptr;
}

}  // namespace orrery::sim::study
