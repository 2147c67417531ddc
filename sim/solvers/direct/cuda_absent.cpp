// SPDX-License-Identifier: MIT
// The direct solver in a program without CUDA.
#include "sim/solvers/direct/direct.hpp"

namespace orrery::sim::direct {

const MakeOnCuda on_cuda = nullptr;

std::size_t bytes_on_cuda(std::size_t, Outputs, Precision, int) {
  return 0;
}

}  // namespace orrery::sim::direct
