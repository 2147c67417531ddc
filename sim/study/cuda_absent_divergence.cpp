// SPDX-License-Identifier: MIT
// A build without CUDA has no arithmetic of a GPU.
#include "sim/study/divergence.hpp"

namespace orrery::sim::study {

std::span<const Arithmetic> arithmetics_of_gpu() {
  return {};
}

}  // namespace orrery::sim::study
