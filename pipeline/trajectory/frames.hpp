// SPDX-License-Identifier: MIT
// Frames as they are stored: their shape, a block of them in memory, and the datasets that hold them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

/// What frames hold of each body, three numbers each, in the order of their checksum.
enum class Part : std::size_t { position, velocity, image };
inline constexpr std::array frame_parts{Part::position, Part::velocity, Part::image};
/// As groups and slots call it.
inline constexpr std::array part_names{"position", "velocity", "image"};
inline const char* name_of(Part part) {
  return part_names[static_cast<std::size_t>(part)];
}

/// What decides the size of everything in the file.
struct Shape {
  std::size_t bodies = 0;  ///< in a frame
  std::size_t whole = 0;   ///< in the run
  bool single_precision = false;
  bool velocities = true;
  bool images = false;           ///< how many lengths of a box that is joined bodies were moved down
  std::size_t columns = 0;       ///< of the integrator
  std::size_t chunk_frames = 1;  ///< chT: the frames of one chunk row

  [[nodiscard]] bool has(Part part) const {
    return part == Part::position || (part == Part::velocity ? velocities : images);
  }
  [[nodiscard]] std::vector<Part> parts() const;
  /// Of the numbers: as they are asked for, or whole numbers of 32 bits for images.
  [[nodiscard]] std::size_t element(Part part = Part::position) const;
  [[nodiscard]] hid_t type(Part part = Part::position) const;
  /// Bytes of one part of one frame.
  [[nodiscard]] std::size_t frame_bytes(Part part) const { return bodies * 3 * element(part); }
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
  std::vector<std::uint64_t> checksum;  ///< XXH3 of the bytes of the positions, the velocities, the images
  std::vector<std::uint64_t> stamp;     ///< XXH3 of step, time and checksum (24 bytes)
  std::array<Bytes, 3> parts;           ///< each [size()][N][3]; empty where it is not stored
  /// Fletcher-32 of their chunks that end within them, known where a chunk row is one frame that was added.
  std::array<std::vector<std::uint32_t>, 3> sums;

  explicit FrameBlock(const Shape& shape) : shape_(shape) {}
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::size_t size() const { return step.size(); }
  /// The bodies `kept` of a snapshot of the whole run; empty: all of them. Throws Failure, and adds nothing, where the snapshot
  /// lacks something or an image is no number of 32 bits.
  void add(const sim::Snapshot& snapshot, std::span<const std::int64_t> kept);
  /// Frame i of another block whose frames have the same bytes, as it is.
  void add(const FrameBlock& from, std::size_t i);
  void resize(std::size_t frames);
  /// Whether step, time and checksum of frame i still are what its stamp was made of.
  [[nodiscard]] bool stamped(std::size_t i) const { return stamp[i] == stamp_of(i); }
  /// Whether frame i still is what its checksums were made of; `why` says what is not.
  [[nodiscard]] bool intact(std::size_t i, std::string& why) const;
  [[nodiscard]] Bytes& at(Part part) { return parts[static_cast<std::size_t>(part)]; }
  [[nodiscard]] const Bytes& at(Part part) const { return parts[static_cast<std::size_t>(part)]; }
  /// The bytes of one frame; none where the part is not stored.
  [[nodiscard]] std::span<const std::byte> bytes(Part part, std::size_t i) const;

 private:
  void append(Part part, const sim::Vectors& vectors, std::span<const std::int64_t> kept);
  [[nodiscard]] std::uint64_t checksum_of(std::size_t i) const;
  [[nodiscard]] std::uint64_t stamp_of(std::size_t i) const;
  Shape shape_;
  mutable Hash hash_;
};

/// A part of a frame, for the eye and as it is.
std::vector<float> floats_of(const Shape& shape, Part part, const FrameBlock& block, std::size_t i);
std::vector<std::int32_t> images_of(const FrameBlock& block, std::size_t i);
sim::Vectors vectors_of(const Shape& shape, Part part, const FrameBlock& block, std::size_t i);

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
  void write_part(Part part, std::size_t first, const FrameBlock& block);
  void write_frame(Part part, std::size_t frame, FrameBlock& block);
  [[nodiscard]] const hdf5::Handle& at(Part part) const { return parts_[static_cast<std::size_t>(part)]; }

  Shape shape_;
  hdf5::Handle step_, time_, checksum_, stamp_;
  std::array<hdf5::Handle, 3> parts_;
};

}  // namespace orrery::pipeline::trajectory
