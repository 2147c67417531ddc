// SPDX-License-Identifier: MIT
// A file as a reader finds it: finished, being written, or left by a writer that was killed, or by a loss of power.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/recovery_point.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {

/// `rows` and `committed` stay what they were while a writer goes on. The order of the members is the order of
/// reading: what is finished has all its frames, and every frame has its row.
struct FoundFile {
  hdf5::Handle file;
  Shape shape;
  std::uint64_t finished;  ///< number of the last restart state; 0: the run goes on, or was stopped
  FrameSeries frames;
  std::size_t committed;
  TailLook look;
  FrameBlock tail;
  RowSeries series;
  std::size_t rows;
  RestartSlots restart;
  /// Of an unfinished file that nobody writes, and then frames and rows are those of it; none where no state is whole.
  std::optional<RecoveryPoint> point;

  explicit FoundFile(const std::filesystem::path& path) : FoundFile(path, !Lock::held(path)) {}
  /// `alone`: nobody writes it.
  FoundFile(const std::filesystem::path& path, bool alone)
      : file(open_to_read(path)),
        shape(read_shape(file)),
        finished(read_finished(file)),
        frames(file, shape),
        committed(frames.committed()),
        look(finished != 0 ? TailLook() : TailSlots(file, shape).look(committed)),
        tail(look.fitting ? std::move(look.fitting->frames) : FrameBlock(shape)),
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
    if (!look.fitting || look.fitting->base == committed) return;
    if (in_place(look.fitting->base)) {
      look.fitting.reset();
      tail = FrameBlock(shape);
    } else {
      committed = look.fitting->base;
    }
  }

  /// Whether the frames from `base` on, which are in the tail too, are whole in their chunk row: a writer that goes on takes
  /// that row away, and may have been killed meanwhile.
  [[nodiscard]] bool in_place(std::size_t base) const {
    try {
      const FrameBlock block = frames.read(base, committed - base);
      std::string why;
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (!block.intact(i, why)) return false;
      }
      return true;
    } catch (const hdf5::Failure&) {
      return false;
    }
  }

  /// The newest state to go on from.
  [[nodiscard]] std::optional<RestartState> newest_state() const {
    return point ? point->state : restart.newest(committed + tail.size(), rows);
  }

  /// No commit came between our looks at the parts.
  [[nodiscard]] bool at_rest() const {
    if (finished != 0 || look.last_sequence == 0) return true;
    return !look.torn && look.fitting && look.fitting->sequence == look.last_sequence;
  }
};

/// Looks until `good` is content, for a while, and only if there is a live writer that may be in the middle
/// of a commit.
template <class Good>
FoundFile find_when(const std::filesystem::path& path, Good good) {
  for (int patience = 50;; --patience) {
    FoundFile found(path);
    if (good(found) || patience == 0 || !Lock::held(path)) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// The frames of a file, chunk row after chunk row, then those of the tail; `visit(first, block)` gets as many as can be
/// read together, `fail(i, why)` hears of each that cannot be read.
template <class Visit, class Fail>
void for_each_block(const FoundFile& found, Visit visit, Fail fail) {
  const std::size_t length = found.shape.chunk_frames;
  for (std::size_t base = 0; base < found.committed; base += length) {
    const std::size_t count = std::min(length, found.committed - base);
    try {
      visit(base, found.frames.read(base, count));
    } catch (const hdf5::Failure& why) {
      for (std::size_t i = base; i < base + count; ++i) fail(i, why.what());
    }
  }
  if (found.tail.size() > 0) visit(found.committed, found.tail);
}

/// Rows likewise: `visit(row)` each that is intact.
template <class Visit, class Fail>
void for_each_row(const FoundFile& found, Visit visit, Fail fail) {
  constexpr std::size_t at_once = 1024;
  for (std::size_t base = 0; base < found.rows; base += at_once) {
    const std::size_t count = std::min(at_once, found.rows - base);
    try {
      for (const Row& row : found.series.read(base, count)) visit(row);
    } catch (const hdf5::Failure&) {
      for (std::size_t i = base; i < base + count; ++i) {
        try {
          visit(found.series.read(i, 1).front());
        } catch (const hdf5::Failure& why) {
          fail(i, why.what());
        }
      }
    }
  }
}

}  // namespace orrery::pipeline::trajectory
