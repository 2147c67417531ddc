// SPDX-License-Identifier: MIT
// Frames: packing, checksums, and the order in which their datasets are written.
#include "pipeline/trajectory/frames.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "pipeline/trajectory/fletcher32.hpp"

namespace orrery::pipeline::trajectory {
namespace {

/// Bodies [first, first + count) of those that a frame keeps.
template <class Real>
void pack(const sim::Vectors& vectors, std::span<const std::int64_t> kept, std::size_t first, std::size_t count,
          std::byte* bytes) {
  auto* out = reinterpret_cast<Real*>(bytes);
  const auto put = [&](std::size_t n) {
    *out++ = static_cast<Real>(vectors.x[n]);
    *out++ = static_cast<Real>(vectors.y[n]);
    *out++ = static_cast<Real>(vectors.z[n]);
  };
  for (std::size_t n = first; n < first + count; ++n) put(kept.empty() ? n : static_cast<std::size_t>(kept[n]));
}

std::span<const std::byte> part(const Bytes& bytes, std::size_t i, std::size_t size) {
  return std::span(bytes).subspan(i * size, size);
}

template <class Stored>
std::vector<float> floats_of(std::span<const std::byte> bytes) {
  const auto* values = reinterpret_cast<const Stored*>(bytes.data());
  const std::size_t count = bytes.size() / sizeof(Stored);
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(values[i]);
  return result;
}

template <class Stored>
sim::Vectors vectors_of(std::span<const std::byte> bytes) {
  const auto* values = reinterpret_cast<const Stored*>(bytes.data());
  sim::Vectors result(bytes.size() / (3 * sizeof(Stored)));
  for (std::size_t n = 0; n < result.size(); ++n) {
    result.x[n] = values[3 * n];
    result.y[n] = values[3 * n + 1];
    result.z[n] = values[3 * n + 2];
  }
  return result;
}

}  // namespace

std::vector<float> floats_of(const Shape& shape, std::span<const std::byte> bytes) {
  return shape.single_precision ? floats_of<float>(bytes) : floats_of<double>(bytes);
}

sim::Vectors vectors_of(const Shape& shape, std::span<const std::byte> bytes) {
  return shape.single_precision ? vectors_of<float>(bytes) : vectors_of<double>(bytes);
}

std::size_t Shape::chunk_bodies() const {
  constexpr std::size_t most = 65536;
  const std::size_t chunks = (bodies + most - 1) / most;
  return (bodies + chunks - 1) / chunks;  // of one size: a chunk with little in it would be written whole all the same
}

std::size_t Shape::best_chunk_frames(std::size_t expected) const {
  const std::size_t frames = (std::size_t{1} << 20) / (chunk_bodies() * 3 * element());
  return std::clamp<std::size_t>(std::bit_floor(frames), 1, hdf5::chunk_for(expected, 4096));
}

void FrameBlock::add(const sim::Snapshot& snapshot, std::span<const std::int64_t> kept) {
  if (snapshot.position.size() != shape_.whole || (shape_.velocities && snapshot.velocity.size() != shape_.whole)) {
    throw hdf5::Failure("a frame must have as many bodies as the run");
  }
  hash_.reset();
  append(position, position_sums, snapshot.position, kept);
  if (shape_.velocities) append(velocity, velocity_sums, snapshot.velocity, kept);
  step.push_back(snapshot.step);
  time.push_back(snapshot.time);
  checksum.push_back(hash_.value());
  stamp.push_back(stamp_of(size() - 1));
}

void FrameBlock::add(const FrameBlock& from, std::size_t i) {
  step.push_back(from.step[i]);
  time.push_back(from.time[i]);
  checksum.push_back(from.checksum[i]);
  stamp.push_back(from.stamp[i]);
  const auto copy = [](Bytes& bytes, std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  copy(position, from.positions(i));
  copy(velocity, from.velocities(i));
}

// Chunk by chunk, so that the checksums find it in the cache.
void FrameBlock::append(Bytes& bytes, std::vector<std::uint32_t>& sums, const sim::Vectors& vectors,
                        std::span<const std::int64_t> kept) {
  const std::size_t at = bytes.size(), body_bytes = 3 * shape_.element();
  bytes.resize(at + shape_.frame_bytes());
  for (std::size_t body = 0; body < shape_.bodies; body += shape_.chunk_bodies()) {
    const std::size_t bodies = std::min(shape_.chunk_bodies(), shape_.bodies - body);
    const auto piece = std::span(bytes).subspan(at + body * body_bytes, bodies * body_bytes);
    shape_.single_precision ? pack<float>(vectors, kept, body, bodies, piece.data())
                            : pack<double>(vectors, kept, body, bodies, piece.data());
    hash_.add(std::span<const std::byte>(piece));
    if (shape_.chunk_frames == 1 && bodies == shape_.chunk_bodies()) sums.push_back(fletcher32(piece));
  }
}

void FrameBlock::resize(std::size_t frames) {
  step.resize(frames);
  time.resize(frames);
  checksum.resize(frames);
  stamp.resize(frames);
  position.resize(frames * shape_.frame_bytes());
  if (shape_.velocities) velocity.resize(frames * shape_.frame_bytes());
  position_sums.clear();
  velocity_sums.clear();
}

bool FrameBlock::intact(std::size_t i, std::string& why) const {
  if (!stamped(i)) {
    why = "its step, time or checksum is damaged";
  } else if (checksum[i] != checksum_of(i)) {
    why = "it does not match its checksum";
  } else {
    return true;
  }
  return false;
}

std::span<const std::byte> FrameBlock::positions(std::size_t i) const {
  return part(position, i, shape_.frame_bytes());
}

std::span<const std::byte> FrameBlock::velocities(std::size_t i) const {
  return shape_.velocities ? part(velocity, i, shape_.frame_bytes()) : std::span<const std::byte>();
}

std::uint64_t FrameBlock::checksum_of(std::size_t i) const {
  hash_.reset();
  return hash_.add(positions(i)).add(velocities(i)).value();
}

std::uint64_t FrameBlock::stamp_of(std::size_t i) const {
  const std::array words{static_cast<std::uint64_t>(step[i]), std::bit_cast<std::uint64_t>(time[i]), checksum[i]};
  return hash_of(words);
}

FrameSeries::FrameSeries(hid_t file, const Shape& shape)
    : shape_(shape),
      step_(hdf5::open_uncached(file, "/particles/all/position/step")),
      time_(hdf5::open_uncached(file, "/particles/all/position/time")),
      checksum_(hdf5::open_uncached(file, "/particles/all/checksum")),
      stamp_(hdf5::open_uncached(file, "/particles/all/stamp")),
      position_(hdf5::open_uncached(file, "/particles/all/position/value")) {
  if (shape.velocities) velocity_ = hdf5::open_uncached(file, "/particles/all/velocity/value");
  for (const auto* dataset : {&step_, &time_, &checksum_, &stamp_}) hdf5::require_rows(*dataset, {});
  hdf5::require_rows(position_, {shape.bodies, 3});
  if (shape.velocities) hdf5::require_rows(velocity_, {shape.bodies, 3});
}

void FrameSeries::create(hid_t particles, const Shape& shape, std::size_t expected_frames) {
  using hdf5::type_of;
  const hdf5::Extents extents{0, shape.bodies, 3};
  const hdf5::Extents chunk{shape.chunk_frames, shape.chunk_bodies(), 3}, numbers{hdf5::chunk_for(expected_frames)};
  const hdf5::Handle position = hdf5::create_group(particles, "position");
  hdf5::create_growing(position, "step", type_of<std::int64_t>(), {0}, numbers, false);
  hdf5::create_growing(position, "time", type_of<double>(), {0}, numbers, false);
  hdf5::create_growing(position, "value", shape.type(), extents, chunk, true);
  hdf5::create_growing(particles, "checksum", type_of<std::uint64_t>(), {0}, numbers, false);
  hdf5::create_growing(particles, "stamp", type_of<std::uint64_t>(), {0}, numbers, false);
  if (!shape.velocities) return;
  const hdf5::Handle velocity = hdf5::create_group(particles, "velocity");
  hdf5::create_growing(velocity, "value", shape.type(), extents, chunk, true);
  hdf5::hard_link(position, "step", velocity, "step");
  hdf5::hard_link(position, "time", velocity, "time");
}

void FrameSeries::write(std::size_t first, FrameBlock& block) {
  using hdf5::type_of;
  if (shape_.chunk_frames == 1 && block.size() == 1) {
    write_frame(position_, first, block.position, block.position_sums);
    if (shape_.velocities) write_frame(velocity_, first, block.velocity, block.velocity_sums);
  } else {
    write_vectors(position_, first, block.size(), block.position);
    if (shape_.velocities) write_vectors(velocity_, first, block.size(), block.velocity);
  }
  hdf5::write_rows(time_, type_of<double>(), first, block.size(), block.time.data());
  hdf5::write_rows(checksum_, type_of<std::uint64_t>(), first, block.size(), block.checksum.data());
  hdf5::write_rows(stamp_, type_of<std::uint64_t>(), first, block.size(), block.stamp.data());
}

// A chunk row that is full goes to the file chunk by chunk: the library would take three times as long for the checksums.
void FrameSeries::write_vectors(hid_t dataset, std::size_t first, std::size_t count, std::span<const std::byte> bytes) {
  if (count < shape_.chunk_frames) return hdf5::write_rows(dataset, shape_.type(), first, count, bytes.data());
  hdf5::resize(dataset, first + count);
  const std::size_t body_bytes = 3 * shape_.element(), width = shape_.chunk_bodies() * body_bytes;
  std::vector<std::byte> chunk(count * width + sizeof(std::uint32_t));
  for (std::size_t body = 0; body < shape_.bodies; body += shape_.chunk_bodies()) {
    const std::size_t bodies = std::min(shape_.chunk_bodies(), shape_.bodies - body);
    std::ranges::fill(chunk, std::byte{0});  // the last one may reach beyond the last body
    for (std::size_t i = 0; i < count; ++i) {
      const auto piece = bytes.subspan(i * shape_.frame_bytes() + body * body_bytes, bodies * body_bytes);
      std::ranges::copy(piece, chunk.data() + i * width);
    }
    const std::uint32_t checksum = fletcher32(std::span(chunk).first(count * width));
    std::memcpy(chunk.data() + count * width, &checksum, sizeof checksum);
    hdf5::write_chunk(dataset, {first, body, 0}, chunk);
  }
}

// Nothing is copied: while a chunk is written, the four bytes behind it are lent to its checksum.
void FrameSeries::write_frame(hid_t dataset, std::size_t frame, Bytes& bytes, std::span<const std::uint32_t> sums) {
  const std::size_t size = shape_.chunk_bodies() * 3 * shape_.element();
  const std::size_t chunks = (bytes.size() + size - 1) / size;
  hdf5::resize(dataset, frame + 1);
  const std::size_t whole = bytes.size();
  bytes.resize(chunks * size + sizeof(std::uint32_t));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), std::byte{0});  // behind the last body
  for (std::size_t k = 0; k < chunks; ++k) {
    const auto chunk = std::span(bytes).subspan(k * size, size + sizeof(std::uint32_t));
    const std::uint32_t checksum = k < sums.size() ? sums[k] : fletcher32(chunk.first(size));
    std::array<std::byte, sizeof checksum> lent;
    std::memcpy(lent.data(), chunk.data() + size, sizeof checksum);
    std::memcpy(chunk.data() + size, &checksum, sizeof checksum);
    hdf5::write_chunk(dataset, {frame, k * shape_.chunk_bodies(), 0}, chunk);
    std::memcpy(chunk.data() + size, lent.data(), sizeof checksum);
  }
  bytes.resize(whole);
}

void FrameSeries::publish(std::size_t first, std::span<const std::int64_t> steps) {
  hdf5::write_rows(step_, hdf5::type_of<std::int64_t>(), first, steps.size(), steps.data());
}

std::size_t FrameSeries::committed() const {
  const std::size_t frames = hdf5::length(step_);
  // The others were written before it, but may have been looked at, and remembered, before that.
  for (const auto* dataset : datasets()) {
    if (hdf5::length(*dataset) < frames) hdf5::check(H5Drefresh(*dataset));
  }
  return frames;
}

std::vector<const hdf5::Handle*> FrameSeries::datasets() const {
  std::vector<const hdf5::Handle*> all{&step_, &time_, &checksum_, &stamp_, &position_};
  if (shape_.velocities) all.push_back(&velocity_);
  return all;
}

bool FrameSeries::are(std::size_t frames) const {
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
  hdf5::read_rows(position_, shape_.type(), first, count, block.position.data());
  if (shape_.velocities) hdf5::read_rows(velocity_, shape_.type(), first, count, block.velocity.data());
  return block;
}

void FrameSeries::shrink(std::size_t frames) {
  for (const auto* dataset : datasets()) hdf5::resize(*dataset, frames);
}

}  // namespace orrery::pipeline::trajectory
