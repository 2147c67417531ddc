// SPDX-License-Identifier: MIT
// The two pairs of slots that make a commit safe: the state to go on from, and the frames of an unfinished chunk row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pipeline/trajectory/frames.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

// A slot has a size that never changes and is written in place, over the older of the two: sequence number k
// goes to slot k mod 2. While one is being written the other stays whole, and which is which its checksum tells.

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

/// /restart/{a,b}: header; position, velocity, column_0, column_1, … f64[3][N].
class RestartSlots {
 public:
  RestartSlots(hid_t file, const Shape& shape);
  static void create(hid_t file, const Shape& shape);

  void write(const RestartPoint& at, const sim::Snapshot& state);
  /// The newest state that is whole and asks for no more than these frames and rows.
  [[nodiscard]] std::optional<RestartState> newest(std::size_t frames, std::size_t rows) const;
  /// Of the newer slot; all zeros before the first commit.
  [[nodiscard]] RestartMark mark() const;

 private:
  Shape shape_;
  std::array<hdf5::Handle, 2> slots_;
};

/// Frames [base, base + frames.size()) of the file.
struct Tail {
  std::uint64_t sequence = 0;
  std::size_t base = 0;
  FrameBlock frames;
};

/// What both slots hold, seen from a file whose chunk rows end at some frame.
struct TailLook {
  std::optional<Tail> fitting;      ///< the newest tail that is whole and begins where the chunk rows end
  std::uint64_t last_sequence = 0;  ///< of the newest tail that is whole, wherever it begins
  bool torn = false;                ///< a slot is not whole: being written, left so by a kill, or damaged
};

/// /tail/{a,b}: header, then step, time, checksum, stamp, position and velocity of at most chT − 1 frames.
class TailSlots {
 public:
  TailSlots(hid_t file, const Shape& shape);
  static void create(hid_t file, const Shape& shape);

  void write(std::uint64_t sequence, std::size_t base, const FrameBlock& frames);
  [[nodiscard]] TailLook look(std::size_t base) const;

 private:
  Shape shape_;
  std::array<hdf5::Handle, 2> slots_;
};

}  // namespace orrery::pipeline::trajectory
