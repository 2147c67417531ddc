// SPDX-License-Identifier: MIT
// Stored frames: their shape, a block of them in memory, and their datasets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

/// The parts of a frame, three numbers per body each, in the order of the checksum.
enum class Part : std::size_t { position, velocity, image };
inline constexpr std::array frame_parts{Part::position, Part::velocity, Part::image};
/// Names of groups and of arrays in slots.
inline constexpr std::array part_names{"position", "velocity", "image"};
inline const char* name_of(Part part) {
  return part_names[static_cast<std::size_t>(part)];
}

/// Determines the shapes of all datasets of frames and states.
struct Shape {
  std::size_t bodies = 0;        ///< in a frame
  std::size_t total_bodies = 0;  ///< in the run
  bool single_precision = false;
  bool velocities = true;
  bool images = false;           ///< periodic box: frames store image counts of bodies
  std::size_t columns = 0;       ///< number of columns of the integrator
  std::size_t chunk_frames = 1;  ///< chT: frames per chunk row

  [[nodiscard]] bool has(Part part) const {
    return part == Part::position || (part == Part::velocity ? velocities : images);
  }
  [[nodiscard]] std::vector<Part> parts() const;
  /// Size and type of the numbers: float or double, int32 for images.
  [[nodiscard]] std::size_t element(Part part = Part::position) const;
  [[nodiscard]] hid_t type(Part part = Part::position) const;
  /// Bytes of one part of one frame.
  [[nodiscard]] std::size_t frame_bytes(Part part) const { return bodies * 3 * element(part); }
  /// chN: bodies per chunk: N, divided evenly if that is more than 65536.
  [[nodiscard]] std::size_t chunk_bodies() const;
  /// chT for a file with `expected` frames (0: unknown): 2^floor(log2(1 MiB / (chN · 3 · element))), at least 1, at most 4096 and
  /// the smallest power of two that holds all frames.
  [[nodiscard]] std::size_t best_chunk_frames(std::size_t expected) const;
};

/// Does not zero new bytes.
struct UninitializedAllocator : std::allocator<std::byte> {
  template <class>
  struct rebind {
    using other = UninitializedAllocator;
  };
  template <class Byte, class... Values>
  void construct(Byte* byte, Values... values) {
    if constexpr (sizeof...(values) > 0) *byte = std::byte{values...};
  }
};
using Bytes = std::vector<std::byte, UninitializedAllocator>;

/// Consecutive frames in memory, as stored in the file.
class FrameBlock {
 public:
  std::vector<std::int64_t> step;
  std::vector<double> time;
  std::vector<std::uint64_t> checksum;  ///< XXH3 of the bytes of positions, velocities and images
  std::vector<std::uint64_t> stamp;     ///< XXH3 of step, time and checksum (24 bytes)
  std::array<Bytes, 3> parts;           ///< each [size()][N][3]; empty if not stored
  /// Fletcher-32 of complete chunks, for frames that were added to a block with one frame per chunk row.
  std::array<std::vector<std::uint32_t>, 3> sums;

  explicit FrameBlock(const Shape& shape) : shape_(shape) {}
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::size_t size() const { return step.size(); }
  /// Adds the bodies `kept` (empty: all) of a snapshot of all bodies. Throws Failure, and adds nothing, if the snapshot has the
  /// wrong number of bodies or an image does not fit into 32 bits.
  void add(const sim::Snapshot& snapshot, std::span<const std::int64_t> kept);
  /// Adds a copy of frame i of a block with the same shape.
  void add(const FrameBlock& from, std::size_t i);
  void resize(std::size_t frames);
  /// Whether step, time and checksum of frame i match its stamp.
  [[nodiscard]] bool stamped(std::size_t i) const { return stamp[i] == stamp_of(i); }
  /// Returns what does not match the checksums of frame i; null if it is intact.
  [[nodiscard]] const char* damage(std::size_t i) const;
  [[nodiscard]] Bytes& at(Part part) { return parts[static_cast<std::size_t>(part)]; }
  [[nodiscard]] const Bytes& at(Part part) const { return parts[static_cast<std::size_t>(part)]; }
  /// The bytes of one frame; empty if the part is not stored.
  [[nodiscard]] std::span<const std::byte> bytes(Part part, std::size_t i) const;

 private:
  void append(Part part, const sim::Vectors& vectors, std::span<const std::int64_t> kept);
  [[nodiscard]] std::uint64_t checksum_of(std::size_t i) const;
  [[nodiscard]] std::uint64_t stamp_of(std::size_t i) const;
  Shape shape_;
  mutable Hash hash_;
};

/// Converts numbers of a part, as they are stored, to those of a picture: floats or, for images, integers.
template <class Number>
void convert(const Shape& shape, Part part, std::span<const std::byte> bytes, Number* to);
/// A part of frame i, converted; empty if it is not stored.
std::vector<float> floats_of(const FrameBlock& block, std::size_t i, Part part);
std::vector<std::int32_t> images_of(const FrameBlock& block, std::size_t i);
sim::Vectors vectors_of(const FrameBlock& block, std::size_t i, Part part);

/// The datasets of frames in /particles/all. `step` is the commit record: a frame exists once its step is stored.
class FrameSeries {
 public:
  FrameSeries(hid_t file, const Shape& shape);
  static void create(hid_t particles, const Shape& shape, std::size_t expected_frames);

  [[nodiscard]] std::size_t committed() const;
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::vector<const hdf5::Handle*> datasets() const;
  /// Whether every dataset has exactly this many frames.
  [[nodiscard]] bool have_length(std::size_t frames) const;
  /// Writes frames [first, first + block.size()) except their steps.
  void write(std::size_t first, FrameBlock& block);
  /// Writes their steps. The rest must have been flushed before.
  void publish(std::size_t first, std::span<const std::int64_t> steps);
  [[nodiscard]] FrameBlock read(std::size_t first, std::size_t count) const;
  /// The same frames, if all of them can be read and match their checksums.
  [[nodiscard]] std::optional<FrameBlock> read_intact(std::size_t first, std::size_t count) const;
  /// Calls use(part, body, bytes) for consecutive bodies of a frame, in the order of its checksum. The bytes are not kept.
  void read_pieces(std::size_t frame,
                   const std::function<void(Part, std::size_t, std::span<const std::byte>)>& use) const;
  /// Steps, times, checksums and stamps only.
  [[nodiscard]] FrameBlock read_index(std::size_t first, std::size_t count) const;
  /// Removes everything from frame `frames` on, which must be the end of a chunk row.
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
