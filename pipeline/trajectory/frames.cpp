// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/frames.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "pipeline/trajectory/hdf5_checksums.hpp"

namespace orrery::pipeline::trajectory {

FrameSeries::FrameSeries(hid_t file, const Shape& shape)
    : shape_(shape),
      step_(hdf5::open_uncached(file, "/particles/all/position/step")),
      time_(hdf5::open_uncached(file, "/particles/all/position/time")),
      checksum_(hdf5::open_uncached(file, "/particles/all/checksum")),
      stamp_(hdf5::open_uncached(file, "/particles/all/stamp")) {
  for (const auto* dataset : {&step_, &time_, &checksum_, &stamp_}) hdf5::require_rows(*dataset, {});
  for (const Part part : shape.parts()) {
    hdf5::Handle& dataset = parts_[static_cast<std::size_t>(part)];
    dataset = hdf5::open_uncached(file, std::string("/particles/all/") + name_of(part) + "/value");
    hdf5::require_rows(dataset, {shape.bodies, 3});
    if (part == Part::image) hdf5::require_type(dataset, shape.type(part));
  }
}

void FrameSeries::create(hid_t particles, const Shape& shape, std::size_t expected_frames) {
  using hdf5::type_of;
  const hdf5::Extents extents{0, shape.bodies, 3};
  const hdf5::Extents chunk{shape.chunk_frames, shape.chunk_bodies(), 3}, numbers{hdf5::chunk_for(expected_frames)};
  const hdf5::Handle position = hdf5::create_group(particles, name_of(Part::position));
  hdf5::create_growing(position, "step", type_of<std::int64_t>(), {0}, numbers, false);
  hdf5::create_growing(position, "time", type_of<double>(), {0}, numbers, false);
  hdf5::create_growing(position, "value", shape.type(), extents, chunk, true);
  hdf5::create_growing(particles, "checksum", type_of<std::uint64_t>(), {0}, numbers, false);
  hdf5::create_growing(particles, "stamp", type_of<std::uint64_t>(), {0}, numbers, false);
  for (const Part part : shape.parts()) {
    if (part == Part::position) continue;
    const hdf5::Handle group = hdf5::create_group(particles, name_of(part));
    hdf5::create_growing(group, "value", shape.type(part), extents, chunk, true);
    hdf5::hard_link(position, "step", group, "step");
    hdf5::hard_link(position, "time", group, "time");
  }
}

void FrameSeries::write(std::size_t first, FrameBlock& block) {
  using hdf5::type_of;
  const bool frame_alone = shape_.chunk_frames == 1 && block.size() == 1;
  for (const Part part : shape_.parts()) frame_alone ? write_frame(part, first, block) : write_part(part, first, block);
  hdf5::write_rows(time_, type_of<double>(), first, block.size(), block.time.data());
  hdf5::write_rows(checksum_, type_of<std::uint64_t>(), first, block.size(), block.checksum.data());
  hdf5::write_rows(stamp_, type_of<std::uint64_t>(), first, block.size(), block.stamp.data());
}

// Writes the chunks of a full row directly: the library takes three times as long for the checksums.
void FrameSeries::write_part(Part part, std::size_t first, const FrameBlock& block) {
  const hid_t dataset = at(part);
  const std::size_t count = block.size();
  if (count < shape_.chunk_frames)
    return hdf5::write_rows(dataset, shape_.type(part), first, count, block.at(part).data());
  hdf5::resize(dataset, first + count);
  const std::size_t body_bytes = 3 * shape_.element(part), width = shape_.chunk_bodies() * body_bytes;
  std::vector<std::byte> chunk(count * width + sizeof(std::uint32_t));
  for (std::size_t body = 0; body < shape_.bodies; body += shape_.chunk_bodies()) {
    const std::size_t bodies = std::min(shape_.chunk_bodies(), shape_.bodies - body);
    std::ranges::fill(chunk, std::byte{0});  // the last chunk may extend beyond the last body
    for (std::size_t i = 0; i < count; ++i) {
      const auto piece = block.bytes(part, i).subspan(body * body_bytes, bodies * body_bytes);
      std::ranges::copy(piece, chunk.data() + i * width);
    }
    const std::uint32_t checksum = fletcher32(std::span(chunk).first(count * width));
    std::memcpy(chunk.data() + count * width, &checksum, sizeof checksum);
    hdf5::write_chunk(dataset, {first, body, 0}, chunk);
  }
}

// Without a copy: while a chunk is written, its checksum temporarily replaces the four bytes after it.
void FrameSeries::write_frame(Part part, std::size_t frame, FrameBlock& block) {
  const hid_t dataset = at(part);
  Bytes& bytes = block.at(part);
  const auto& sums = block.sums[static_cast<std::size_t>(part)];
  const std::size_t size = shape_.chunk_bodies() * 3 * shape_.element(part);
  const std::size_t chunks = (bytes.size() + size - 1) / size;
  hdf5::resize(dataset, frame + 1);
  const std::size_t whole = bytes.size();
  bytes.resize(chunks * size + sizeof(std::uint32_t));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), std::byte{0});  // after the last body
  for (std::size_t k = 0; k < chunks; ++k) {
    const auto chunk = std::span(bytes).subspan(k * size, size + sizeof(std::uint32_t));
    const std::uint32_t checksum = k < sums.size() ? sums[k] : fletcher32(chunk.first(size));
    std::array<std::byte, sizeof checksum> saved;
    std::memcpy(saved.data(), chunk.data() + size, sizeof checksum);
    std::memcpy(chunk.data() + size, &checksum, sizeof checksum);
    hdf5::write_chunk(dataset, {frame, k * shape_.chunk_bodies(), 0}, chunk);
    std::memcpy(chunk.data() + size, saved.data(), sizeof checksum);
  }
  bytes.resize(whole);
}

void FrameSeries::publish(std::size_t first, std::span<const std::int64_t> steps) {
  hdf5::write_rows(step_, hdf5::type_of<std::int64_t>(), first, steps.size(), steps.data());
}

std::size_t FrameSeries::committed() const {
  const std::size_t frames = hdf5::length(step_);
  // The other datasets were extended before it, but the library may have cached older lengths.
  for (const auto* dataset : datasets()) {
    if (hdf5::length(*dataset) < frames) hdf5::check(H5Drefresh(*dataset));
  }
  return frames;
}

std::vector<const hdf5::Handle*> FrameSeries::datasets() const {
  std::vector<const hdf5::Handle*> all{&step_, &time_, &checksum_, &stamp_};
  for (const Part part : shape_.parts()) all.push_back(&at(part));
  return all;
}

bool FrameSeries::have_length(std::size_t frames) const {
  return std::ranges::all_of(datasets(), [&](const auto* dataset) { return hdf5::length(*dataset) == frames; });
}

FrameBlock FrameSeries::read_index(std::size_t first, std::size_t count) const {
  using hdf5::type_of;
  FrameBlock block(shape_);
  block.step.resize(count);
  block.time.resize(count);
  block.checksum.resize(count);
  block.stamp.resize(count);
  hdf5::read_rows(step_, type_of<std::int64_t>(), first, count, block.step.data());
  hdf5::read_rows(time_, type_of<double>(), first, count, block.time.data());
  hdf5::read_rows(checksum_, type_of<std::uint64_t>(), first, count, block.checksum.data());
  hdf5::read_rows(stamp_, type_of<std::uint64_t>(), first, count, block.stamp.data());
  return block;
}

FrameBlock FrameSeries::read(std::size_t first, std::size_t count) const {
  FrameBlock block = read_index(first, count);
  block.resize(count);
  for (const Part part : shape_.parts())
    hdf5::read_rows(at(part), shape_.type(part), first, count, block.at(part).data());
  return block;
}

void FrameSeries::read_pieces(std::size_t frame,
                              const std::function<void(Part, std::size_t, std::span<const std::byte>)>& use) const {
  for (const Part part : shape_.parts()) {
    const std::size_t body_bytes = 3 * shape_.element(part);
    Bytes bytes(shape_.chunk_bodies() * body_bytes);
    for (std::size_t body = 0; body < shape_.bodies; body += shape_.chunk_bodies()) {
      const std::size_t count = std::min(shape_.chunk_bodies(), shape_.bodies - body);
      hdf5::read_items(at(part), shape_.type(part), frame, body, count, bytes.data());
      use(part, body, std::span(bytes).first(count * body_bytes));
    }
  }
}

std::optional<FrameBlock> FrameSeries::read_intact(std::size_t first, std::size_t count) const {
  try {
    FrameBlock block = read(first, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (block.damage(i) != nullptr) return std::nullopt;
    }
    return block;
  } catch (const hdf5::Failure&) {
    return std::nullopt;
  }
}

void FrameSeries::shrink(std::size_t frames) {  // NOLINT(readability-make-member-function-const): it changes the file
  for (const auto* dataset : datasets()) hdf5::resize(*dataset, frames);
}

}  // namespace orrery::pipeline::trajectory
