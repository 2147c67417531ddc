// SPDX-License-Identifier: MIT
// For compilers without OpenMP.
#include "sim/study/openmp.hpp"

namespace orrery::sim::study {

std::span<const OpenMpLoop> openmp_loops() {
  return {};
}

}  // namespace orrery::sim::study
