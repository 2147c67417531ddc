// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>

#include "common/thread_pool.hpp"
#include "sim/matrix/elements.hpp"
#include "sim/matrix/pair_matrix.hpp"
#include "sim/matrix/simd/rows.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

const simd::MatrixKernels& kernels_of(simd::Target target) {
  return simd::of_target(
      target, [](auto t) -> const auto& { return simd::matrix_kernels(t); });
}

constexpr size_t rows_together = 256;  ///< rows summed together, whose state fits the first-level cache
constexpr size_t max_levels = 40;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// State of the sums of some rows.
template <class T>
struct RowBlock {
  std::array<T, rows_together> element, run;
  std::array<double, rows_together> sum;
  std::array<double, rows_together> least, greatest;
  std::array<std::int64_t, rows_together> nearest;
  std::vector<std::array<double, rows_together>> pending;  ///< sums of the tree, by level

  RowBlock() { least.fill(infinity), greatest.fill(-infinity), nearest.fill(-1); }

  void update_extremes(std::int64_t column, size_t rows) {
    for (size_t k = 0; k < rows; ++k) {
      const auto value = static_cast<double>(element[k]);
      nearest[k] = value < least[k] ? column : nearest[k];
      least[k] = value < least[k] ? value : least[k];
      greatest[k] = greatest[k] < value ? value : greatest[k];
    }
  }
  /// Adds `sum` to the tree as leaf number `leaf`.
  void add_leaf(size_t leaf, size_t rows) {
    for (size_t level = 0; level < max_levels; ++level) {
      if (level == pending.size()) pending.emplace_back();
      auto& kept = pending[level];
      if ((leaf >> level & 1U) == 0) {
        std::copy_n(sum.begin(), rows, kept.begin());
        return;
      }
      for (size_t k = 0; k < rows; ++k) sum[k] = kept[k] + sum[k];
    }
  }
};

class OnCpu final : public MatrixBuilder {
 public:
  OnCpu(const PairMatrix& matrix, int threads, simd::Target target)
      : matrix_(matrix),
        kernels_(kernels_of(target)),
        rows_(kernels_.rows[matrix.formula]),
        columns_{matrix.x.data(), matrix.y.data(), matrix.z.data(), matrix.weight.data()},
        pool_(thread_pool(threads)) {}

  void fill(std::span<const Tile> tiles, size_t stride, size_t bytes, std::byte* out,
            const std::function<void(size_t)>& after) override {
    pool_->for_each(0, tiles.size(), [&](size_t k) {
      with_type([&]<class T>(T) { fill_one(tiles[k], stride, bytes, reinterpret_cast<T*>(out + k * bytes)); });
      after(k);
    });
  }

  RowSums reduce(size_t begin, size_t end, bool extremes) override {
    RowSums sums;
    const size_t rows = end - begin;
    sums.sum.resize(rows);
    if (extremes) sums.least.resize(rows), sums.greatest.resize(rows), sums.nearest.resize(rows);
    pool_->for_each(0, (rows + rows_together - 1) / rows_together, [&](size_t k) {
      const size_t first = k * rows_together, some = std::min(rows_together, rows - first);
      with_type([&]<class T>(T) { reduce_some<T>(begin + first, some, first, extremes, sums); });
    });
    return sums;
  }

  void count(size_t begin, size_t end, MatrixBins& bins) override {
    std::mutex adding;
    constexpr size_t rows_a_task = 64;
    const double scale = bins.high > bins.low ? static_cast<double>(bins.counts.size()) / (bins.high - bins.low) : 0;
    pool_->for_each(0, (end - begin + rows_a_task - 1) / rows_a_task, [&](size_t task) {
      std::vector<std::int64_t> counts(bins.counts.size());
      const size_t first = begin + task * rows_a_task;
      for (size_t i = first; i < std::min(first + rows_a_task, end); ++i) {
        for (size_t j = i + 1; j < matrix_.n; j += max_tile) {
          const size_t some = std::min(max_tile, matrix_.n - j);
          std::array<double, max_tile> row;
          with_type([&]<class T>(T) {
            std::array<T, max_tile> elements;
            fill_row(i, j, some, elements.data());
            std::copy_n(elements.begin(), some, row.begin());
          });
          for (size_t k = 0; k < some; ++k) {
            if (!(row[k] >= bins.low && row[k] <= bins.high)) continue;
            ++counts[std::min(counts.size() - 1, static_cast<size_t>((row[k] - bins.low) * scale))];
          }
        }
      }
      const std::scoped_lock lock(adding);
      for (size_t k = 0; k < counts.size(); ++k) bins.counts[k] += counts[k];
    });
  }

 private:
  /// Calls function with a zero of the type of elements.
  template <class Function>
  void with_type(const Function& function) const {
    matrix_.kind.floats ? function(0.0F) : function(0.0);
  }
  void fill_row(size_t i, size_t first, size_t count, double* out) const {
    rows_.in_double(columns_, i, first, count, matrix_.numbers, out);
  }
  void fill_row(size_t i, size_t first, size_t count, float* out) const {
    rows_.in_float(columns_, i, first, count, matrix_.numbers, out);
  }
  void add(double* sums, const double* row, size_t count) const { kernels_.add(sums, row, count); }
  void add(float* sums, const float* row, size_t count) const { kernels_.add_floats(sums, row, count); }

  template <class T>
  void fill_one(const Tile& tile, size_t stride, size_t bytes, T* out) const {
    for (size_t r = 0; r < tile.rows; ++r) {
      const size_t i = tile.row + r;
      T* row = out + r * stride;
      fill_row(i, tile.column, tile.columns, row);
      if (i >= tile.column && i < tile.column + tile.columns) row[i - tile.column] = 0;
      std::fill(row + tile.columns, row + stride, T(0));
    }
    std::fill(out + tile.rows * stride, out + bytes / sizeof(T), T(0));
  }

  template <class T>
  void reduce_some(size_t first, size_t rows, size_t place, bool extremes, RowSums& sums) const {
    const auto some = std::make_unique<RowBlock<T>>();
    const size_t n = matrix_.n, runs = (n + matrix_run - 1) / matrix_run;
    size_t leaves = 1;
    while (leaves < runs) leaves *= 2;
    for (size_t leaf = 0; leaf < leaves; ++leaf) {
      some->run.fill(0);
      for (size_t j = leaf * matrix_run; j < std::min(n, (leaf + 1) * matrix_run); ++j) {
        fill_row(j, first, rows, some->element.data());  // row j, since the matrix is symmetric
        const bool diagonal = j >= first && j < first + rows;
        if (diagonal) some->element[j - first] = std::numeric_limits<T>::quiet_NaN();  // ignored by comparisons
        if (extremes) some->update_extremes(static_cast<std::int64_t>(j), rows);
        if (diagonal) some->element[j - first] = 0;
        add(some->run.data(), some->element.data(), rows);
      }
      std::copy_n(some->run.begin(), rows, some->sum.begin());
      some->add_leaf(leaf, rows);
    }
    std::copy_n(some->sum.begin(), rows, sums.sum.begin() + static_cast<std::ptrdiff_t>(place));
    if (!extremes) return;
    for (size_t k = 0; k < rows; ++k) {
      sums.least[place + k] = some->least[k];
      sums.greatest[place + k] = some->greatest[k];
      sums.nearest[place + k] = some->nearest[k];
    }
  }

  const PairMatrix& matrix_;
  const simd::MatrixKernels& kernels_;
  const simd::MatrixRows& rows_;
  simd::MatrixColumns columns_;
  std::shared_ptr<ThreadPool> pool_;
};

}  // namespace

std::unique_ptr<MatrixBuilder> make_matrix_on_cpu(const PairMatrix& matrix, int threads, std::size_t target) {
  return std::make_unique<OnCpu>(matrix, threads, simd::available_targets()[target]);
}

}  // namespace orrery::sim
