// SPDX-License-Identifier: MIT
// Starting a kernel so that its blocks are in place when the one before it ends: half of what a small step waits for.
#pragma once

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// To be called by a kernel that `launch` starts, before it reads what others wrote. Lets the next one come near.
__device__ __forceinline__ void wait_for_earlier() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class... Parameters>
void launch(void (*kernel)(Parameters...), dim3 grid, unsigned block, Stream stream, Parameters... arguments) {
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(block);
  config.stream = stream.queue;
  config.attrs = &overlap;
  config.numAttrs = stream.overlaps ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "starting a kernel");
}

}  // namespace orrery::sim::cuda
