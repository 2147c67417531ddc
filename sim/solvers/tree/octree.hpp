// SPDX-License-Identifier: MIT
// The octree on the processor: bodies sorted by keys, and cells level by level.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/backends/cpu/array.hpp"
#include "sim/solvers/tree/simd/expansions.hpp"

namespace orrery::sim::tree {

/// Calls task(worker, begin, end) for blocks of [begin, end), each worker on one thread.
template <class Task>
void for_blocks(ThreadPool& threads, std::size_t begin, std::size_t end, std::size_t block, const Task& task) {
  const std::size_t blocks = (end - begin + block - 1) / block;
  const std::size_t workers = blocks < static_cast<std::size_t>(threads.size()) ? blocks : threads.size();
  std::atomic<std::size_t> next = 0;
  threads.for_each(0, workers, [&](std::size_t worker) {
    for (std::size_t k = next++; k < blocks; k = next++) {
      const std::size_t first = begin + k * block;
      task(worker, first, first + block < end ? first + block : end);
    }
  });
}

class Octree {
 public:
  Octree(std::size_t bodies, std::size_t leaf_size, ThreadPool& threads);

  /// Sorts the bodies and makes the cells. Returns false, and does nothing else, if the positions are out of range.
  /// Throws Error if there are too many cells.
  bool build(const double* const (&position)[3]);

  [[nodiscard]] std::size_t size() const { return n_; }
  /// The body at each place.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  /// Positions in order, readable for `lanes` numbers beyond the last; without weights.
  [[nodiscard]] simd::TreeColumns bodies() const { return {x_[0].get(), x_[1].get(), x_[2].get(), nullptr}; }
  std::vector<simd::TreeCell>& cells() { return cells_; }
  [[nodiscard]] const std::vector<simd::TreeCell>& cells() const { return cells_; }
  /// The first cell of each level, and the number of cells.
  [[nodiscard]] const std::vector<std::size_t>& levels() const { return levels_; }

 private:
  struct Cube {
    double low[3], scale;
  };
  bool find_cube(const double* const (&position)[3], Cube& cube);
  void sort();
  void divide();
  void divide_level(std::size_t begin, std::size_t end, int level);
  template <class Task>
  void each_part(const Task& task);

  std::size_t n_, leaf_size_;
  ThreadPool& threads_;
  std::size_t parts_;  ///< of the bodies, one for each thread
  std::vector<std::uint64_t> keys_, other_keys_;
  std::vector<std::uint32_t> order_, other_order_;
  std::vector<std::uint32_t> counts_;  ///< [parts][digits]
  AlignedArray x_[3];
  std::vector<simd::TreeCell> cells_;
  std::vector<std::size_t> levels_;
  struct Ends {
    std::uint32_t of_octant[8];
  };
  std::vector<Ends> ends_;            ///< of the octants of the cells of a level
  std::vector<std::size_t> offsets_;  ///< of their children
};

}  // namespace orrery::sim::tree
