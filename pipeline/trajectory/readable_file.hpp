// SPDX-License-Identifier: MIT
// A file open for reading: finished, being written, or left by a killed writer or a power loss.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/recovery_point.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {

/// `rows` and `committed` do not change while a writer appends. Members are read in this order, so that a finished file has all
/// frames and every frame has its row.
struct ReadableFile {
  hdf5::Handle file;
  Shape shape;
  std::uint64_t finished;  ///< number of the last restart state; 0: unfinished
  FrameSeries frames;
  std::size_t committed;  ///< frames in chunk rows
  TailScan scan;
  FrameBlock tail;
  RowSeries series;
  std::size_t rows;
  RestartSlots restart;
  /// For an unfinished file without a writer; frames and rows are then those of the point. Empty if no state is intact.
  std::optional<RecoveryPoint> point;

  explicit ReadableFile(const std::filesystem::path& path) : ReadableFile(path, !Lock::held(path)) {}
  /// `alone`: the file has no writer.
  ReadableFile(const std::filesystem::path& path, bool alone)
      : file(open_to_read(path)),
        shape(read_shape(file)),
        finished(read_finished(file)),
        frames(file, shape),
        committed(frames.committed()),
        scan(finished != 0 ? TailScan() : TailSlots(file, shape).scan(committed)),
        tail(scan.fitting ? std::move(scan.fitting->frames) : FrameBlock(shape)),
        series(file),
        rows(series.committed()),
        restart(file, shape) {
    if (finished == 0 && alone) point = recovery_point(frames, TailSlots(file, shape), series, restart);
    if (point) {
      committed = point->in_place;
      tail = std::move(point->tail);
      rows = point->rows;
      return;
    }
    if (!scan.fitting || scan.fitting->base == committed) return;
    // The frames of a partial chunk row are in the tail too. A resuming writer removes that row and may have been killed meanwhile.
    if (frames.read_intact(scan.fitting->base, committed - scan.fitting->base)) {
      scan.fitting.reset();
      tail = FrameBlock(shape);
    } else {
      committed = scan.fitting->base;
    }
  }

  /// The newest restart state.
  [[nodiscard]] std::optional<RestartState> newest_state() const {
    return point ? point->state : restart.newest(committed + tail.size(), rows);
  }

  /// Whether no commit took place while the parts were read.
  [[nodiscard]] bool consistent() const {
    if (finished != 0 || scan.empty()) return true;
    return !scan.torn && scan.fitting && scan.fitting->sequence == scan.last_sequence;
  }
};

/// Reopens the file until it can be read and `condition(file)` holds, for at most half a second, as long as a writer may be in
/// the middle of a commit.
template <class Condition>
ReadableFile open_when(const std::filesystem::path& path, Condition condition) {
  for (int patience = 50;; --patience) {
    const bool last = patience == 0 || !Lock::held(path);
    try {
      ReadableFile file(path);
      if (condition(file) || last) return file;
    } catch (const hdf5::Failure&) {
      // While the file grows, the library may see an object beyond the end that it read before.
      if (last) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// Calls `visit(first, block)` for each chunk row of a file, then for the tail, and `fail(i, why)` for each frame that cannot be
/// read.
template <class Visit, class Fail>
void for_each_block(const ReadableFile& file, Visit visit, Fail fail) {
  const std::size_t length = file.shape.chunk_frames;
  for (std::size_t base = 0; base < file.committed; base += length) {
    const std::size_t count = std::min(length, file.committed - base);
    try {
      visit(base, file.frames.read(base, count));
    } catch (const hdf5::Failure& why) {
      for (std::size_t i = base; i < base + count; ++i) fail(i, why.what());
    }
  }
  if (file.tail.size() > 0) visit(file.committed, file.tail);
}

/// Calls `visit(row)` for each intact row, and `fail(i, why)` for each of the others.
template <class Visit, class Fail>
void for_each_row(const ReadableFile& file, Visit visit, Fail fail) {
  constexpr std::size_t at_once = 1024;
  for (std::size_t base = 0; base < file.rows; base += at_once) {
    const std::size_t count = std::min(at_once, file.rows - base);
    try {
      for (const Row& row : file.series.read(base, count)) visit(row);
    } catch (const hdf5::Failure&) {
      for (std::size_t i = base; i < base + count; ++i) {
        try {
          visit(file.series.read(i, 1).front());
        } catch (const hdf5::Failure& why) {
          fail(i, why.what());
        }
      }
    }
  }
}

}  // namespace orrery::pipeline::trajectory
