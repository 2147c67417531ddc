// SPDX-License-Identifier: MIT
// The toy solver in a program without code for GPUs.
#include "tests/sim/toys/ascending/ascending.hpp"

namespace orrery::sim::testing::ascending {

const MakeOnCuda on_cuda = nullptr;

std::size_t bytes_on_cuda(std::size_t) {
  return 0;
}

}  // namespace orrery::sim::testing::ascending
