// SPDX-License-Identifier: MIT
// The matrix of a quantity of all pairs of bodies: described here, made in parts on a processor or a GPU with the same bits.
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

/// distance: r = |x_j − x_i|, by nearest images. potential: the energy of the pair under a law. force: what its two bodies do to
/// each other, below 0 where they attract. inverse_power: (r² + ε²)^(−a/2). On the diagonal all are 0.
enum class Quantity { distance, potential, force, inverse_power };
inline constexpr std::string_view quantity_names[] = {"distance", "potential", "force", "inverse-power"};

/// What an element is made of.
struct MatrixKind {
  Quantity quantity = Quantity::distance;
  int halves = 2;  ///< the exponent a of inverse_power in halves: 1 … 31
  bool floats =
      false;  ///< elements are float32: of distance and inverse_power all behind r² is, of others the last rounding
};

/// A law and what it is multiplied with.
struct MatrixForce {
  const PairForce* force = nullptr;  ///< may be null where neither potential nor force is wanted: then ε is 0
  double coupling = 0;               ///< the constant of the law, |m_i s_i / w_i| of every body
};

/// Everything that an element takes. Columns have padding behind their n numbers, so that vectors may be read on.
struct PairMatrix {
  MatrixKind kind;
  std::size_t n = 0;
  std::size_t formula = 0;  ///< which of the tables of kernels
  bool joined = false;      ///< some axis has images
  MatrixNumbers numbers;
  std::vector<double> x, y, z, weight;

  [[nodiscard]] std::size_t element_bytes() const { return kind.floats ? sizeof(float) : sizeof(double); }
};

/// Throws ArgumentError for an exponent that is none, and where a law is wanted and missing.
PairMatrix pair_matrix(const MatrixKind& kind, const Bodies& bodies, const Domain& domain, const MatrixForce& force);

/// Rows [row, row + rows) and columns [column, column + columns).
struct Tile {
  std::size_t row = 0, rows = 0, column = 0, columns = 0;
};
inline constexpr std::size_t most_tile = 512;  ///< rows and columns of one

/// Of some rows, each entry one of them. A sum takes the columns in runs of 64, added up one after the other from 0 in the
/// matrix's own precision; the sums of runs, in double, are the leaves of a binary tree that zeros fill up. Others leave out the
/// diagonal; `nearest` is the lowest column with the least element, −1 where there is none.
struct RowSums {
  std::vector<double> sum, least, greatest;
  std::vector<std::int64_t> nearest;
};

/// Counts of elements above the diagonal, in bins of equal width from low to high, both ends included; others count nowhere.
struct MatrixBins {
  double low = 0, high = 1;
  std::vector<std::int64_t> counts;
};

/// Makes parts of one matrix. Members throw Error; one thread at a time may use it.
class MatrixMaker {
 public:
  MatrixMaker() = default;
  virtual ~MatrixMaker() = default;
  MatrixMaker(const MatrixMaker&) = delete;
  MatrixMaker& operator=(const MatrixMaker&) = delete;

  /// tiles[k] → out + k·bytes, row by row, `stride` elements from one to the next, zeros behind the last column and below the last
  /// row up to `bytes`. Calls after(k) when it is there, on any thread.
  virtual void fill(std::span<const Tile> tiles, std::size_t stride, std::size_t bytes, std::byte* out,
                    const std::function<void(std::size_t)>& after) = 0;
  /// Rows [begin, end); without `extremes` sums alone.
  virtual RowSums reduce(std::size_t begin, std::size_t end, bool extremes) = 0;
  /// Adds those of rows [begin, end).
  virtual void count(std::size_t begin, std::size_t end, MatrixBins& bins) = 0;
};

/// `matrix` must live as long.
std::unique_ptr<MatrixMaker> make_matrix_on_cpu(const PairMatrix& matrix, int threads);
/// The same with a chosen SIMD target: an index into simd::available_targets().
std::unique_ptr<MatrixMaker> make_matrix_on_cpu(const PairMatrix& matrix, int threads, std::size_t target);
/// Throws Error, exit code 2, in a program without CUDA. The threads call `after`.
std::unique_ptr<MatrixMaker> make_matrix_on_cuda(const PairMatrix& matrix, int device, int threads);

namespace study {
class Work;
/// What a study times, in memory of a GPU, with n bodies at random in a cube: one pass over n rows of n distances, where it stays
/// (n a multiple of 4); and n row sums of a quantity (of potential, gravity), without one.
std::unique_ptr<Work> make_matrix_fill(int device, std::size_t n, bool floats);
std::unique_ptr<Work> make_matrix_reduce(int device, std::size_t n, bool floats, Quantity quantity);
/// Operations of double or float arithmetic a pair in these row sums, a square root counted as 8, as its Newton steps come to.
int matrix_reduce_operations(Quantity quantity);
}  // namespace study

}  // namespace orrery::sim
