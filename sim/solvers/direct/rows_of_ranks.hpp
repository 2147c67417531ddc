// SPDX-License-Identifier: MIT
// How ranks share the pairs of chunks: each has some rows, and row I has the chunks J ≥ I.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/ranks/ranks.hpp"

namespace orrery::sim {

/// Returns the rows of each rank, at most as many ranks as chunks: pairs in proportion to their speeds, about. `ahead`: earlier
/// ranks, for which later ones wait, get less by up to this part of an evaluation.
inline std::vector<RankRange> rows_of_ranks(std::size_t chunks, std::span<const double> speeds, double ahead = 0) {
  const auto count = static_cast<double>(chunks), parts = static_cast<double>(speeds.size());
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<RankRange> rows;
  std::size_t first = 0;
  double before = 0;
  for (std::size_t rank = 1; rank < speeds.size(); ++rank) {
    before += speeds[rank - 1];
    const double work = before / all * (1 - ahead * (parts - static_cast<double>(rank)) / parts);
    const auto last = static_cast<std::size_t>(std::lround(count * (1 - std::sqrt(1 - work))));
    rows.push_back({first, std::clamp(last, first + 1, chunks - (speeds.size() - rank))});
    first = rows.back().last;
  }
  rows.push_back({first, chunks});
  return rows;
}
/// The same for ranks of one speed.
inline std::vector<RankRange> rows_of_ranks(std::size_t chunks, int ranks, double ahead = 0) {
  return rows_of_ranks(chunks, std::vector<double>(static_cast<std::size_t>(ranks), 1.0), ahead);
}

/// The rows of each rank, which move to where they take less time. Which rank computes a pair does not change the bits.
class MovingRows {
 public:
  /// `ranks`: null for a single one, which has all rows. `ahead`: see rows_of_ranks.
  MovingRows(std::size_t chunks, Ranks* ranks, double ahead = 0)
      : chunks_(chunks),
        ranks_(ranks),
        ahead_(ahead),
        rows_(rows_of_ranks(chunks, ranks != nullptr ? ranks->size() : 1, ahead)) {}

  [[nodiscard]] const std::vector<RankRange>& of_all() const { return rows_; }
  [[nodiscard]] RankRange mine() const { return part_of(rows_, ranks_); }

  /// Adds the seconds that this rank took for the pairs of its rows. Returns whether rows have moved. All ranks call it after
  /// each evaluation, and come to the same result.
  bool took(double seconds) {
    if (ranks_ == nullptr) return false;
    seconds_ += seconds;
    if (++evaluations_ % between_moves != 0) return false;
    return are_moved_by(std::exchange(seconds_, 0));
  }
  /// The same at once, after some evaluations of which all ranks measured the same ones.
  bool are_moved_by(double seconds) {
    std::vector<double> times(rows_.size()), speeds;
    std::vector<RankRange> own;
    for (std::size_t rank = 0; rank < rows_.size(); ++rank) own.push_back({rank, rank + 1});
    times[static_cast<std::size_t>(ranks_->rank())] = std::max(seconds, 1e-9);
    double* const row[] = {times.data()};
    ranks_->share(row, own);
    for (std::size_t rank = 0; rank < rows_.size(); ++rank) speeds.push_back(pairs_of(rows_[rank]) / times[rank]);
    std::vector<RankRange> moved = rows_of_ranks(chunks_, speeds, ahead_);
    double slowest = 0;
    for (std::size_t rank = 0; rank < rows_.size(); ++rank)
      slowest = std::max(slowest, pairs_of(moved[rank]) / speeds[rank]);
    if (slowest > worth_a_move * std::ranges::max(times)) return false;
    rows_ = std::move(moved);
    return true;
  }

 private:
  static constexpr int between_moves = 16;      // evaluations, over which noise is small
  static constexpr double worth_a_move = 0.97;  // of the time of the slowest rank

  [[nodiscard]] double pairs_of(RankRange rows) const {
    return static_cast<double>((rows.last - rows.first) * (2 * chunks_ - rows.first - rows.last + 1)) / 2;
  }

  std::size_t chunks_;
  Ranks* ranks_;
  double ahead_;
  std::vector<RankRange> rows_;
  double seconds_ = 0;
  int evaluations_ = 0;
};

}  // namespace orrery::sim
