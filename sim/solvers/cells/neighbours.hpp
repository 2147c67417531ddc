// SPDX-License-Identifier: MIT
// Who may be near whom while bodies move: cells that are kept for some steps, or lists of neighbours.
//
// Cells: what is looked for within grows by as far as anybody has moved since bodies were sorted, until two rows no longer hold
// it. Lists hold all within the cutoff and a skin, until two bodies may have come through it. Both bounds are looked at before
// every evaluation, so that no result depends on them, nor on when bodies are sorted or how wide cells and skins are.
#pragma once

#include <deque>
#include <vector>

#include "sim/solvers/cells/desk.hpp"
#include "sim/solvers/cells/sorted.hpp"

namespace orrery::sim::cells {

template <class T>
class Neighbours {
 public:
  Neighbours(std::size_t n, const Box<T>& box, double cutoff, const simd::MotionKernels<T>& kernels,
             ThreadPool& threads, std::vector<Desk<T>>& desks);

  Sorted<T>& bodies() { return bodies_; }
  /// Somebody is elsewhere.
  void forget() { are_good_ = false; }
  /// What evaluations need at the present positions.
  void prepare();
  [[nodiscard]] simd::CellBodies<T> cells(const LawNumbers& numbers) const;
  /// Of the block that begins there; null where bodies are looked for in cells.
  [[nodiscard]] const simd::ListRoom* lists(std::size_t begin) const {
    return listed_ ? &lists_[begin / simd::cell_block] : nullptr;
  }
  /// By the velocities that desks noted at that part of a pass.
  void drifted(std::size_t part, double dt);
  /// After all drifts of a pass.
  void moved();

 private:
  [[nodiscard]] double rounding() const;
  [[nodiscard]] double reach() const;
  [[nodiscard]] double slack() const;
  [[nodiscard]] double needed() const;
  [[nodiscard]] bool are_good() const;
  [[nodiscard]] double crowd() const;
  [[nodiscard]] double best_skin() const;
  void make_lists();

  const Box<T>& box_;
  double cutoff_;
  const simd::MotionKernels<T>& kernels_;
  ThreadPool& threads_;
  std::vector<Desk<T>>& desks_;
  Sorted<T> bodies_;
  std::deque<Lists> lists_;  ///< of blocks
  bool are_good_ = false, listed_ = false;
  double skin_ = 0;
  /// As far as anybody has moved along an axis, and at all, since bodies were sorted; in how many drifts.
  double along_axis_ = 0, moved_ = 0;
  int drifts_ = 0;
  double moved_before_ = 0, pace_ = 0;  ///< from one evaluation to the next
};

}  // namespace orrery::sim::cells
