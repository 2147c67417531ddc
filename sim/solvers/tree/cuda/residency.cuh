// SPDX-License-Identifier: MIT
#pragma once

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// Returns how many blocks of a kernel can be resident on the current device.
template <class... Parameters>
unsigned resident_blocks(void (*kernel)(Parameters...), unsigned block) {
  int of_one = 0, device = 0, multiprocessors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, static_cast<int>(block), 0),
        "querying the occupancy");
  check(cudaGetDevice(&device), "querying the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "querying the device");
  return static_cast<unsigned>(of_one * multiprocessors);
}

}  // namespace orrery::sim::cuda
