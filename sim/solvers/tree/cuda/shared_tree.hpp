// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "sim/backends/cuda/exchange.hpp"
#include "sim/backends/cuda/timed.hpp"
#include "sim/ranks/moving_parts.hpp"
#include "sim/solvers/tree/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Ranks whose GPUs reach each other share bodies in order and what is known of cells: each makes those of its bodies, and
/// writes them to all. Bodies move to ranks that take less time.
struct SharedTree {
  Ranks& ranks;
  const Device& device;
  std::unique_ptr<Exchange> arrays;
  MovingParts parts;  ///< bodies in order
  TimedEvaluations times;
  DeviceArray<std::uint32_t> joint_cells;

  SharedTree(Ranks& all, const Device& gpu, std::size_t n)
      : ranks(all),
        device(gpu),
        arrays(std::make_unique<Exchange>(all, gpu, 1)),
        parts(
            &all, [=](std::span<const double> speeds) { return parts_by_speed(n, speeds); },
            [](const RankRange& bodies) { return static_cast<double>(bodies.last - bodies.first); }, 0.99),
        times(gpu),
        joint_cells(gpu, 1 + JointCells::room(all.size())) {}
  /// Null if the GPUs do not all reach each other.
  static std::unique_ptr<SharedTree> of(Ranks& ranks, const Device& device, std::size_t n) {
    auto shared = std::make_unique<SharedTree>(ranks, device, n);
    if (shared->arrays->is_direct()) return shared;
    shared->arrays->close();
    return nullptr;
  }
  [[nodiscard]] std::size_t joint_numbers() const {
    return static_cast<std::size_t>(ranks.size()) * JointCells::room(ranks.size());
  }
  void make_room(std::size_t numbers) {
    arrays->close();
    arrays.reset();  // first, so that both are never there at once
    arrays = std::make_unique<Exchange>(ranks, device, numbers + joint_numbers());
  }
  /// `joint`: behind the other arrays.
  void set(TreeOfForce& tree, double* joint) const {
    tree.joint = {joint_cells.get(), joint, ranks.rank(), ranks.size(), {}};
    for (std::size_t rank = 1; rank < parts.of_all().size(); ++rank)
      tree.joint.border[rank - 1] = static_cast<std::uint32_t>(parts.of_all()[rank].first);
    for (int other = 0; other < ranks.size(); ++other) {
      if (other != ranks.rank()) tree.peers.bytes[tree.peers.count++] = arrays->bytes_to(other);
    }
  }
};

}  // namespace orrery::sim::cuda
