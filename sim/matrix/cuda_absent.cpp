// SPDX-License-Identifier: MIT
// Matrices of pairs on a GPU, in a program without CUDA.
#include "common/error.hpp"
#include "sim/backends/cuda.hpp"
#include "sim/matrix/pair_matrix.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim {

std::unique_ptr<MatrixBuilder> make_matrix_on_cuda(const PairMatrix& /*matrix*/, int /*device*/, int /*threads*/) {
  throw Error(cuda_backend.absence(), Fault::request);
}

std::unique_ptr<study::Work> study::make_matrix_fill(int /*device*/, std::size_t /*n*/, bool /*floats*/) {
  throw Error(cuda_backend.absence(), Fault::request);
}

std::unique_ptr<study::Work> study::make_matrix_reduce(int /*device*/, std::size_t /*n*/, bool /*floats*/,
                                                       Quantity /*quantity*/) {
  throw Error(cuda_backend.absence(), Fault::request);
}

}  // namespace orrery::sim
