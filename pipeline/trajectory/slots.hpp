// SPDX-License-Identifier: MIT
// The slots that make a commit safe: the state to go on from, and the frames of an unfinished chunk row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/trajectory/frames.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

// A slot has a size that never changes and is written in place. There are three of a kind: the oldest is written over,
// but never the one that was the newest when all of the file was last known to be on the disk. So while one is being
// written another is whole, and what a power loss meets there is whole too; which is which the checksums tell.

/// Whose turn it is among three slots.
class Turns {
 public:
  [[nodiscard]] std::size_t next() const;
  void wrote(std::size_t slot, std::uint64_t sequence) {
    sequences_[slot] = sequence;
    if (sequence >= sequences_[newest_]) newest_ = slot;
  }
  /// What was written last is on the disk.
  void synced() { safe_ = newest_; }

 private:
  std::array<std::uint64_t, 3> sequences_{};
  std::size_t newest_ = 0, safe_ = 0;
};
inline constexpr std::array slot_names{"a", "b", "c"};

/// When a state was stored: how many frames and rows the file held, and for how long writers had it open.
struct RestartPoint {
  std::uint64_t sequence = 0;
  std::int64_t frames = 0, rows = 0;
  double seconds = 0;
};

/// What a slot says of itself: nothing is checked that would need its arrays.
struct RestartMark {
  RestartPoint at;
  std::int64_t step = 0;
};

/// A state to go on from.
struct RestartState {
  RestartPoint at;
  sim::Snapshot snapshot;
};

/// /restart/{a,b,c}: header; position, velocity, column_0, column_1, …, and image where bodies have one, f64[3][N].
class RestartSlots {
 public:
  RestartSlots(hid_t file, const Shape& shape);
  /// `virial`: their observables have one.
  static void create(hid_t file, const Shape& shape, bool virial);

  /// The extremes are those since the last row before this state.
  void write(const RestartPoint& at, const sim::Snapshot& state);
  /// Of the states that are whole, the newest first.
  [[nodiscard]] std::vector<RestartPoint> whole() const;
  /// Whether the file has ever been on the disk as a whole, so that what the oldest whole state asks for is there: before
  /// that, a writer leaves the first slot empty.
  [[nodiscard]] bool ever_synced() const;
  /// The state of that number, if it is whole.
  [[nodiscard]] std::optional<RestartState> state(std::uint64_t sequence) const;
  /// The newest state that is whole and asks for no more than these frames and rows.
  [[nodiscard]] std::optional<RestartState> newest(std::size_t frames, std::size_t rows) const;
  /// Of the newest slot; all zeros before the first commit.
  [[nodiscard]] RestartMark mark() const;
  /// Of the newest state that is whole, whatever it asks for; 0 where there is none.
  [[nodiscard]] std::uint64_t last_sequence() const;
  /// A writer goes on from the state of that number, which is on the disk; later ones count for nothing.
  void went_on_from(std::uint64_t sequence);
  /// All of the file is on the disk.
  void synced() { turns_.synced(); }
  [[nodiscard]] const Turns& turns() const { return turns_; }
  void take_turns(const Turns& turns) { turns_ = turns; }

 private:
  Shape shape_;
  std::array<hdf5::Handle, 3> slots_;
  bool watches_ = false, virial_ = false;  ///< the file has room for extremes and excursion; for the virial
  Turns turns_;
};

/// Frames [base, base + frames.size()) of the file.
struct Tail {
  std::uint64_t sequence = 0;
  std::size_t base = 0;
  FrameBlock frames;
};

/// What the slots hold, seen from a file whose chunk rows end at some frame.
struct TailLook {
  /// The newest tail that is whole and begins where the chunk rows end. It may also begin before, if it reaches there: the
  /// last, part-filled row of a run is in both places, and its frames are whole in the tail while a writer that goes on
  /// takes that row away.
  std::optional<Tail> fitting;
  std::uint64_t last_sequence = 0;  ///< of the newest tail that is whole, wherever it begins
  bool torn = false;                ///< a slot is not whole: being written, left so by a kill, or damaged
};

/// /tail/{a,b,c}: header, then step, time, checksum, stamp and the parts of at most chT − 1 frames.
class TailSlots {
 public:
  TailSlots(hid_t file, const Shape& shape);
  static void create(hid_t file, const Shape& shape);

  void write(std::uint64_t sequence, std::size_t base, const FrameBlock& frames);
  [[nodiscard]] TailLook look(std::size_t base) const;
  /// The newest tail that is whole, begins at `base` and has so many frames or more.
  [[nodiscard]] std::optional<Tail> find(std::size_t base, std::size_t frames) const;
  /// As those of RestartSlots; of tail `sequence` and those before it.
  void went_on_from(std::uint64_t sequence);
  void synced() { turns_.synced(); }
  [[nodiscard]] const Turns& turns() const { return turns_; }
  void take_turns(const Turns& turns) { turns_ = turns; }

 private:
  Shape shape_;
  std::array<hdf5::Handle, 3> slots_;
  Turns turns_;
};

}  // namespace orrery::pipeline::trajectory
