// SPDX-License-Identifier: MIT
// Frames in memory: packing, unpacking and checksums.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5_checksums.hpp"

namespace orrery::pipeline::trajectory {
namespace {

/// Packs bodies [first, first + count) of those that a frame stores.
template <class Stored>
void pack(const sim::Vectors& vectors, std::span<const std::int64_t> kept, std::size_t first, std::size_t count,
          std::byte* bytes) {
  auto* out = reinterpret_cast<Stored*>(bytes);
  const auto put = [&](std::size_t n) {
    *out++ = static_cast<Stored>(vectors.x[n]);
    *out++ = static_cast<Stored>(vectors.y[n]);
    *out++ = static_cast<Stored>(vectors.z[n]);
  };
  for (std::size_t n = first; n < first + count; ++n) put(kept.empty() ? n : static_cast<std::size_t>(kept[n]));
}

/// Calls `work` with a value of the type in which a part is stored.
template <class Work>
auto as_stored(const Shape& shape, Part part, Work work) {
  if (part == Part::image) return work(std::int32_t{});
  return shape.single_precision ? work(float{}) : work(double{});
}

template <class Stored>
std::span<const Stored> numbers_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const Stored*>(bytes.data()), bytes.size() / sizeof(Stored)};
}

const sim::Vectors& vectors_of(const sim::Snapshot& snapshot, Part part) {
  return part == Part::position ? snapshot.position : part == Part::velocity ? snapshot.velocity : snapshot.image;
}

void require_images_that_fit(const sim::Vectors& image) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  for (const auto* axis : {&image.x, &image.y, &image.z}) {
    const auto found = std::ranges::find_if(*axis, [](double n) { return !(n >= -most && n <= most); });
    if (found != axis->end())
      throw hdf5::Failure("body " + std::to_string(found - axis->begin()) +
                          " was moved down more lengths of the box than 32 bits count (2147483647): the file has no "
                          "place for such an image");
  }
}

}  // namespace

template <class Number>
void convert(const Shape& shape, Part part, std::span<const std::byte> bytes, Number* to) {
  as_stored(shape, part, [&]<class Stored>(Stored) {
    for (const Stored value : numbers_of<Stored>(bytes)) *to++ = static_cast<Number>(value);
  });
}

std::vector<float> floats_of(const FrameBlock& block, std::size_t i, Part part) {
  std::vector<float> result(block.shape().has(part) ? 3 * block.shape().bodies : 0);
  convert(block.shape(), part, block.bytes(part, i), result.data());
  return result;
}

std::vector<std::int32_t> images_of(const FrameBlock& block, std::size_t i) {
  std::vector<std::int32_t> result(block.shape().images ? 3 * block.shape().bodies : 0);
  convert(block.shape(), Part::image, block.bytes(Part::image, i), result.data());
  return result;
}

template void convert(const Shape&, Part, std::span<const std::byte>, float*);
template void convert(const Shape&, Part, std::span<const std::byte>, std::int32_t*);

sim::Vectors vectors_of(const FrameBlock& block, std::size_t i, Part part) {
  return as_stored(block.shape(), part, [&]<class Stored>(Stored) {
    const auto values = numbers_of<Stored>(block.bytes(part, i));
    sim::Vectors result(values.size() / 3);
    for (std::size_t n = 0; n < result.size(); ++n) {
      result.x[n] = values[3 * n];
      result.y[n] = values[3 * n + 1];
      result.z[n] = values[3 * n + 2];
    }
    return result;
  });
}

std::vector<Part> Shape::parts() const {
  std::vector<Part> stored;
  std::ranges::copy_if(frame_parts, std::back_inserter(stored), [this](Part part) { return has(part); });
  return stored;
}

std::size_t Shape::element(Part part) const {
  return as_stored(*this, part, [](auto number) { return sizeof number; });
}

hid_t Shape::type(Part part) const {
  return as_stored(*this, part, []<class Stored>(Stored) { return hdf5::type_of<Stored>(); });
}

std::size_t Shape::chunk_bodies() const {
  constexpr std::size_t most = 65536;
  const std::size_t chunks = (bodies + most - 1) / most;
  return (bodies + chunks - 1) / chunks;  // equal sizes: partial chunks are written whole
}

std::size_t Shape::best_chunk_frames(std::size_t expected) const {
  const std::size_t frames = (std::size_t{1} << 20) / (chunk_bodies() * 3 * element());
  return std::clamp<std::size_t>(std::bit_floor(frames), 1, hdf5::chunk_for(expected, 4096));
}

void FrameBlock::add(const sim::Snapshot& snapshot, std::span<const std::int64_t> kept) {
  for (const Part part : shape_.parts()) {
    if (vectors_of(snapshot, part).size() != shape_.total_bodies)
      throw hdf5::Failure(part == Part::image ? "a frame of a periodic box must have an image of every body"
                                              : "a frame must have as many bodies as the run");
  }
  if (shape_.images) require_images_that_fit(snapshot.image);
  hash_.reset();
  for (const Part part : shape_.parts()) append(part, vectors_of(snapshot, part), kept);
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
  for (const Part part : frame_parts) {
    const auto more = from.bytes(part, i);
    at(part).insert(at(part).end(), more.begin(), more.end());
  }
}

// Chunk by chunk, so that the data are in the cache when they are summed.
void FrameBlock::append(Part part, const sim::Vectors& vectors, std::span<const std::int64_t> kept) {
  Bytes& bytes = at(part);
  const std::size_t begin = bytes.size(), body_bytes = 3 * shape_.element(part);
  bytes.resize(begin + shape_.frame_bytes(part));
  for (std::size_t body = 0; body < shape_.bodies; body += shape_.chunk_bodies()) {
    const std::size_t bodies = std::min(shape_.chunk_bodies(), shape_.bodies - body);
    const auto piece = std::span(bytes).subspan(begin + body * body_bytes, bodies * body_bytes);
    as_stored(shape_, part, [&]<class Stored>(Stored) { pack<Stored>(vectors, kept, body, bodies, piece.data()); });
    hash_.add(std::span<const std::byte>(piece));
    if (shape_.chunk_frames == 1 && bodies == shape_.chunk_bodies())
      sums[static_cast<std::size_t>(part)].push_back(fletcher32(piece));
  }
}

void FrameBlock::resize(std::size_t frames) {
  step.resize(frames);
  time.resize(frames);
  checksum.resize(frames);
  stamp.resize(frames);
  for (const Part part : shape_.parts()) at(part).resize(frames * shape_.frame_bytes(part));
  for (auto& of_part : sums) of_part.clear();
}

const char* FrameBlock::damage(std::size_t i) const {
  if (!stamped(i)) return "its step, time or checksum is damaged";
  if (checksum[i] != checksum_of(i)) return "it does not match its checksum";
  return nullptr;
}

std::span<const std::byte> FrameBlock::bytes(Part part, std::size_t i) const {
  if (!shape_.has(part)) return {};
  const std::size_t size = shape_.frame_bytes(part);
  return std::span(at(part)).subspan(i * size, size);
}

std::uint64_t FrameBlock::checksum_of(std::size_t i) const {
  hash_.reset();
  for (const Part part : frame_parts) hash_.add(bytes(part, i));
  return hash_.value();
}

std::uint64_t FrameBlock::stamp_of(std::size_t i) const {
  const std::array words{static_cast<std::uint64_t>(step[i]), std::bit_cast<std::uint64_t>(time[i]), checksum[i]};
  return hash_of(words);
}

}  // namespace orrery::pipeline::trajectory
