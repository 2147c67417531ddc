// SPDX-License-Identifier: MIT
// Bodies held in the order of the cells that they were in when they were last sorted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/solvers/cells/room.hpp"
#include "sim/solvers/cells/space.hpp"

namespace orrery::sim::cells {

/// Calls task(worker, begin, end) for blocks of bodies, in runs: as many at a time as leave each thread some eight.
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
  /// In the order of the system.
  Sorted(std::size_t n, const Box<T>& box, const simd::MotionKernels<T>& kernels, ThreadPool& threads);

  [[nodiscard]] std::size_t size() const { return n_; }
  /// Where they are, how they move, and where they will be after a drift.
  T* x(std::size_t q) { return x_[q].get(); }
  [[nodiscard]] const T* x(std::size_t q) const { return x_[q].get(); }
  T* v(std::size_t q) { return v_[q].get(); }
  T* next(std::size_t q) { return next_[q].get(); }
  [[nodiscard]] const std::uint32_t* id() const { return id_.get(); }
  void moved() {
    std::swap(x_, next_);
    std::swap(woven_, next_woven_);
  }
  /// Positions as the loops over lists read them, from now on until they are sorted again; `next_woven` is to be written with `next`.
  void weave();
  [[nodiscard]] const T* woven() const { return woven_.get(); }
  T* next_woven() { return next_woven_.get(); }

  /// Puts them in the order of new cells with rows so wide, at least `needed`.
  void sort(double row, double needed);
  /// The cells, as far as they are known here.
  [[nodiscard]] const simd::CellGrid<T>& grid() const { return grid_.cells; }
  [[nodiscard]] const std::uint32_t* start() const { return start_.get(); }
  /// How many bodies a cell has, as the bodies see it: those of each one's cell but itself, on average.
  [[nodiscard]] double company() const { return company_; }
  /// The greatest coordinate that is a number.
  [[nodiscard]] double farthest() const { return farthest_; }
  /// Some body was outside a box that has ends, and no infinity.
  [[nodiscard]] bool has_outsiders() const { return outsiders_; }
  /// Whether rows are as wide as this, and 2·slack·|x| more.
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
  std::array<Room<T>, 3> x_, v_, next_, next_v_;
  Room<std::uint32_t> id_, next_id_, cell_, rank_, start_;
  Room<T> woven_, next_woven_;
  Grid<T> grid_;
  bool outsiders_ = false;
  double company_ = 0, farthest_ = 0;
};

}  // namespace orrery::sim::cells
