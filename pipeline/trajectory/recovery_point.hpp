// SPDX-License-Identifier: MIT
// Which of the states in a file a run can go on from: the newest one of which everything is there.
#pragma once

#include <cstddef>
#include <optional>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {

/// A state with all frames and rows of observables that it asks for, and those behind them that are whole as well.
struct RecoveryPoint {
  RestartState state;
  std::size_t rows = 0;
  std::size_t in_place = 0;  ///< frames in chunk rows
  FrameBlock tail;           ///< those after them, from a slot or from a chunk row that is not whole
};

/// The newest one in a file that nobody writes. A kill leaves commits whole one after the other, but a loss of power may leave
/// a state without the frames or rows that it asks for, and steps without what belongs to them. So everything is read that
/// was written since the oldest of the three states: what that one asks for was on the disk before the others were written.
/// Until the first sync of a run, that is everything.
std::optional<RecoveryPoint> recovery_point(const FrameSeries& frames, const TailSlots& tails, const RowSeries& rows,
                                            const RestartSlots& states);

}  // namespace orrery::pipeline::trajectory
