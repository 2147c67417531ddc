// SPDX-License-Identifier: MIT
// The matrix of a quantity of all pairs of bodies, computed in parts on the CPU or a GPU with the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/bodies.hpp"
#include "sim/domain.hpp"
#include "sim/force.hpp"
#include "sim/matrix/numbers.hpp"

namespace orrery::sim {

/// distance: r = |x_j − x_i| to the nearest image. potential: the energy of the pair under a law. force: the force
/// between the two bodies, negative if attractive. inverse_power: (r² + ε²)^(−a/2). All are 0 on the diagonal.
enum class Quantity { distance, potential, force, inverse_power };
inline constexpr std::string_view quantity_names[] = {"distance", "potential", "force", "inverse-power"};

struct MatrixKind {
  Quantity quantity = Quantity::distance;
  int halves = 2;  ///< twice the exponent a of inverse_power: 1 … 31
  /// Elements are float32: distance and inverse_power computed in float from r² on, the others rounded at the end.
  bool floats = false;
};

/// A law and its constant.
struct MatrixForce {
  const PairForce* force = nullptr;  ///< may be null unless the quantity is potential or force; then ε = 0
  double coupling = 0;               ///< the constant of the law, |m_i s_i / w_i| of every body
};

/// A matrix. Columns are padded after their n numbers, so that whole vectors can be read.
struct PairMatrix {
  MatrixKind kind;
  std::size_t n = 0;
  std::size_t formula = 0;  ///< index in matrix::Formulas
  bool periodic = false;    ///< some axis is periodic
  MatrixNumbers numbers;
  std::vector<double> x, y, z, weight;

  [[nodiscard]] std::size_t element_bytes() const { return kind.floats ? sizeof(float) : sizeof(double); }
};

/// Throws ArgumentError if the exponent is out of range, or if the quantity needs a law and there is none.
PairMatrix pair_matrix(const MatrixKind& kind, const Bodies& bodies, const Domain& domain, const MatrixForce& force);

/// Rows [row, row + rows) and columns [column, column + columns).
struct Tile {
  std::size_t row = 0, rows = 0, column = 0, columns = 0;
};
inline constexpr std::size_t max_tile = 512;  ///< maximum rows and columns of a tile

/// One entry per row. A sum adds runs of 64 columns in order, in the precision of the matrix; the sums of runs, in
/// double, are the leaves of a binary tree padded by zeros. Minimum and maximum exclude the diagonal; `nearest` is the
/// lowest column with the minimum, −1 if there is none.
struct RowSums {
  std::vector<double> sum, least, greatest;
  std::vector<std::int64_t> nearest;
};

/// A histogram of the elements above the diagonal, in bins of equal width from low to high, both ends included.
struct MatrixBins {
  double low = 0, high = 1;
  std::vector<std::int64_t> counts;
};

/// Computes parts of one matrix. Members throw Error and are not thread-safe.
class MatrixBuilder {
 public:
  MatrixBuilder() = default;
  virtual ~MatrixBuilder() = default;
  MatrixBuilder(const MatrixBuilder&) = delete;
  MatrixBuilder& operator=(const MatrixBuilder&) = delete;

  /// Writes tiles[k] to out + k·bytes, row by row with `stride` elements per row, padded by zeros up to `bytes`. Calls
  /// after(k) when it is written, on any thread.
  virtual void fill(std::span<const Tile> tiles, std::size_t stride, std::size_t bytes, std::byte* out,
                    const std::function<void(std::size_t)>& after) = 0;
  /// Reduces rows [begin, end); without `extremes` only to their sums.
  virtual RowSums reduce(std::size_t begin, std::size_t end, bool extremes) = 0;
  /// Adds the elements of rows [begin, end) to the histogram.
  virtual void count(std::size_t begin, std::size_t end, MatrixBins& bins) = 0;
};

/// `matrix` must outlive the result. `target`: the SIMD target, an index into simd::available_targets().
std::unique_ptr<MatrixBuilder> make_matrix_on_cpu(const PairMatrix& matrix, int threads, std::size_t target = 0);
/// `matrix` must outlive the result. Throws Error, Fault::request, in a program without CUDA. The threads call `after`.
std::unique_ptr<MatrixBuilder> make_matrix_on_cuda(const PairMatrix& matrix, int device, int threads);

namespace study {
class Work;
/// Work on n random bodies in a cube, in GPU memory, that a study times: storing the n² distances (n a multiple of 4),
/// and n row sums of a quantity (potential and force of gravity) without storing elements.
std::unique_ptr<Work> make_matrix_fill(int device, std::size_t n, bool floats);
std::unique_ptr<Work> make_matrix_reduce(int device, std::size_t n, bool floats, Quantity quantity);
/// Returns arithmetic operations per pair of these row sums. A square root counts as 8, for its Newton steps.
int matrix_reduce_operations(Quantity quantity);
}  // namespace study

}  // namespace orrery::sim
