// SPDX-License-Identifier: MIT
// The slots that make a commit safe: the restart state, and the frames of an unfinished chunk row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/trajectory/frames.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

// A slot has a fixed size and is written in place. There are three of each kind. A write goes to the oldest, but never to the one
// that was the newest at the last sync. So another slot is intact while one is being written, and one that is known to be on the
// disk survives a power loss; checksums tell which.

/// Chooses which of three slots to write next.
class SlotRotation {
 public:
  [[nodiscard]] std::size_t next() const;
  void wrote(std::size_t slot, std::uint64_t sequence) {
    sequences_[slot] = sequence;
    if (sequence >= sequences_[newest_]) newest_ = slot;
  }
  /// Everything written so far is on the disk.
  void synced() { safe_ = newest_; }

 private:
  std::array<std::uint64_t, 3> sequences_{};
  std::size_t newest_ = 0, safe_ = 0;
};
inline constexpr std::array slot_names{"a", "b", "c"};

/// Common part of RestartSlots and TailSlots.
class Slots {
 public:
  void synced() { rotation_.synced(); }
  [[nodiscard]] const SlotRotation& rotation() const { return rotation_; }
  void set_rotation(const SlotRotation& rotation) { rotation_ = rotation; }

 protected:
  Slots(hid_t file, const std::string& group, const Shape& shape) : shape_(shape) {
    for (std::size_t k = 0; k < slots_.size(); ++k) slots_[k] = hdf5::open_group(file, group + "/" + slot_names[k]);
  }
  Shape shape_;
  std::array<hdf5::Handle, 3> slots_;
  SlotRotation rotation_;
};

/// The contents of the file when a restart state was stored.
struct RestartPoint {
  std::uint64_t sequence = 0;
  std::int64_t frames = 0, rows = 0;
  double seconds = 0;  ///< wall time for which writers had the file open
};

/// The header of a restart state, which is not verified.
struct RestartSummary {
  RestartPoint at;
  std::int64_t step = 0;
};

struct RestartState {
  RestartPoint at;
  sim::Snapshot snapshot;
};

/// /restart/{a,b,c}: header; position, velocity, column_0, column_1, …, and image if bodies have one, f64[3][N].
class RestartSlots : public Slots {
 public:
  RestartSlots(hid_t file, const Shape& shape);
  static void create(hid_t file, const Shape& shape);

  /// The extremes in `state` are those since the last row before it.
  void write(const RestartPoint& at, const sim::Snapshot& state);
  /// Points of all intact states, newest first.
  [[nodiscard]] std::vector<RestartPoint> intact_points() const;
  /// Whether the file has ever been synced, so that the frames and rows of the oldest intact state are on the disk. A writer
  /// leaves the first slot empty until then.
  [[nodiscard]] bool ever_synced() const;
  /// The state with this number, if it is intact.
  [[nodiscard]] std::optional<RestartState> state(std::uint64_t sequence) const;
  /// The newest intact state that needs no more than these frames and rows.
  [[nodiscard]] std::optional<RestartState> newest(std::size_t frames, std::size_t rows) const;
  /// The newest header; all zeros before the first commit.
  [[nodiscard]] RestartSummary summary() const;
  /// The number of the newest intact state; 0 if there is none.
  [[nodiscard]] std::uint64_t last_sequence() const;
  /// Continues from state `sequence`, which is on the disk; newer ones may be overwritten.
  void resume_from(std::uint64_t sequence);
};

/// Frames [base, base + frames.size()) of the file.
struct Tail {
  std::uint64_t sequence = 0;
  std::size_t base = 0;
  FrameBlock frames;
};

struct TailScan {
  /// The newest intact tail that begins at the end of the chunk rows, or before it and reaches it: the last, partial row of a run is
  /// in both places, and the tail is its only intact copy while a resuming writer removes the row.
  std::optional<Tail> fitting;
  std::uint64_t last_sequence = 0;  ///< of the newest intact tail, wherever it begins
  bool torn = false;                ///< a slot is not intact: being written, left by a killed writer, or damaged

  /// Whether no tail was ever written.
  [[nodiscard]] bool empty() const { return last_sequence == 0 && !torn; }
};

/// /tail/{a,b,c}: header, then step, time, checksum, stamp and the parts of at most chT − 1 frames.
class TailSlots : public Slots {
 public:
  TailSlots(hid_t file, const Shape& shape);
  static void create(hid_t file, const Shape& shape);

  void write(std::uint64_t sequence, std::size_t base, const FrameBlock& frames);
  /// `base`: the frame at which the chunk rows end.
  [[nodiscard]] TailScan scan(std::size_t base) const;
  /// The newest intact tail that begins at `base` and has at least `frames` frames.
  [[nodiscard]] std::optional<Tail> find(std::size_t base, std::size_t frames) const;
  /// Continues from tail `sequence`, which is on the disk; newer ones may be overwritten.
  void resume_from(std::uint64_t sequence);
};

}  // namespace orrery::pipeline::trajectory
