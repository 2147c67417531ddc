// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/recovery_point.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace orrery::pipeline::trajectory {
namespace {

/// Number of leading frames in intact chunk rows. Rows that were complete when the file had `known` frames are not verified.
std::size_t count_intact_frames(const FrameSeries& frames, std::size_t known) {
  const std::size_t length = frames.shape().chunk_frames, there = frames.committed();
  for (std::size_t base = known - known % length; base < there; base += length) {
    const std::size_t count = std::min(length, there - base);
    const bool ends_here = count == length || frames.have_length(there);  // otherwise more of this row was written
    if (!ends_here || !frames.read_intact(base, count)) return base;
  }
  return there;
}

/// Frames [base, end), where `base` is the begin of a chunk row: from a slot that may have more, or from the row.
std::optional<FrameBlock> unfinished_row(std::size_t base, std::size_t end, const FrameSeries& frames,
                                         const TailSlots& tails) {
  if (auto tail = tails.find(base, end - base)) return std::move(tail->frames);
  return end <= frames.committed() ? frames.read_intact(base, end - base) : std::nullopt;
}

}  // namespace

std::optional<RecoveryPoint> recovery_point(const FrameSeries& frames, const TailSlots& tails, const RowSeries& rows,
                                            const RestartSlots& states) {
  const std::vector<RestartPoint> points = states.intact_points();
  if (points.empty()) return std::nullopt;
  const bool synced = states.ever_synced();
  const auto known = [&](std::int64_t RestartPoint::*count) {
    return synced ? static_cast<std::size_t>(std::ranges::min(points, {}, count).*count) : 0;
  };
  const std::size_t length = frames.shape().chunk_frames, there = rows.committed();
  const std::size_t intact_rows = rows.count_intact(std::min(known(&RestartPoint::rows), there), there);
  const std::size_t in_place = count_intact_frames(frames, std::min(known(&RestartPoint::frames), frames.committed()));
  for (const RestartPoint& point : points) {
    const auto end = static_cast<std::size_t>(point.frames);
    const std::size_t base = in_place >= end ? in_place : end - end % length;
    if (base > in_place || std::cmp_greater(point.rows, intact_rows)) continue;
    auto tail = unfinished_row(base, std::max(base, end), frames, tails);
    auto state = states.state(point.sequence);
    if (tail && state) return RecoveryPoint{std::move(*state), intact_rows, base, std::move(*tail)};
  }
  return std::nullopt;
}

}  // namespace orrery::pipeline::trajectory
