// SPDX-License-Identifier: MIT
// The bodies of an octree that act by one force, on the processor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/solvers/tree/octree.hpp"

namespace orrery::sim::tree {

inline constexpr std::uint32_t no_source = std::numeric_limits<std::uint32_t>::max();

/// The bodies with weight, in order, readable for `lanes` numbers beyond the last.
class Sources {
 public:
  explicit Sources(std::size_t bodies) : rank_(bodies), w_(bodies + lanes) {}

  /// Sorts the weights of a force, and sets the sources of each cell.
  void take(const std::vector<double>& weights, Octree& tree, ThreadPool& threads) {
    const auto& order = tree.order();
    const simd::TreeColumns bodies = tree.bodies();
    std::atomic<bool> idle = false;
    for_blocks(threads, 0, order.size(), block, [&](std::size_t, std::size_t begin, std::size_t end) {
      bool some = false;
      for (std::size_t k = begin; k < end; ++k) {
        w_.get()[k] = weights[order[k]];
        some |= w_.get()[k] == 0;
      }
      if (some) idle = true;
    });
    all_ = !idle;
    columns_ = {bodies.x, bodies.y, bodies.z, w_.get()};
    if (!all_) compact(bodies);
    for_blocks(threads, 0, tree.cells().size(), block, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        simd::TreeCell& cell = tree.cells()[c];
        cell.first_source = all_ ? cell.begin : first_from(cell.begin);
        cell.last_source = all_ ? cell.end : first_from(cell.end);
      }
    });
  }
  [[nodiscard]] const simd::TreeColumns& columns() const { return columns_; }
  /// The number of the source that the body at place k is, or no_source.
  [[nodiscard]] std::uint32_t rank(std::size_t k) const {
    if (all_) return static_cast<std::uint32_t>(k);
    return rank_[k] < first_from(k + 1) ? rank_[k] : no_source;
  }

 private:
  static constexpr std::size_t block = 4096;

  /// The number of sources before place k.
  [[nodiscard]] std::uint32_t first_from(std::size_t k) const { return k < rank_.size() ? rank_[k] : count_; }

  void compact(const simd::TreeColumns& bodies) {
    for (AlignedArray& one : x_) {
      if (one.get() == nullptr) one = AlignedArray(rank_.size() + lanes);
    }
    count_ = 0;
    for (std::size_t k = 0; k < rank_.size(); ++k) {
      rank_[k] = count_;
      if (w_.get()[k] == 0) continue;
      x_[0].get()[count_] = bodies.x[k], x_[1].get()[count_] = bodies.y[k], x_[2].get()[count_] = bodies.z[k];
      w_.get()[count_++] = w_.get()[k];
    }
    columns_ = {x_[0].get(), x_[1].get(), x_[2].get(), w_.get()};
  }

  bool all_ = true;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> rank_;  ///< sources before each body
  AlignedArray w_, x_[3];
  simd::TreeColumns columns_{};
};

}  // namespace orrery::sim::tree
