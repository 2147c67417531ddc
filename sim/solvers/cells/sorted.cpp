// SPDX-License-Identifier: MIT
// Multithreaded counting sort. The order within a cell is arbitrary: sums use the order of the system.
#include "sim/solvers/cells/sorted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace orrery::sim::cells {

using std::size_t;

template <class T>
Sorted<T>::Sorted(size_t n, const Box<T>& box, const simd::MotionKernels<T>& kernels, ThreadPool& threads)
    : n_(n), box_(box), kernels_(kernels), threads_(threads), id_(n), next_id_(n), cell_(n), rank_(n) {
  for (size_t q = 0; q < box.dimensions; ++q) {
    for (auto* all : {&x_, &v_, &next_, &next_v_}) (*all)[q].widen(n + 1);
    x_[q][n] = next_[q][n] = std::numeric_limits<T>::quiet_NaN();  // no body
  }
  std::iota(id_.get(), id_.get() + n, std::uint32_t{0});
}

/// The box, or along an open axis where most of the bodies are; distant bodies belong to the outermost cells.
template <class T>
Extent Sorted<T>::extent_of(size_t q) const {
  const auto& axis = box_.axes[q];
  if (axis.bounded) return {static_cast<double>(axis.low), static_cast<double>(axis.high)};
  constexpr size_t most = 1024;
  std::vector<double> sample;
  const size_t step = (n_ + most - 1) / most;
  for (size_t i = 0; i < n_; i += step) {
    const auto x = static_cast<double>(x_[q][i]);
    if (std::isfinite(x)) sample.push_back(x);
  }
  if (sample.empty()) return {};
  std::ranges::sort(sample);
  const size_t cut = sample.size() > 64 ? sample.size() / 50 : 0;
  const double low = sample[cut], high = sample[sample.size() - 1 - cut], more = cut > 0 ? (high - low) / 4 : 0;
  return {low - more, high + more};
}

template <class T>
bool Sorted<T>::rows_are(double needed, double slack) const {
  for (size_t q = 1; q < box_.dimensions; ++q) {
    const auto last = static_cast<double>(grid_.cells.last[q]), inverse = static_cast<double>(grid_.cells.inverse[q]);
    if (last == 0) continue;
    const double low = std::abs(static_cast<double>(grid_.cells.low[q]));
    const double width = needed + 2 * slack * (low + (last + 1) / inverse + needed);
    constexpr double rounding = 16 * static_cast<double>(std::numeric_limits<T>::epsilon());
    if (!(width * inverse * (1 + 1e-6) + rounding * (last + 1 + low * inverse) <= 1)) return false;
  }
  return true;
}

template <class T>
void Sorted<T>::sort(double row, double needed) {
  std::array<Extent, 3> extents{};
  for (size_t q = 0; q < box_.dimensions; ++q) extents[q] = extent_of(q);
  grid_ = Grid<T>::of(extents, box_.dimensions, row, n_);
  constexpr auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  // Fall back to a single row.
  if (!rows_are(needed, 16 * epsilon)) grid_ = Grid<T>::of({extents[0], {}, {}}, box_.dimensions, row, n_);
  start_.widen(grid_.count + 1);
  count();
  add_up();
  scatter();
}

template <class T>
void Sorted<T>::count() {
  constexpr size_t piece = 1 << 16;
  const size_t cells = grid_.count + 1;
  threads_.for_each(0, (cells + piece - 1) / piece, [&](size_t k) {
    std::fill(start_.get() + k * piece, start_.get() + std::min((k + 1) * piece, cells), 0U);
  });
  const bool alone = threads_.size() == 1;
  std::atomic<bool> outsiders = false;
  std::atomic<std::uint64_t> met = 0;
  std::atomic<double> farthest = 0;
  for_blocks(threads_, n_, [&](size_t, size_t begin, size_t end) {
    const T* x[3] = {x_[0].get(), x_[1].get(), x_[2].get()};
    std::uint32_t cells_of[simd::cell_block + simd::cell_padding];
    kernels_.place(grid_.cells, x, box_.dimensions, begin, end, cells_of);
    std::uint64_t ranks = 0;
    for (size_t i = begin; i < end; ++i) {
      std::uint32_t& count = start_[cells_of[i - begin]];
      cell_[i] = cells_of[i - begin];
      rank_[i] = alone ? count++ : std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
      ranks += rank_[i];
    }
    met += ranks;
    T far = 0;
    for (size_t q = 0; q < box_.dimensions; ++q) {
      for (size_t i = begin; i < end; ++i) {
        const T size = std::abs(x[q][i]);
        far = size > far && size <= std::numeric_limits<T>::max() ? size : far;
      }
    }
    for (double known = farthest; known < static_cast<double>(far);) {
      if (farthest.compare_exchange_weak(known, static_cast<double>(far))) break;
    }
    for (size_t q = 0; q < box_.dimensions; ++q) {
      const auto& axis = box_.axes[q];
      if (!axis.bounded) continue;
      constexpr T greatest = std::numeric_limits<T>::max();
      int beyond = 0;
      for (size_t i = begin; i < end; ++i) {
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

template <class T>
void Sorted<T>::weave() {
  for (auto* woven : {&woven_, &next_woven_}) {
    woven->widen(4 * (n_ + 1));
    std::fill_n(woven->get() + 4 * n_, 4, std::numeric_limits<T>::quiet_NaN());
  }
  for_blocks(threads_, n_, [&](size_t, size_t begin, size_t end) {
    const T* x[3] = {};
    for (size_t q = 0; q < box_.dimensions; ++q) x[q] = x_[q].get() + begin;
    kernels_.weave(woven_.get() + 4 * begin, x, box_.dimensions, end - begin);
  });
}

/// Replaces counts by the starts of cells.
template <class T>
void Sorted<T>::add_up() {
  constexpr size_t piece = 1 << 15;
  const size_t cells = grid_.count + 1, pieces = (cells + piece - 1) / piece;
  std::vector<std::uint32_t> before(pieces + 1);
  const auto part = [&](size_t k) { return std::span(start_.get() + k * piece, std::min(piece, cells - k * piece)); };
  threads_.for_each(0, pieces, [&](size_t k) {
    const auto counts = part(k);
    before[k + 1] = std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  threads_.for_each(0, pieces, [&](size_t k) {
    const auto counts = part(k);
    std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), before[k]);
  });
}

template <class T>
void Sorted<T>::scatter() {
  for_blocks(threads_, n_, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) rank_[i] += start_[cell_[i]];
    for (size_t q = 0; q < box_.dimensions; ++q) {
      for (size_t i = begin; i < end; ++i) next_[q][rank_[i]] = x_[q][i];
      for (size_t i = begin; i < end; ++i) next_v_[q][rank_[i]] = v_[q][i];
    }
    for (size_t i = begin; i < end; ++i) next_id_[rank_[i]] = id_[i];
  });
  std::swap(x_, next_);
  std::swap(v_, next_v_);
  std::swap(id_, next_id_);
}

template class Sorted<double>;
template class Sorted<float>;

}  // namespace orrery::sim::cells
