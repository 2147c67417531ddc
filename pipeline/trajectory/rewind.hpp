// SPDX-License-Identifier: MIT
// A file as a writer has it open, where it stands, and the way back to its newest state.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {

/// The open file and its parts; the parts close before the file does.
struct WrittenFile {
  hdf5::Handle file;
  Shape shape;
  FrameSeries frames;
  RowSeries rows;
  RestartSlots restart;
  TailSlots tail;

  explicit WrittenFile(hdf5::Handle opened)
      : file(std::move(opened)),
        shape(read_shape(file)),
        frames(file, shape),
        rows(file),
        restart(file, shape),
        tail(file, shape) {}
  void flush() const { hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL)); }
};

/// Where a file stands: what comes next goes behind this.
struct WrittenSoFar {
  std::size_t frames = 0, rows = 0;  ///< written; frames: in whole chunk rows
  std::uint64_t restart_sequence = 0, tail_sequence = 0;
  Turns restart_turns, tail_turns;
  double seconds = 0;            ///< that earlier writers had the file open
  std::int64_t state_step = -1;  ///< of the state to go on from
  std::int64_t last_step = std::numeric_limits<std::int64_t>::min();
  FrameBlock unfinished;  ///< the frames of the chunk row that is not full yet

  explicit WrittenSoFar(const Shape& shape) : unfinished(shape) {}
};

/// Takes a file that nobody else has open back to its newest restart state; `lock` is that of the file.
WrittenSoFar rewind(WrittenFile& open, const Lock& lock);

}  // namespace orrery::pipeline::trajectory
