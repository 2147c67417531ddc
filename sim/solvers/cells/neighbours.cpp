// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace orrery::sim::cells {
namespace {

/// Maximum drifts between two sorts.
constexpr int most_drifts = 64;
/// Lists are used between these numbers of neighbours within the cutoff.
constexpr double worth_lists = 3, too_many = 512;

}  // namespace

using std::size_t;

template <class T>
Neighbours<T>::Neighbours(size_t n, const Box<T>& box, double cutoff, const simd::MotionKernels<T>& kernels,
                          ThreadPool& threads, std::vector<Workspace<T>>& workspaces)
    : box_(box),
      cutoff_(cutoff),
      kernels_(kernels),
      threads_(threads),
      workspaces_(workspaces),
      bodies_(n, box, kernels, threads) {}

/// Rounding error of images' coordinates.
template <class T>
double Neighbours<T>::rounding() const {
  double box = 0;
  for (size_t q = 0; q < box_.dimensions; ++q) box = std::max(box, box_.far(q));
  return 4 * slack() * box;
}

/// Minimum width of rows: in a plane neighbours are at most one row away, in space in one of two rows.
template <class T>
double Neighbours<T>::needed() const {
  const double within = listed_ ? reach() + skin_ : reach();
  return box_.dimensions == 2 ? within + along_axis_ : 2 * within;
}

template <class T>
bool Neighbours<T>::are_valid() const {
  if (!are_valid_ || drifts_ > most_drifts) return false;
  for (size_t q = 0; q < box_.dimensions; ++q) {
    const auto& axis = box_.axes[q];
    if (axis.joined && !(along_axis_ <= static_cast<double>(axis.length) / 4)) return false;
  }
  if (listed_) return 2 * (moved_ + rounding() + slack() * bodies_.farthest()) <= skin_;
  return bodies_.rows_are(needed(), slack());
}

/// Estimates the neighbours within the cutoff from the number of bodies that share a cell.
template <class T>
double Neighbours<T>::estimate() const {
  double share = box_.dimensions == 2 ? std::numbers::pi / 4 : std::numbers::pi / 6;
  for (size_t q = 0; q < box_.dimensions; ++q) {
    const auto inverse = static_cast<double>(bodies_.grid().inverse[q]);
    if (inverse > 0) share *= 2 * cutoff_ * inverse;
  }
  return bodies_.cellmates() * share;
}

/// Balances the length of lists against how often they are rebuilt.
template <class T>
double Neighbours<T>::best_skin() const {
  constexpr double making = 8;  // cost of building lists, in evaluations
  double best = 0.3 * cutoff_, least = std::numeric_limits<double>::infinity();
  for (double skin = 0.05 * cutoff_; pace_ > 0 && skin < cutoff_; skin += 0.05 * cutoff_) {
    const double evaluations = std::clamp(std::floor(skin / (2 * pace_)), 1.0, double{most_drifts});
    const double time = std::pow(cutoff_ + skin, static_cast<double>(box_.dimensions)) * (1 + making / evaluations);
    if (time < least) best = skin, least = time;
  }
  return best;
}

template <class T>
void Neighbours<T>::prepare() {
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
                       8 * (most_drifts + 1) * slack() * bodies_.farthest() < skin_;
    if (lists == listed_) break;
    listed_ = lists;
  }
  listed_ = listed_ && bodies_.rows_are(needed(), slack());
  are_valid_ = true;
  if (listed_) make_lists();
}

template <class T>
void Neighbours<T>::make_lists() {
  const size_t n = bodies_.size();
  while (lists_.size() < (n + simd::cell_block - 1) / simd::cell_block) lists_.emplace_back();
  auto cells_of = cells({});
  const auto wide = static_cast<T>(cutoff_ * (1 + allowance) + skin_);
  cells_of.cutoff2 = wide * wide;
  for_blocks(threads_, n, [&](size_t worker, size_t begin, size_t end) {
    kernels_.list[box_.dimensions - 2](cells_of, workspaces_[worker].pairs, begin, end,
                                       lists_[begin / simd::cell_block]);
  });
  bodies_.weave();
}

template <class T>
simd::CellBodies<T> Neighbours<T>::cells(const LawNumbers& numbers) const {
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
  all.numbers = numbers;
  for (size_t q = 0; q < 3; ++q) {
    const auto& axis = box_.axes[q];
    all.x[q] = q < box_.dimensions ? bodies_.x(q) : nullptr;
    all.low[q] = axis.low, all.high[q] = axis.high;
    all.period[q] = axis.joined ? axis.length : 0;
    all.half[q] = axis.joined ? T(0.5) * axis.length : infinity;
    all.inner_low[q] = axis.joined ? axis.low + all.reach : -infinity;
    all.inner_high[q] = axis.joined ? axis.high - all.reach : infinity;
    all.joined |= axis.joined;
  }
  all.everywhere = bodies_.has_outsiders();
  if (all.everywhere && all.joined) std::ranges::fill(all.inner_low, infinity);
  return all;
}

template <class T>
void Neighbours<T>::drifted(size_t part, double dt) {
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

template <class T>
void Neighbours<T>::moved() {
  bodies_.moved();
  if (bodies_.has_outsiders()) are_valid_ = false;
  for (const auto& workspace : workspaces_) are_valid_ = are_valid_ && !workspace.jumped;
}

template class Neighbours<double>;
template class Neighbours<float>;

}  // namespace orrery::sim::cells
