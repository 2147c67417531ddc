// SPDX-License-Identifier: MIT
#include "sim/study/divergence.hpp"
#include "sim/study/ladder.hpp"
#include "sim/study/peak.hpp"
#include "sim/study/short_range.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::sim::study {

std::span<const Rung> gpu_ladder() {
  return {};
}

std::unique_ptr<Work> make_tile(const TileShape& /*shape*/, const Bodies& /*bodies*/, const Setting& /*setting*/) {
  return nullptr;
}

std::unique_ptr<Work> make_matrix_tiles(unsigned /*block*/, bool /*compile_time*/, const Bodies& /*bodies*/,
                                        const Setting& /*setting*/) {
  return nullptr;
}

std::span<const Arithmetic> arithmetics_of_gpu() {
  return {};
}

std::span<const ShortRangeRung> short_range_on_gpu() {
  return {};
}

GpuPeaks gpu_peaks(int /*device*/) {
  return {};
}

}  // namespace orrery::sim::study
