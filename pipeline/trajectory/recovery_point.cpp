// SPDX-License-Identifier: MIT
// From the newest state to the oldest: are its frames and rows there, to the byte?
#include "pipeline/trajectory/recovery_point.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace orrery::pipeline::trajectory {
namespace {

/// Frames [first, first + count) of the chunk rows, if all of them are whole.
std::optional<FrameBlock> whole_frames(const FrameSeries& frames, std::size_t first, std::size_t count) {
  try {
    FrameBlock block = frames.read(first, count);
    std::string why;
    for (std::size_t i = 0; i < count; ++i) {
      if (!block.intact(i, why)) return std::nullopt;
    }
    return block;
  } catch (const hdf5::Failure&) {
    return std::nullopt;
  }
}

/// How many frames are in chunk rows that are whole. Those rows are not looked at that were complete when there were `sure`.
std::size_t whole_in_place(const FrameSeries& frames, std::size_t sure) {
  const std::size_t length = frames.shape().chunk_frames, there = frames.committed();
  for (std::size_t base = sure - sure % length; base < there; base += length) {
    const std::size_t count = std::min(length, there - base);
    const bool ends_here = count == length || frames.are(there);  // else more of this row was written
    if (!ends_here || !whole_frames(frames, base, count)) return base;
  }
  return there;
}

/// The frames from `base`, where a chunk row begins, up to `end`: in a slot with others behind them, or in the row.
std::optional<FrameBlock> unfinished_row(std::size_t base, std::size_t end, const FrameSeries& frames,
                                         const TailSlots& tails) {
  if (auto tail = tails.find(base, end - base)) return std::move(tail->frames);
  return end <= frames.committed() ? whole_frames(frames, base, end - base) : std::nullopt;
}

}  // namespace

std::optional<RecoveryPoint> recovery_point(const FrameSeries& frames, const TailSlots& tails, const RowSeries& rows,
                                            const RestartSlots& states) {
  const std::vector<RestartPoint> points = states.whole();
  if (points.empty()) return std::nullopt;
  const bool synced = states.ever_synced();
  const auto least = [&](std::int64_t RestartPoint::*count) {
    return synced ? static_cast<std::size_t>(std::ranges::min(points, {}, count).*count) : 0;
  };
  const std::size_t length = frames.shape().chunk_frames, there = rows.committed();
  const std::size_t whole_rows = rows.whole(std::min(least(&RestartPoint::rows), there), there);
  const std::size_t in_place = whole_in_place(frames, std::min(least(&RestartPoint::frames), frames.committed()));
  for (const RestartPoint& point : points) {
    const auto end = static_cast<std::size_t>(point.frames);
    const std::size_t base = in_place >= end ? in_place : end - end % length;
    if (base > in_place || std::cmp_greater(point.rows, whole_rows)) continue;
    auto tail = unfinished_row(base, std::max(base, end), frames, tails);
    auto state = states.state(point.sequence);
    if (tail && state) return RecoveryPoint{std::move(*state), whole_rows, base, std::move(*tail)};
  }
  return std::nullopt;
}

}  // namespace orrery::pipeline::trajectory
