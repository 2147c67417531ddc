// SPDX-License-Identifier: MIT
// Parts of the work of ranks that move to where they take less time. Which rank computes something does not change the bits.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/ranks/ranks.hpp"

namespace orrery::sim {

class MovingParts {
 public:
  /// Divides items among ranks, of which each does so much work a second; the work on some items.
  using Divide = std::function<std::vector<RankRange>(std::span<const double> speeds)>;
  using Work = std::function<double(const RankRange&)>;

  /// `ranks`: null for a single one, which has all items. Parts move if the slowest rank would then take less than `worth` of its time.
  MovingParts(Ranks* ranks, Divide divide, Work work, double worth)
      : ranks_(ranks),
        divide_(std::move(divide)),
        work_(std::move(work)),
        worth_(worth),
        parts_(divide_(std::vector<double>(ranks != nullptr ? static_cast<std::size_t>(ranks->size()) : 1, 1.0))) {}

  [[nodiscard]] const std::vector<RankRange>& of_all() const { return parts_; }
  [[nodiscard]] RankRange mine() const { return part_of(parts_, ranks_); }

  /// Returns whether parts have moved, as this rank took so many seconds for its part. All ranks call it after the same evaluations,
  /// and come to the same result.
  bool are_moved_by(double seconds) {
    if (ranks_ == nullptr) return false;
    std::vector<double> times(parts_.size()), speeds;
    std::vector<RankRange> own;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) own.push_back({rank, rank + 1});
    times[static_cast<std::size_t>(ranks_->rank())] = std::max(seconds, 1e-9);
    double* const row[] = {times.data()};
    ranks_->share(row, own);
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) speeds.push_back(work_(parts_[rank]) / times[rank]);
    std::vector<RankRange> moved = divide_(speeds);
    double slowest = 0;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank)
      slowest = std::max(slowest, work_(moved[rank]) / speeds[rank]);
    if (!(slowest < worth_ * std::ranges::max(times))) return false;
    parts_ = std::move(moved);
    return true;
  }

 private:
  Ranks* ranks_;
  Divide divide_;
  Work work_;
  double worth_;
  std::vector<RankRange> parts_;
};

/// Divides `count` items, of equal work.
inline std::vector<RankRange> parts_by_speed(std::size_t count, std::span<const double> speeds) {
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<RankRange> parts;
  double before = 0;
  for (const double speed : speeds) {
    before += speed;
    const auto last = static_cast<std::size_t>(static_cast<double>(count) * (before / all));
    const std::size_t first = parts.empty() ? 0 : parts.back().last;
    parts.push_back({first, std::clamp(last, first, count)});
  }
  parts.back().last = count;
  return parts;
}

}  // namespace orrery::sim
