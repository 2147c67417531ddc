// SPDX-License-Identifier: MIT
// Kernel launches with attributes: overlap with the previous kernel, and clusters.
#pragma once

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// Lets a kernel that `launch_overlapping` starts after this one begin early.
__device__ __forceinline__ void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// A kernel started by `launch_overlapping` must call this before it reads what earlier kernels wrote.
__device__ __forceinline__ void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Starts a kernel with one launch attribute, or without it.
template <class... Parameters>
void launch_with(cudaLaunchAttribute attribute, bool is_used, void (*kernel)(Parameters...), dim3 grid, unsigned block,
                 StreamHandle stream, Parameters... arguments) {
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "the limit of older drivers");
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(block);
  config.stream = stream.stream;
  config.attrs = &attribute;
  config.numAttrs = is_used ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "starting a kernel");
}

/// Starts a kernel whose blocks may be resident before the previous kernel ends, which saves a fifth of a small step.
/// Not for kernels with long blocks: they would be placed unevenly, on the multiprocessors that become free first.
template <class... Parameters>
void launch_overlapping(void (*kernel)(Parameters...), dim3 grid, unsigned block, StreamHandle stream,
                        Parameters... arguments) {
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  launch_with(overlap, stream.overlaps, kernel, grid, block, stream, arguments...);
}

/// Starts a kernel with all blocks in one cluster (compute capability 9.0).
template <class... Parameters>
void launch_cluster(void (*kernel)(Parameters...), unsigned blocks, unsigned block, StreamHandle stream,
                    Parameters... arguments) {
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {blocks, 1, 1};
  launch_with(cluster, true, kernel, dim3(blocks), block, stream, arguments...);
}

}  // namespace orrery::sim::cuda
