// SPDX-License-Identifier: MIT
// Bodies in the order of the cells in which they were when last sorted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
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

template <class T>
class Sorted {
 public:
  /// Starts in the order of the system.
  Sorted(std::size_t n, const Box<T>& box, const simd::MotionKernels<T>& kernels, ThreadPool& threads);

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
  /// Interleaves positions for the loops over lists, until the next sort; from then on `next_woven` must be written
  /// with `next`.
  void weave();
  [[nodiscard]] const T* woven() const { return woven_.get(); }
  T* next_woven() { return next_woven_.get(); }

  /// Sorts bodies into new cells with rows of width `row`, or at least `needed`.
  void sort(double row, double needed);
  [[nodiscard]] const simd::CellGrid<T>& grid() const { return grid_.cells; }
  [[nodiscard]] const std::uint32_t* start() const { return start_.get(); }
  /// The average over bodies of the number of other bodies in the same cell.
  [[nodiscard]] double cellmates() const { return cellmates_; }
  /// The maximum finite |coordinate|.
  [[nodiscard]] double farthest() const { return farthest_; }
  /// Returns whether some body with finite coordinates was outside a bounded box.
  [[nodiscard]] bool has_outsiders() const { return outsiders_; }
  /// Returns whether rows are at least needed + 2·slack·|x| wide.
  [[nodiscard]] bool rows_are(double needed, double slack) const;

 private:
  [[nodiscard]] Extent extent_of(std::size_t q) const;
  void count();
  void add_up();
  void scatter();

  std::size_t n_;
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
