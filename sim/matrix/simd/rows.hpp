// SPDX-License-Identifier: MIT
// Rows of a matrix of pairs, compiled once per SIMD target, all with the same bits.
#pragma once

#include <cstddef>
#include <span>

#include "sim/backends/simd/targets.hpp"
#include "sim/matrix/numbers.hpp"

namespace orrery::sim::simd {

/// Bodies, in arrays padded by at least 32 numbers.
struct MatrixColumns {
  const double *x, *y, *z, *weight;
};

/// Writes the elements of body i with bodies first … first + count − 1 to out; the diagonal is not treated specially.
struct MatrixRows {
  void (*in_double)(const MatrixColumns& bodies, std::size_t i, std::size_t first, std::size_t count,
                    const MatrixNumbers& numbers, double* out);
  void (*in_float)(const MatrixColumns& bodies, std::size_t i, std::size_t first, std::size_t count,
                   const MatrixNumbers& numbers, float* out);
};

struct MatrixKernels {
  std::span<const MatrixRows> rows;  ///< by formula (sim/matrix/elements.hpp)
  /// sums[k] += row[k]
  void (*add)(double* sums, const double* row, std::size_t count);
  void (*add_floats)(float* sums, const float* row, std::size_t count);
};

const MatrixKernels& matrix_kernels(target::avx512);
const MatrixKernels& matrix_kernels(target::avx2);
const MatrixKernels& matrix_kernels(target::neon);
const MatrixKernels& matrix_kernels(target::generic);

}  // namespace orrery::sim::simd
