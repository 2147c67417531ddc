// SPDX-License-Identifier: MIT
// The state from which a run can be resumed.
#pragma once

#include <cstddef>
#include <optional>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {

/// A restart state, all frames and rows before it, and the intact ones after it.
struct RecoveryPoint {
  RestartState state;
  std::size_t rows = 0;
  std::size_t in_place = 0;  ///< frames in chunk rows
  FrameBlock tail;           ///< the frames after those, from a slot or from a partial chunk row
};

/// Returns the newest recovery point of a file that has no writer. After a kill all commits are intact, but a power loss may leave
/// a state without its frames or rows, and steps without their data. So this reads and verifies everything written since the
/// oldest of the three states, whose data were synced before the others were written; before the first sync of a run, everything.
std::optional<RecoveryPoint> recovery_point(const FrameSeries& frames, const TailSlots& tails, const RowSeries& rows,
                                            const RestartSlots& states);

}  // namespace orrery::pipeline::trajectory
