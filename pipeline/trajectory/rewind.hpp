// SPDX-License-Identifier: MIT
// A file open for writing, and the return to its newest restart state.
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

/// The open file and its parts, which are closed before the file.
struct WritableFile {
  hdf5::Handle file;
  Shape shape;
  FrameSeries frames;
  RowSeries rows;
  RestartSlots restart;
  TailSlots tail;

  explicit WritableFile(hdf5::Handle opened)
      : file(std::move(opened)),
        shape(read_shape(file)),
        frames(file, shape),
        rows(file),
        restart(file, shape),
        tail(file, shape) {}
  void flush() const { hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL)); }
};

/// What a file contains: the writer appends after this.
struct WriteProgress {
  std::size_t frames = 0, rows = 0;  ///< written; frames in whole chunk rows only
  std::uint64_t restart_sequence = 0, tail_sequence = 0;
  SlotRotation restart_rotation, tail_rotation;
  double seconds = 0;            ///< wall time for which earlier writers had the file open
  std::int64_t state_step = -1;  ///< of the newest restart state
  std::int64_t last_step = std::numeric_limits<std::int64_t>::min();
  FrameBlock unfinished;  ///< the frames of the partial chunk row

  explicit WriteProgress(const Shape& shape) : unfinished(shape) {}
};

/// Drops everything after the recovery point of a file. `open`: the file, open exclusively; it is reopened. `lock`: its lock.
WriteProgress rewind(std::unique_ptr<WritableFile>& open, const std::filesystem::path& path, const Lock& lock);

/// Removes the chunks after these frames and rows from the indexes of all growing datasets, so that the library can shrink them
/// whatever a power loss left. Returns whether anything changed. The file must not be open elsewhere.
bool truncate_indexes(const std::filesystem::path& path, std::size_t frames, std::size_t rows);

}  // namespace orrery::pipeline::trajectory
