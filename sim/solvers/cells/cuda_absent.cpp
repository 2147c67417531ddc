// SPDX-License-Identifier: MIT
// The cells solver in a program without CUDA.
#include "sim/solvers/cells/cells.hpp"

namespace orrery::sim::cells {

const MakeOnCuda on_cuda = nullptr, all_on_cuda = nullptr;

std::size_t bytes_on_cuda(std::size_t, Precision, int) {
  return 0;
}

}  // namespace orrery::sim::cells
