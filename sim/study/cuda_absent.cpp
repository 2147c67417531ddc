// SPDX-License-Identifier: MIT
// The kernels to be studied in a program without CUDA: there are none.
#include "sim/study/study.hpp"

namespace orrery::sim::study {

std::span<const OneSided> one_sided() {
  return {};
}

}  // namespace orrery::sim::study
