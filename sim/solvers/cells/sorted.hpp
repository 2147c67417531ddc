// SPDX-License-Identifier: MIT
// Bodies in the order of the cells in which they were when last sorted.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/solvers/cells/buffers.hpp"
#include "sim/solvers/cells/space.hpp"

namespace orrery::sim::cells {

/// Calls task(worker, begin, end) for blocks of bodies. Threads take about eight runs of blocks each, dynamically.
template <class Task>
void for_blocks(ThreadPool& threads, std::size_t n, const Task& task) {
  constexpr std::size_t block = simd::cell_block;
  const std::size_t blocks = (n + block - 1) / block;
  const std::size_t workers = std::min(static_cast<std::size_t>(threads.size()), blocks);
  if (workers == 0) return;
  const std::size_t run = std::max<std::size_t>(1, blocks / (8 * workers));
  std::atomic<std::size_t> next = 0;
  threads.for_each(0, workers, [&](std::size_t worker) {
    for (std::size_t first = next.fetch_add(run); first < blocks; first = next.fetch_add(run)) {
      for (std::size_t k = first; k < std::min(first + run, blocks); ++k)
        task(worker, k * block, std::min((k + 1) * block, n));
    }
  });
}

/// A multithreaded counting sort. The order within a cell is arbitrary, since sums use the order of the system, unless ranks must
/// agree about it.
template <class T>
class Sorted {
 public:
  /// Starts in the order of the system.
  Sorted(std::size_t n, const Box<T>& box, const simd::MotionKernels<T>& kernels, ThreadPool& threads,
         bool orders_cells)
      : n_(n),
        orders_cells_(orders_cells),
        box_(box),
        kernels_(kernels),
        threads_(threads),
        id_(n),
        next_id_(n),
        cell_(n),
        rank_(n) {
    for (std::size_t q = 0; q < box.dimensions; ++q) {
      for (auto* all : {&x_, &v_, &next_, &next_v_}) (*all)[q].widen(n + 1);
      x_[q][n] = next_[q][n] = std::numeric_limits<T>::quiet_NaN();  // no body
    }
    std::iota(id_.get(), id_.get() + n, std::uint32_t{0});
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  /// Positions, velocities, and positions after a drift.
  T* x(std::size_t q) { return x_[q].get(); }
  [[nodiscard]] const T* x(std::size_t q) const { return x_[q].get(); }
  T* v(std::size_t q) { return v_[q].get(); }
  T* next(std::size_t q) { return next_[q].get(); }
  [[nodiscard]] const std::uint32_t* id() const { return id_.get(); }
  void moved() {
    std::swap(x_, next_);
    std::swap(woven_, next_woven_);
  }
  /// Interleaves positions for the loops over lists. Until the next sort `next_woven` must be written with `next`.
  void weave() {
    for (auto* woven : {&woven_, &next_woven_}) {
      woven->widen(4 * (n_ + 1));
      std::fill_n(woven->get() + 4 * n_, 4, std::numeric_limits<T>::quiet_NaN());
    }
    for_blocks(threads_, n_, [&](std::size_t, std::size_t begin, std::size_t end) {
      const T* x[3] = {};
      for (std::size_t q = 0; q < box_.dimensions; ++q) x[q] = x_[q].get() + begin;
      kernels_.weave(woven_.get() + 4 * begin, x, box_.dimensions, end - begin);
    });
  }
  [[nodiscard]] const T* woven() const { return woven_.get(); }
  T* next_woven() { return next_woven_.get(); }

  /// Sorts bodies into new cells with rows of width `row`, or at least `needed`.
  void sort(double row, double needed) {
    std::array<Extent, 3> extents{};
    for (std::size_t q = 0; q < box_.dimensions; ++q) extents[q] = extent_of(q);
    grid_ = Grid<T>::of(extents, box_.dimensions, row, n_);
    constexpr auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    // Fall back to a single row.
    if (!rows_are(needed, 16 * epsilon)) grid_ = Grid<T>::of({extents[0], {}, {}}, box_.dimensions, row, n_);
    start_.widen(grid_.count + 1);
    count();
    add_up();
    scatter();
  }
  [[nodiscard]] const simd::CellGrid<T>& grid() const { return grid_.cells; }
  [[nodiscard]] const std::uint32_t* start() const { return start_.get(); }
  /// The average over bodies of the number of other bodies in the same cell.
  [[nodiscard]] double cellmates() const { return cellmates_; }
  /// The maximum finite |coordinate|.
  [[nodiscard]] double farthest() const { return farthest_; }
  /// Returns whether some body with finite coordinates was outside a bounded box.
  [[nodiscard]] bool has_outsiders() const { return outsiders_; }
  /// Returns whether rows are at least needed + 2·slack·|x| wide.
  [[nodiscard]] bool rows_are(double needed, double slack) const {
    for (std::size_t q = 1; q < box_.dimensions; ++q) {
      const auto last = static_cast<double>(grid_.cells.last[q]), inverse = static_cast<double>(grid_.cells.inverse[q]);
      if (last == 0) continue;
      const double low = std::abs(static_cast<double>(grid_.cells.low[q]));
      const double width = needed + 2 * slack * (low + (last + 1) / inverse + needed);
      constexpr double rounding = 16 * static_cast<double>(std::numeric_limits<T>::epsilon());
      if (!(width * inverse * (1 + 1e-6) + rounding * (last + 1 + low * inverse) <= 1)) return false;
    }
    return true;
  }

 private:
  /// The box, or along an open axis where most of the bodies are; distant bodies belong to the outermost cells.
  [[nodiscard]] Extent extent_of(std::size_t q) const {
    const auto& axis = box_.axes[q];
    if (axis.bounded) return {static_cast<double>(axis.low), static_cast<double>(axis.high)};
    constexpr std::size_t most = 1024;
    std::vector<double> sample;
    const std::size_t step = (n_ + most - 1) / most;
    for (std::size_t i = 0; i < n_; i += step) {
      const auto x = static_cast<double>(x_[q][i]);
      if (std::isfinite(x)) sample.push_back(x);
    }
    if (sample.empty()) return {};
    std::ranges::sort(sample);
    const std::size_t cut = sample.size() > 64 ? sample.size() / 50 : 0;
    const double low = sample[cut], high = sample[sample.size() - 1 - cut], more = cut > 0 ? (high - low) / 4 : 0;
    return {low - more, high + more};
  }
  void count() {
    constexpr std::size_t piece = 1 << 16;
    const std::size_t cells = grid_.count + 1;
    threads_.for_each(0, (cells + piece - 1) / piece, [&](std::size_t k) {
      std::fill(start_.get() + k * piece, start_.get() + std::min((k + 1) * piece, cells), 0U);
    });
    const bool alone = threads_.size() == 1;
    std::atomic<bool> outsiders = false;
    std::atomic<std::uint64_t> met = 0;
    std::atomic<double> farthest = 0;
    for_blocks(threads_, n_, [&](std::size_t, std::size_t begin, std::size_t end) {
      const T* x[3] = {x_[0].get(), x_[1].get(), x_[2].get()};
      std::uint32_t cells_of[simd::cell_block + simd::cell_padding];
      kernels_.place(grid_.cells, x, box_.dimensions, begin, end, cells_of);
      std::uint64_t ranks = 0;
      for (std::size_t i = begin; i < end; ++i) {
        std::uint32_t& count = start_[cells_of[i - begin]];
        cell_[i] = cells_of[i - begin];
        rank_[i] =
            alone ? count++ : __atomic_fetch_add(&count, 1U, __ATOMIC_RELAXED);  // libc++ 16 has no std::atomic_ref
        ranks += rank_[i];
      }
      met += ranks;
      T far = 0;
      for (std::size_t q = 0; q < box_.dimensions; ++q) {
        for (std::size_t i = begin; i < end; ++i) {
          const T size = std::abs(x[q][i]);
          far = size > far && size <= std::numeric_limits<T>::max() ? size : far;
        }
      }
      for (double known = farthest; known < static_cast<double>(far);) {
        if (farthest.compare_exchange_weak(known, static_cast<double>(far))) break;
      }
      for (std::size_t q = 0; q < box_.dimensions; ++q) {
        const auto& axis = box_.axes[q];
        if (!axis.bounded) continue;
        constexpr T greatest = std::numeric_limits<T>::max();
        int beyond = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const T at = x[q][i];
          beyond += ((at < axis.low) & (at >= -greatest)) | ((at > axis.high) & (at <= greatest));
        }
        if (beyond > 0) outsiders = true;
      }
    });
    outsiders_ = outsiders;
    cellmates_ = n_ > 0 ? 2 * static_cast<double>(met) / static_cast<double>(n_) : 0;
    farthest_ = farthest;
  }
  /// Replaces counts by the starts of cells.
  void add_up() {
    constexpr std::size_t piece = 1 << 15;
    const std::size_t cells = grid_.count + 1, pieces = (cells + piece - 1) / piece;
    std::vector<std::uint32_t> before(pieces + 1);
    const auto part = [&](std::size_t k) {
      return std::span(start_.get() + k * piece, std::min(piece, cells - k * piece));
    };
    threads_.for_each(0, pieces, [&](std::size_t k) {
      const auto counts = part(k);
      before[k + 1] = std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
    });
    std::partial_sum(before.begin(), before.end(), before.begin());
    threads_.for_each(0, pieces, [&](std::size_t k) {
      const auto counts = part(k);
      std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), before[k]);
    });
  }
  void scatter() {
    for_blocks(threads_, n_, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) rank_[i] += start_[cell_[i]];
      for (std::size_t q = 0; q < box_.dimensions; ++q) {
        for (std::size_t i = begin; i < end; ++i) next_[q][rank_[i]] = x_[q][i];
        for (std::size_t i = begin; i < end; ++i) next_v_[q][rank_[i]] = v_[q][i];
      }
      for (std::size_t i = begin; i < end; ++i) next_id_[rank_[i]] = id_[i];
    });
    std::swap(x_, next_);
    std::swap(v_, next_v_);
    std::swap(id_, next_id_);
    if (orders_cells_) order_cells();
  }
  /// Orders the bodies of each cell as in the system.
  void order_cells() {
    constexpr std::size_t piece = 1 << 12;
    threads_.for_each(0, (grid_.count + piece - 1) / piece, [&](std::size_t k) {
      std::vector<std::uint32_t> order;
      std::vector<T> before;
      for (std::size_t c = k * piece; c < std::min<std::size_t>((k + 1) * piece, grid_.count); ++c) {
        const std::size_t first = start_[c], size = start_[c + 1] - first;
        std::uint32_t* const id = id_.get() + first;
        if (std::is_sorted(id, id + size)) continue;
        order.resize(size);
        std::iota(order.begin(), order.end(), std::uint32_t{0});
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return id[i]; });
        std::sort(id, id + size);
        for (auto* columns : {&x_, &v_}) {
          for (std::size_t q = 0; q < box_.dimensions; ++q) {
            T* const values = (*columns)[q].get() + first;
            before.assign(values, values + size);
            for (std::size_t i = 0; i < size; ++i) values[i] = before[order[i]];
          }
        }
      }
    });
  }

  std::size_t n_;
  bool orders_cells_;
  const Box<T>& box_;
  const simd::MotionKernels<T>& kernels_;
  ThreadPool& threads_;
  std::array<PaddedArray<T>, 3> x_, v_, next_, next_v_;
  PaddedArray<std::uint32_t> id_, next_id_, cell_, rank_, start_;
  PaddedArray<T> woven_, next_woven_;
  Grid<T> grid_;
  bool outsiders_ = false;
  double cellmates_ = 0, farthest_ = 0;
};

}  // namespace orrery::sim::cells
