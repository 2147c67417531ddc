// SPDX-License-Identifier: MIT
// Boundary conditions after a drift, one thread per coordinate.
#include "sim/backends/cuda/kernels.cuh"
#include "sim/boundaries/list.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned cross_block = 128;

struct Crossing {
  std::size_t boundary[3];
  double low[3], length[3];
};

__global__ void cross_kernel(const Crossing crossing, double* position, double* velocity, double* image, std::size_t n,
                             std::size_t stride) {
  const std::size_t i = blockIdx.x * std::size_t{cross_block} + threadIdx.x, axis = blockIdx.y;
  if (i >= n) return;
  const std::size_t at = axis * stride + i;
  const Coordinate before{position[at], velocity[at], 0};
  const Coordinate after =
      cross(Boundaries{}, crossing.boundary[axis], before, crossing.low[axis], crossing.length[axis]);
  position[at] = after.x;
  velocity[at] = after.v;
  if (after.image != 0) image[at] += static_cast<double>(after.image);
}

}  // namespace

void cross(const Domain& domain, double* position, double* velocity, double* image, std::size_t n, std::size_t stride,
           StreamHandle stream) {
  Crossing crossing{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    crossing.boundary[axis] = boundary_index(*domain.boundary[axis]);
    crossing.low[axis] = domain.low[axis];
    crossing.length[axis] = domain.edges[axis];
  }
  const dim3 grid(blocks_for(n, cross_block), 3);
  cross_kernel<<<grid, cross_block, 0, stream.stream>>>(crossing, position, velocity, image, n, stride);
  check(cudaGetLastError(), "starting the boundaries");
}

}  // namespace orrery::sim::cuda
