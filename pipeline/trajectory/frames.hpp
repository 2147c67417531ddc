// SPDX-License-Identifier: MIT
// Frames as they are stored: their shape, a block of them in memory, and the datasets that hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

/// What decides the size of everything in the file.
struct Shape {
  std::size_t bodies = 0;  ///< in a frame
  std::size_t whole = 0;   ///< in the run
  bool single_precision = false;
  bool velocities = true;
  std::size_t columns = 0;       ///< of the integrator
  std::size_t chunk_frames = 1;  ///< chT: the frames of one chunk row

  [[nodiscard]] std::size_t element() const { return single_precision ? sizeof(float) : sizeof(double); }
  [[nodiscard]] hid_t type() const { return single_precision ? hdf5::type_of<float>() : hdf5::type_of<double>(); }
  /// Bytes of the positions (or the velocities) of one frame.
  [[nodiscard]] std::size_t frame_bytes() const { return bodies * 3 * element(); }
  /// chN = N, cut into chunks of one size where that is more than 65536.
  [[nodiscard]] std::size_t chunk_bodies() const;
  /// For a file that is to have `expected` frames (0: nobody knows): 2^floor(log2(1 MiB / (chN · 3 · element))), within
  /// 1 … 4096, and no more than hold them all.
  [[nodiscard]] std::size_t best_chunk_frames(std::size_t expected) const;
};

/// Bytes that are not set to zero before they get their values.
struct Unset : std::allocator<std::byte> {
  template <class>
  struct rebind {
    using other = Unset;
  };
  template <class Byte, class... Values>
  void construct(Byte* byte, Values... values) {
    if constexpr (sizeof...(values) > 0) *byte = std::byte{values...};
  }
};
using Bytes = std::vector<std::byte, Unset>;

/// Frames that follow each other, in memory, in the bytes of the file.
class FrameBlock {
 public:
  std::vector<std::int64_t> step;
  std::vector<double> time;
  std::vector<std::uint64_t> checksum;  ///< XXH3 of the bytes of the positions, then of the velocities
  std::vector<std::uint64_t> stamp;     ///< XXH3 of step, time and checksum (24 bytes)
  Bytes position, velocity;             ///< [size()][N][3]; velocity empty where it is not stored
  /// Fletcher-32 of their chunks that end within them, known where a chunk row is one frame that was added.
  std::vector<std::uint32_t> position_sums, velocity_sums;

  explicit FrameBlock(const Shape& shape) : shape_(shape) {}
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::size_t size() const { return step.size(); }
  /// The bodies `kept` of a snapshot of the whole run; empty: all of them.
  void add(const sim::Snapshot& snapshot, std::span<const std::int64_t> kept);
  /// Frame i of another block whose frames have the same bytes, as it is.
  void add(const FrameBlock& from, std::size_t i);
  void resize(std::size_t frames);
  /// Whether step, time and checksum of frame i still are what its stamp was made of.
  [[nodiscard]] bool stamped(std::size_t i) const { return stamp[i] == stamp_of(i); }
  /// Whether frame i still is what its checksums were made of; `why` says what is not.
  [[nodiscard]] bool intact(std::size_t i, std::string& why) const;
  /// The bytes of one frame; those of the velocities are none where they are not stored.
  [[nodiscard]] std::span<const std::byte> positions(std::size_t i) const;
  [[nodiscard]] std::span<const std::byte> velocities(std::size_t i) const;

 private:
  void append(Bytes& bytes, std::vector<std::uint32_t>& sums, const sim::Vectors& vectors,
              std::span<const std::int64_t> kept);
  [[nodiscard]] std::uint64_t checksum_of(std::size_t i) const;
  [[nodiscard]] std::uint64_t stamp_of(std::size_t i) const;
  Shape shape_;
  mutable Hash hash_;
};

/// The bytes of positions or velocities, for the eye and as they are.
std::vector<float> floats_of(const Shape& shape, std::span<const std::byte> bytes);
sim::Vectors vectors_of(const Shape& shape, std::span<const std::byte> bytes);

/// The datasets of /particles/all that hold frames. `step` is the commit record: a frame exists when its step is there.
class FrameSeries {
 public:
  FrameSeries(hid_t file, const Shape& shape);
  static void create(hid_t particles, const Shape& shape, std::size_t expected_frames);

  [[nodiscard]] std::size_t committed() const;
  /// How many frames a chunk of the datasets with one number a frame has.
  [[nodiscard]] std::size_t index_chunk() const { return hdf5::chunk_rows(step_); }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::vector<const hdf5::Handle*> datasets() const;
  /// Whether every dataset has so many frames and no more.
  [[nodiscard]] bool are(std::size_t frames) const;
  /// Frames [first, first + block.size()): everything but the step.
  void write(std::size_t first, FrameBlock& block);
  /// Their steps; what was written must have been flushed before.
  void publish(std::size_t first, std::span<const std::int64_t> steps);
  [[nodiscard]] FrameBlock read(std::size_t first, std::size_t count) const;
  /// Steps, times, checksums and stamps only.
  [[nodiscard]] FrameBlock read_index(std::size_t first, std::size_t count) const;
  /// Drops everything from frame `frames` on, a whole number of chunk rows.
  void shrink(std::size_t frames);

 private:
  void write_vectors(hid_t dataset, std::size_t first, std::size_t count, std::span<const std::byte> bytes);
  void write_frame(hid_t dataset, std::size_t frame, Bytes& bytes, std::span<const std::uint32_t> sums);

  Shape shape_;
  hdf5::Handle step_, time_, checksum_, stamp_, position_, velocity_;
};

}  // namespace orrery::pipeline::trajectory
