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

#include "sim/ranks/moving_parts.hpp"
#include "sim/ranks/ranks.hpp"

namespace orrery::sim {

/// Returns the rows of each rank, at least one if there are enough: pairs in proportion to their speeds, about. `ahead`: earlier
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
    const std::size_t later = std::min(speeds.size() - rank, chunks - first);  // each gets a row
    rows.push_back({first, std::max(first, std::min(std::max(last, first + 1), chunks - later))});
    first = rows.back().last;
  }
  rows.push_back({first, chunks});
  return rows;
}
/// The same for ranks of one speed.
inline std::vector<RankRange> rows_of_ranks(std::size_t chunks, int ranks, double ahead = 0) {
  return rows_of_ranks(chunks, std::vector<double>(static_cast<std::size_t>(ranks), 1.0), ahead);
}

/// The rows of each rank.
class MovingRows : public MovingParts {
 public:
  /// `ranks`: null for a single one, which has all rows. `ahead`: see rows_of_ranks.
  MovingRows(std::size_t chunks, Ranks* ranks, double ahead = 0)
      : MovingParts(
            ranks, [=](std::span<const double> speeds) { return rows_of_ranks(chunks, speeds, ahead); },
            [=](const RankRange& rows) {
              return static_cast<double>((rows.last - rows.first) * (2 * chunks - rows.first - rows.last + 1)) / 2;
            },
            0.97) {}

  /// Adds the seconds that this rank took for the pairs of its rows, which may move after some evaluations, over which noise is small.
  /// All ranks call it after each evaluation.
  bool took(double seconds) {
    seconds_ += seconds;
    if (++evaluations_ % between_moves != 0) return false;
    return are_moved_by(std::exchange(seconds_, 0));
  }

 private:
  static constexpr int between_moves = 16;

  double seconds_ = 0;
  int evaluations_ = 0;
};

}  // namespace orrery::sim
