// SPDX-License-Identifier: MIT
// Neighbour search while bodies move, by cells that are kept for some steps or by neighbour lists.
//
// Cells: the search radius grows by the maximum displacement since bodies were sorted, until it exceeds the rows. Lists
// hold all pairs within the cutoff and a skin, until two bodies may have crossed it. Both bounds are checked before
// every evaluation, so no result depends on them, on when bodies are sorted, or on the widths of cells and skins.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <vector>

#include "sim/solvers/cells/sorted.hpp"

namespace orrery::sim::cells {

template <class T>
class Neighbours {
 public:
  Neighbours(std::size_t n, const Box<T>& box, double cutoff, const simd::MotionKernels<T>& kernels,
             ThreadPool& threads, std::vector<Workspace<T>>& workspaces, bool orders_cells)
      : box_(box),
        cutoff_(cutoff),
        kernels_(kernels),
        threads_(threads),
        workspaces_(workspaces),
        bodies_(n, box, kernels, threads, orders_cells) {}

  Sorted<T>& bodies() { return bodies_; }
  /// Invalidates cells and lists after positions were changed from outside.
  void invalidate() { are_valid_ = false; }
  /// Makes cells or lists valid for the present positions.
  void prepare() {
    pace_ = std::max(0.0, moved_ - moved_before_);
    moved_before_ = moved_;
    if (are_valid()) return;
    along_axis_ = moved_ = moved_before_ = 0;
    drifts_ = 0;
    skin_ = best_skin();
    // First as last time; sort again if the other way is better by now.
    for (int attempt = 0; attempt < 2; ++attempt) {
      const double spare = listed_ ? 0.01 * cutoff_ : 2 * cutoff_;
      bodies_.sort(needed() + spare, needed());
      const double neighbours = estimate();
      const bool lists = neighbours > worth_lists && neighbours < too_many && !bodies_.has_outsiders() &&
                         8 * (max_drifts + 1) * slack() * bodies_.farthest() < skin_;
      if (lists == listed_) break;
      listed_ = lists;
    }
    listed_ = listed_ && bodies_.rows_are(needed(), slack());
    are_valid_ = true;
    if (listed_) make_lists();
  }
  [[nodiscard]] simd::CellBodies<T> cells(const LawParameters& parameters) const {
    simd::CellBodies<T> all{};
    constexpr T infinity = std::numeric_limits<T>::infinity();
    all.woven = bodies_.woven();
    all.n = bodies_.size();
    all.id = bodies_.id();
    all.grid = bodies_.grid();
    all.start = bodies_.start();
    all.reach = static_cast<T>(listed_ ? reach() + skin_ : reach());
    all.slack = static_cast<T>(slack());
    const T cutoff = static_cast<T>(cutoff_);
    all.cutoff2 = cutoff * cutoff;
    all.parameters = parameters;
    for (std::size_t q = 0; q < 3; ++q) {
      const auto& axis = box_.axes[q];
      all.x[q] = q < box_.dimensions ? bodies_.x(q) : nullptr;
      all.low[q] = axis.low, all.high[q] = axis.high;
      all.period[q] = axis.periodic ? axis.length : 0;
      all.half[q] = axis.periodic ? T(0.5) * axis.length : infinity;
      all.inner_low[q] = axis.periodic ? axis.low + all.reach : -infinity;
      all.inner_high[q] = axis.periodic ? axis.high - all.reach : infinity;
      all.periodic |= axis.periodic;
    }
    all.everywhere = bodies_.has_outsiders();
    if (all.everywhere && all.periodic) std::ranges::fill(all.inner_low, infinity);
    return all;
  }
  /// Returns the lists of the block that begins at `begin`; null if cells are searched.
  [[nodiscard]] const simd::ListRoom* lists(std::size_t begin) const {
    return listed_ ? &lists_[begin / simd::cell_block] : nullptr;
  }
  /// Accounts for a drift with the velocities that the workspaces recorded in that part of a pass.
  void drifted(std::size_t part, double dt) {
    T component = 0, square = 0;
    for (const auto& workspace : workspaces_) {
      component = std::max(component, workspace.fastest[part].component);
      square = std::max(square, workspace.fastest[part].square);
    }
    constexpr double more = 1.001;
    along_axis_ += static_cast<double>(component) * std::abs(dt) * more;
    moved_ += std::sqrt(static_cast<double>(square)) * std::abs(dt) * more;
    ++drifts_;
  }
  /// To be called after all drifts of a pass.
  void moved() {
    bodies_.moved();
    if (bodies_.has_outsiders()) are_valid_ = false;
    for (const auto& workspace : workspaces_) are_valid_ = are_valid_ && !workspace.jumped;
  }

 private:
  static constexpr double allowance = 1e-4;                 ///< safety margin besides rounding, in cutoffs
  static constexpr int max_drifts = 64;                     ///< maximum between two sorts
  static constexpr double worth_lists = 3, too_many = 512;  ///< range of neighbours for which lists are used

  /// Relative rounding error of coordinates since bodies were sorted.
  [[nodiscard]] double slack() const {
    return 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (drifts_ + 1);
  }
  /// Rounding error of images' coordinates.
  [[nodiscard]] double rounding() const {
    double box = 0;
    for (std::size_t q = 0; q < box_.dimensions; ++q) box = std::max(box, box_.far(q));
    return 4 * slack() * box;
  }
  [[nodiscard]] double reach() const { return cutoff_ * (1 + allowance) + along_axis_ + rounding(); }
  /// Minimum width of rows: in a plane neighbours are at most one row away, in space in one of two rows.
  [[nodiscard]] double needed() const {
    const double within = listed_ ? reach() + skin_ : reach();
    return box_.dimensions == 2 ? within + along_axis_ : 2 * within;
  }
  [[nodiscard]] bool are_valid() const {
    if (!are_valid_ || drifts_ > max_drifts) return false;
    for (std::size_t q = 0; q < box_.dimensions; ++q) {
      const auto& axis = box_.axes[q];
      if (axis.periodic && !(along_axis_ <= static_cast<double>(axis.length) / 4)) return false;
    }
    if (listed_) return 2 * (moved_ + rounding() + slack() * bodies_.farthest()) <= skin_;
    return bodies_.rows_are(needed(), slack());
  }
  /// Estimates the neighbours within the cutoff from the number of bodies that share a cell.
  [[nodiscard]] double estimate() const {
    double share = box_.dimensions == 2 ? std::numbers::pi / 4 : std::numbers::pi / 6;
    for (std::size_t q = 0; q < box_.dimensions; ++q) {
      const auto inverse = static_cast<double>(bodies_.grid().inverse[q]);
      if (inverse > 0) share *= 2 * cutoff_ * inverse;
    }
    return bodies_.cellmates() * share;
  }
  /// Balances the length of lists against how often they are rebuilt.
  [[nodiscard]] double best_skin() const {
    constexpr double making = 8;  // cost of building lists, in evaluations
    double best = 0.3 * cutoff_, least = std::numeric_limits<double>::infinity();
    for (int part = 1; pace_ > 0 && part < 20; ++part) {
      const double skin = 0.05 * part * cutoff_;
      const double evaluations = std::clamp(std::floor(skin / (2 * pace_)), 1.0, double{max_drifts});
      const double time = std::pow(cutoff_ + skin, static_cast<double>(box_.dimensions)) * (1 + making / evaluations);
      if (time < least) best = skin, least = time;
    }
    return best;
  }
  void make_lists() {
    const std::size_t n = bodies_.size();
    while (lists_.size() < (n + simd::cell_block - 1) / simd::cell_block) lists_.emplace_back();
    auto cells_of = cells({});
    const auto wide = static_cast<T>(cutoff_ * (1 + allowance) + skin_);
    cells_of.cutoff2 = wide * wide;
    for_blocks(threads_, n, [&](std::size_t worker, std::size_t begin, std::size_t end) {
      kernels_.list[box_.dimensions - 2](cells_of, workspaces_[worker].pairs, begin, end,
                                         lists_[begin / simd::cell_block]);
    });
    bodies_.weave();
  }

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
