// SPDX-License-Identifier: MIT
// Starting a kernel so that its blocks are in place when the one before it ends: a fifth of what a small step takes.
#pragma once

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// Says that a kernel which `launch_close_behind` starts after this one may come near.
__device__ __forceinline__ void let_next_come() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// To be called by a kernel that was started so, before it reads what others wrote.
__device__ __forceinline__ void wait_for_earlier() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Not for kernels whose blocks are long: they would crowd on the multiprocessors that are free first.
template <class... Parameters>
void launch_close_behind(void (*kernel)(Parameters...), dim3 grid, unsigned block, StreamHandle stream,
                         Parameters... arguments) {
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "older drivers take no more");
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(block);
  config.stream = stream.stream;
  config.attrs = &overlap;
  config.numAttrs = stream.overlaps ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "starting a kernel");
}

/// All blocks as one cluster, which compute capability 9.0 has.
template <class... Parameters>
void launch_cluster(void (*kernel)(Parameters...), unsigned blocks, unsigned block, StreamHandle stream,
                    Parameters... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim.x = blocks;
  together.val.clusterDim.y = together.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(block);
  config.stream = stream.stream;
  config.attrs = &together;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "starting a kernel");
}

}  // namespace orrery::sim::cuda
