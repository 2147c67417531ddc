// SPDX-License-Identifier: MIT
// Kernels of a matrix of pairs, and the table of their launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/real.cuh"
#include "sim/elementary.hpp"
#include "sim/matrix/elements.hpp"
#include "sim/matrix/pair_matrix.hpp"

namespace orrery::sim::cuda {

using Float = Single<Root::exact>;

__device__ __forceinline__ Real square_root(Real x) {
  return Real(__dsqrt_rn(x.value));
}
__device__ __forceinline__ Float square_root(Float x) {
  return Float(__fsqrt_rn(x.value));
}
__device__ __forceinline__ Float operator/(Float a, Float b) {
  return Float(__fdiv_rn(a.value, b.value));
}

/// Positions and weights, [n] each.
struct MatrixParticles {
  const double *x, *y, *z, *weight;
  std::size_t n;
};

struct MatrixBody {
  double x, y, z, weight;
  static __device__ __forceinline__ MatrixBody at(const MatrixParticles& field, std::size_t i, bool weighted) {
    return {field.x[i], field.y[i], field.z[i], weighted ? field.weight[i] : 1.0};
  }
};

template <class Formula, bool periodic>
__device__ __forceinline__ double matrix_element(const MatrixBody& i, const MatrixBody& j, const MatrixNumbers& numbers,
                                                 double) {
  const auto d = matrix::apart<periodic>(Triple<Real>{Real(i.x), Real(i.y), Real(i.z)},
                                         Triple<Real>{Real(j.x), Real(j.y), Real(j.z)}, numbers);
  if constexpr (Formula::is_law) {
    return Formula::of(d, Real(i.weight) * Real(j.weight), numbers).value;
  } else {
    return Formula::of(Formula::r2(d, numbers), numbers).value;
  }
}

template <class Formula, bool periodic>
__device__ __forceinline__ float matrix_element(const MatrixBody& i, const MatrixBody& j, const MatrixNumbers& numbers,
                                                float) {
  if constexpr (Formula::is_law) {
    return static_cast<float>(matrix_element<Formula, periodic>(i, j, numbers, 0.0));
  } else {
    const auto d = matrix::apart<periodic>(Triple<Real>{Real(i.x), Real(i.y), Real(i.z)},
                                           Triple<Real>{Real(j.x), Real(j.y), Real(j.z)}, numbers);
    const Real r2 = Formula::r2(d, numbers) * Real(numbers.scale2);
    return (Formula::of(Float(r2.value), numbers) * Float(numbers.unit)).value;
  }
}

constexpr double matrix_infinity = std::numeric_limits<double>::infinity();

constexpr unsigned matrix_block = 256, fill_rows = 64;  ///< threads; rows of a block

/// A thread computes 16 bytes of every row, with its bodies in registers. `out` and rows are aligned to 16 bytes; a row
/// is padded by zeros after its last column.
template <class Formula, bool periodic, class T>
__global__ void __launch_bounds__(matrix_block)
    fill_kernel(MatrixParticles field, MatrixNumbers numbers, Tile tile, std::size_t stride, T* out) {
  constexpr unsigned V = 16 / sizeof(T);
  struct alignas(16) Packet {
    T values[V];
  };
  const std::size_t first = (blockIdx.x * std::size_t{matrix_block} + threadIdx.x) * V;
  if (first >= stride) return;
  MatrixBody mine[V];
#pragma unroll
  for (unsigned v = 0; v < V; ++v) {
    const std::size_t j = tile.column + first + v;
    mine[v] = MatrixBody::at(field, j < field.n ? j : field.n - 1, Formula::is_law);
  }
  const std::size_t begin = blockIdx.y * std::size_t{fill_rows};
  const auto rows = static_cast<unsigned>(tile.rows - begin < fill_rows ? tile.rows - begin : fill_rows);
  // The row in which this thread's first column is on the diagonal, and its number of columns.
  const long long meets = static_cast<long long>(tile.column + first) - static_cast<long long>(tile.row + begin);
  const auto diagonal = static_cast<int>(meets < -1000 ? -1000 : meets > 1000 ? 1000 : meets);
  const unsigned there = tile.columns <= first      ? 0
                         : tile.columns - first < V ? static_cast<unsigned>(tile.columns - first)
                                                    : V;
  T* to = out + begin * stride + first;
#pragma unroll 2
  for (unsigned r = 0; r < rows; ++r, to += stride) {
    const MatrixBody body = MatrixBody::at(field, tile.row + begin + r, Formula::is_law);
    Packet packet;
#pragma unroll
    for (unsigned v = 0; v < V; ++v) {
      const T value = matrix_element<Formula, periodic>(body, mine[v], numbers, T{});
      packet.values[v] = static_cast<int>(r) == diagonal + static_cast<int>(v) || v >= there ? T(0) : value;
    }
    __stcs(reinterpret_cast<int4*>(to), *reinterpret_cast<const int4*>(&packet));
  }
}

constexpr unsigned sum_block = 128, sum_rows = 2;  ///< threads; rows per thread

/// Results of leaves of columns, [leaves][rows] each; those of extremes are null if only sums are computed.
struct MatrixParts {
  double *sum, *least, *greatest;
  long long* nearest;
};

/// Block (x, y): 256 rows and one leaf of columns.
template <class Formula, bool periodic, class T, bool extremes>
__global__ void __launch_bounds__(sum_block)
    sum_kernel(MatrixParticles field, MatrixNumbers numbers, std::size_t begin, std::size_t rows, MatrixParts parts) {
  __shared__ MatrixBody run_of[matrix_run];
  MatrixBody mine[sum_rows];
  std::size_t place[sum_rows];
  matrix::Tree<4> tree[sum_rows];
  static_assert(matrix_leaf_runs == 1U << 4);
  double least[sum_rows], greatest[sum_rows];
  long long nearest[sum_rows];
#pragma unroll
  for (unsigned k = 0; k < sum_rows; ++k) {
    place[k] = (blockIdx.x * sum_rows + k) * std::size_t{sum_block} + threadIdx.x;
    mine[k] = MatrixBody::at(field, begin + (place[k] < rows ? place[k] : rows - 1), Formula::is_law);
    least[k] = matrix_infinity, greatest[k] = -matrix_infinity, nearest[k] = -1;
    tree[k].total = 0;
  }
  for (unsigned run = 0; run < matrix_leaf_runs; ++run) {
    const std::size_t first = blockIdx.y * std::size_t{matrix_leaf} + run * matrix_run;
    const auto there = static_cast<unsigned>(first >= field.n               ? 0
                                             : field.n - first < matrix_run ? field.n - first
                                                                            : matrix_run);
    __syncthreads();
    if (threadIdx.x < there) run_of[threadIdx.x] = MatrixBody::at(field, first + threadIdx.x, Formula::is_law);
    __syncthreads();
    T sum[sum_rows];
    int self[sum_rows];
#pragma unroll
    for (unsigned k = 0; k < sum_rows; ++k) {
      sum[k] = 0;
      const long long at = static_cast<long long>(begin + place[k]) - static_cast<long long>(first);
      self[k] = at < 0 || at >= matrix_run ? -1 : static_cast<int>(at);
    }
#pragma unroll 4
    for (unsigned c = 0; c < there; ++c) {
      const MatrixBody other = run_of[c];
#pragma unroll
      for (unsigned k = 0; k < sum_rows; ++k) {
        const T value = matrix_element<Formula, periodic>(mine[k], other, numbers, T{});
        const bool counts = static_cast<int>(c) != self[k];
        if constexpr (extremes) {
          const auto wide = static_cast<double>(value);
          if (counts && wide < least[k]) least[k] = wide, nearest[k] = static_cast<long long>(first + c);
          if (counts && greatest[k] < wide) greatest[k] = wide;
        }
        sum[k] = sum[k] + (counts ? value : T(0));
      }
    }
#pragma unroll
    for (unsigned k = 0; k < sum_rows; ++k) tree[k].add(run, static_cast<double>(sum[k]));
  }
#pragma unroll
  for (unsigned k = 0; k < sum_rows; ++k) {
    if (place[k] >= rows) continue;
    const std::size_t to = blockIdx.y * rows + place[k];
    parts.sum[to] = tree[k].total;
    if constexpr (extremes)
      parts.least[to] = least[k], parts.greatest[to] = greatest[k], parts.nearest[to] = nearest[k];
  }
}

constexpr unsigned max_bins = 4096;  ///< in shared memory

/// Block (x, y): 256 columns and some rows, of which elements above the diagonal count.
template <class Formula, bool periodic, class T>
__global__ void __launch_bounds__(matrix_block)
    count_kernel(MatrixParticles field, MatrixNumbers numbers, std::size_t begin, std::size_t end, double low,
                 double high, double scale, unsigned bins, unsigned long long* counts) {
  __shared__ unsigned mine[max_bins];
  const std::size_t j = blockIdx.x * std::size_t{matrix_block} + threadIdx.x;
  const std::size_t first = begin + blockIdx.y * std::size_t{fill_rows};
  const std::size_t last = first + fill_rows < end ? first + fill_rows : end;
  if ((blockIdx.x + 1) * std::size_t{matrix_block} <= first) return;  // entirely below the diagonal
  for (unsigned k = threadIdx.x; k < bins; k += matrix_block) mine[k] = 0;
  __syncthreads();
  if (j < field.n) {
    const MatrixBody other = MatrixBody::at(field, j, Formula::is_law);
    for (std::size_t i = first; i < last && i < j; ++i) {
      const auto value = static_cast<double>(
          matrix_element<Formula, periodic>(MatrixBody::at(field, i, Formula::is_law), other, numbers, T{}));
      if (!(value >= low && value <= high)) continue;
      const auto bin = static_cast<unsigned long long>(__dmul_rn(__dsub_rn(value, low), scale));
      atomicAdd(&mine[bin < bins ? bin : bins - 1], 1U);
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < bins; k += matrix_block) {
    if (mine[k] != 0) atomicAdd(&counts[k], static_cast<unsigned long long>(mine[k]));
  }
}

/// Each function launches a kernel on `stream`.
struct MatrixLaunches {
  void (*fill)(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, const Tile& tile,
               std::size_t stride, void* out);
  void (*sum)(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, std::size_t begin,
              std::size_t rows, const MatrixParts& parts);
  void (*count)(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, std::size_t begin,
                std::size_t end, const MatrixBins& bins, unsigned long long* counts);
};
/// Returns the launches of a formula (sim/matrix/elements.hpp).
MatrixLaunches matrix_launches(std::size_t formula, bool periodic, bool floats);

}  // namespace orrery::sim::cuda
