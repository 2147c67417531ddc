// SPDX-License-Identifier: MIT
#include "sim/matrix/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

using std::size_t;

template <class Formula, bool periodic, class T>
void fill(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, const Tile& tile,
          size_t stride, void* out) {
  const dim3 grid(blocks_for(stride, matrix_block * (16 / sizeof(T))), blocks_for(tile.rows, fill_rows));
  fill_kernel<Formula, periodic, T>
      <<<grid, matrix_block, 0, stream.get().stream>>>(field, numbers, tile, stride, static_cast<T*>(out));
  check(cudaGetLastError(), "filling a matrix");
}

template <class Formula, bool periodic, class T>
void sum(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, size_t begin, size_t rows,
         const MatrixParts& parts) {
  const dim3 grid(blocks_for(rows, sum_block * sum_rows), blocks_for(field.n, matrix_leaf));
  const auto kernel =
      parts.least == nullptr ? sum_kernel<Formula, periodic, T, false> : sum_kernel<Formula, periodic, T, true>;
  kernel<<<grid, sum_block, 0, stream.get().stream>>>(field, numbers, begin, rows, parts);
  check(cudaGetLastError(), "adding up a matrix");
}

template <class Formula, bool periodic, class T>
void count(const Stream& stream, const MatrixParticles& field, const MatrixNumbers& numbers, size_t begin, size_t end,
           const MatrixBins& bins, unsigned long long* counts) {
  const dim3 grid(blocks_for(field.n, matrix_block), blocks_for(end - begin, fill_rows));
  const auto many = static_cast<unsigned>(bins.counts.size());
  const double scale = bins.high > bins.low ? static_cast<double>(many) / (bins.high - bins.low) : 0;
  count_kernel<Formula, periodic, T><<<grid, matrix_block, 0, stream.get().stream>>>(
      field, numbers, begin, end, bins.low, bins.high, scale, many, counts);
  check(cudaGetLastError(), "counting the elements of a matrix");
}

template <class Formula, bool periodic>
MatrixLaunches launches_of(bool floats) {
  if (floats) return {fill<Formula, periodic, float>, sum<Formula, periodic, float>, count<Formula, periodic, float>};
  return {fill<Formula, periodic, double>, sum<Formula, periodic, double>, count<Formula, periodic, double>};
}

template <class... Formula>
MatrixLaunches launches_in(matrix::FormulaList<Formula...>, size_t formula, bool periodic, bool floats) {
  constexpr MatrixLaunches (*open[])(bool) = {launches_of<Formula, false>...};
  constexpr MatrixLaunches (*images[])(bool) = {launches_of<Formula, true>...};
  return (periodic ? images : open)[formula](floats);
}

}  // namespace

MatrixLaunches matrix_launches(size_t formula, bool periodic, bool floats) {
  return launches_in(matrix::Formulas{}, formula, periodic, floats);
}

}  // namespace orrery::sim::cuda
