// SPDX-License-Identifier: MIT
// The kernels of a matrix of pairs, one entry a formula: what their launches are seen as.
#pragma once

#include <cstddef>

#include "sim/backends/cuda/device.hpp"
#include "sim/matrix/numbers.hpp"
#include "sim/matrix/pair_matrix.hpp"

namespace orrery::sim::cuda {

struct MatrixParticles;
struct MatrixParts;

/// Each starts a kernel on `stream`; the arguments are those of kernels.cuh.
struct MatrixLaunches {
  void (*fill)(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, const Tile& tile,
               std::size_t stride, void* out);
  void (*sum)(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, std::size_t begin,
              std::size_t rows, const MatrixParts& parts);
  void (*count)(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, std::size_t begin,
                std::size_t end, const MatrixBins& bins, unsigned long long* counts);
};

/// Of a formula (sim/matrix/elements.hpp), in floats or doubles.
MatrixLaunches matrix_launches(std::size_t formula, bool joined, bool floats);

}  // namespace orrery::sim::cuda
