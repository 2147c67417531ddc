// SPDX-License-Identifier: MIT
// The tree solver in a program without CUDA.
#include "sim/solvers/tree/tree.hpp"

namespace orrery::sim::tree {

const MakeOnCuda on_cuda = nullptr;

std::size_t bytes_on_cuda(std::size_t, int) {
  return 0;
}

}  // namespace orrery::sim::tree
