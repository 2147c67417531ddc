// SPDX-License-Identifier: MIT
// A file as a writer has it open, where it stands, and the way back to its newest state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
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

/// Takes a file back to its newest state of which everything is there. `open` is the file, which nobody else has open, and
/// comes back opened anew; `lock` is its lock.
WrittenSoFar rewind(std::unique_ptr<WrittenFile>& open, const std::filesystem::path& path, const Lock& lock);

/// Takes what is behind these frames and rows out of the indexes of all datasets that grow, so that the library can make them
/// shorter whatever a loss of power left; true where anything had to be changed. Nobody has the file open.
bool cut_indexes(const std::filesystem::path& path, std::size_t frames, std::size_t rows);

}  // namespace orrery::pipeline::trajectory
