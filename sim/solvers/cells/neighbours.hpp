// SPDX-License-Identifier: MIT
// Neighbour search while bodies move, by cells that are kept for some steps or by neighbour lists.
//
// Cells: the search radius grows by the maximum displacement since bodies were sorted, until it exceeds the rows. Lists
// hold all pairs within the cutoff and a skin, until two bodies may have crossed it. Both bounds are checked before
// every evaluation, so no result depends on them, on when bodies are sorted, or on the widths of cells and skins.
#pragma once

#include <deque>
#include <limits>
#include <vector>

#include "sim/solvers/cells/sorted.hpp"

namespace orrery::sim::cells {

template <class T>
class Neighbours {
 public:
  Neighbours(std::size_t n, const Box<T>& box, double cutoff, const simd::MotionKernels<T>& kernels,
             ThreadPool& threads, std::vector<Workspace<T>>& workspaces);

  Sorted<T>& bodies() { return bodies_; }
  /// Invalidates cells and lists after positions were changed from outside.
  void invalidate() { are_valid_ = false; }
  /// Makes cells or lists valid for the present positions.
  void prepare();
  [[nodiscard]] simd::CellBodies<T> cells(const LawNumbers& numbers) const;
  /// Returns the lists of the block that begins at `begin`; null if cells are searched.
  [[nodiscard]] const simd::ListRoom* lists(std::size_t begin) const {
    return listed_ ? &lists_[begin / simd::cell_block] : nullptr;
  }
  /// Accounts for a drift with the velocities that the workspaces recorded in that part of a pass.
  void drifted(std::size_t part, double dt);
  /// To be called after all drifts of a pass.
  void moved();

 private:
  static constexpr double allowance = 1e-4;  ///< safety margin besides rounding, in cutoffs

  /// Relative rounding error of coordinates since bodies were sorted.
  [[nodiscard]] double slack() const {
    return 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (drifts_ + 1);
  }
  [[nodiscard]] double rounding() const;
  [[nodiscard]] double reach() const { return cutoff_ * (1 + allowance) + along_axis_ + rounding(); }
  [[nodiscard]] double needed() const;
  [[nodiscard]] bool are_valid() const;
  [[nodiscard]] double estimate() const;
  [[nodiscard]] double best_skin() const;
  void make_lists();

  const Box<T>& box_;
  double cutoff_;
  const simd::MotionKernels<T>& kernels_;
  ThreadPool& threads_;
  std::vector<Workspace<T>>& workspaces_;
  Sorted<T> bodies_;
  std::deque<Lists> lists_;  ///< of blocks
  bool are_valid_ = false, listed_ = false;
  double skin_ = 0;
  /// Maximum displacement along an axis and in total since bodies were sorted, and the number of drifts.
  double along_axis_ = 0, moved_ = 0;
  int drifts_ = 0;
  double moved_before_ = 0, pace_ = 0;  ///< pace_: displacement per evaluation
};

}  // namespace orrery::sim::cells
