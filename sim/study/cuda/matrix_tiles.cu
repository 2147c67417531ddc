// SPDX-License-Identifier: MIT
#include <bit>
#include <vector>

#include "sim/study/cuda/steps.cuh"
#include "sim/study/tiles.hpp"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;

constexpr unsigned rows_of_a_tile = 32;

/// A block fills 32 rows, read through shared memory, and a column per thread. `block` = 0: a block size of run time.
template <unsigned block>
__global__ void __launch_bounds__(block == 0 ? 1024 : block)
    matrix_tiles_kernel(Numbers numbers, const float4* bodies, float* matrix) {
  __shared__ float4 row_bodies[rows_of_a_tile];
  const unsigned threads = block == 0 ? blockDim.x : block;
  const std::size_t first_row = blockIdx.y * std::size_t{rows_of_a_tile},
                    column = blockIdx.x * std::size_t{threads} + threadIdx.x;
  for (unsigned k = threadIdx.x; k < rows_of_a_tile; k += threads) {
    if (first_row + k < numbers.n) row_bodies[k] = bodies[first_row + k];
  }
  __syncthreads();
  if (column >= numbers.n) return;
  const float4 own = bodies[column];
  for (unsigned k = 0; k < rows_of_a_tile && first_row + k < numbers.n; ++k) {
    const float4 other = row_bodies[k];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float r = rsqrtf(__fmaf_rn(dz, dz, __fmaf_rn(dy, dy, __fmaf_rn(dx, dx, numbers.softening2))));
    matrix[(first_row + k) * numbers.n + column] = -(own.w * other.w) * r;
  }
}

using Kernel = void (*)(Numbers, const float4*, float*);

/// By the power of two that the block size is.
constexpr Kernel kernels[] = {matrix_tiles_kernel<1>,   matrix_tiles_kernel<2>,   matrix_tiles_kernel<4>,
                              matrix_tiles_kernel<8>,   matrix_tiles_kernel<16>,  matrix_tiles_kernel<32>,
                              matrix_tiles_kernel<64>,  matrix_tiles_kernel<128>, matrix_tiles_kernel<256>,
                              matrix_tiles_kernel<512>, matrix_tiles_kernel<1024>};

class MatrixTiles : public GpuWork {
 public:
  MatrixTiles(Kernel kernel, unsigned block, const Bodies& bodies, const Setting& setting)
      : GpuWork(setting), kernel_(kernel), block_(block), numbers_(numbers_of(bodies.size(), setting)) {
    bodies_ = on_device(float4s_of(bodies));
    matrix_ = DeviceArray<float>(device_, bodies.size() * bodies.size());
  }
  [[nodiscard]] KernelFacts facts() const override { return facts_of(kernel_, block_); }

  /// Row sums, in x.
  Vectors accelerations() override {
    step();
    const std::vector<float> matrix = on_host(matrix_.get(), numbers_.n * numbers_.n);
    Vectors sums(numbers_.n);
    for (std::size_t k = 0; k < matrix.size(); ++k) sums.x[k / numbers_.n] += static_cast<double>(matrix[k]);
    return sums;
  }

 protected:
  void step() override {
    const dim3 grid(blocks_for(numbers_.n, block_), blocks_for(numbers_.n, rows_of_a_tile));
    kernel_<<<grid, block_, 0, stream()>>>(numbers_, bodies_.get(), matrix_.get());
  }

 private:
  Kernel kernel_;
  unsigned block_;
  Numbers numbers_;
  DeviceArray<float4> bodies_;
  DeviceArray<float> matrix_;
};

}  // namespace

std::unique_ptr<Work> make_matrix_tiles(unsigned block, bool compile_time, const Bodies& bodies,
                                        const Setting& setting) {
  if (!std::has_single_bit(block) || block > 1024 || bodies.size() == 0) return nullptr;
  const Kernel kernel = compile_time ? kernels[std::countr_zero(block)] : matrix_tiles_kernel<0>;
  return std::make_unique<MatrixTiles>(kernel, block, bodies, setting);
}

}  // namespace orrery::sim::study
