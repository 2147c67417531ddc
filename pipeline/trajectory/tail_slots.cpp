// SPDX-License-Identifier: MIT
// /tail: the frames of the unfinished chunk row.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {
namespace {

/// As stored in the file. The checksum covers the members before it, then step, time, checksum, stamp and each part (position,
/// velocity, image) of `count` frames.
struct TailHeader {
  std::uint64_t sequence = 0;
  std::int64_t base = 0, count = 0;
  std::uint64_t checksum = 0;
};

hdf5::Handle tail_header_type() {
  using hdf5::check, hdf5::type_of;
  hdf5::Handle type(H5Tcreate(H5T_COMPOUND, sizeof(TailHeader)));
  check(H5Tinsert(type, "sequence", offsetof(TailHeader, sequence), type_of<std::uint64_t>()));
  check(H5Tinsert(type, "base", offsetof(TailHeader, base), type_of<std::int64_t>()));
  check(H5Tinsert(type, "count", offsetof(TailHeader, count), type_of<std::int64_t>()));
  check(H5Tinsert(type, "checksum", offsetof(TailHeader, checksum), type_of<std::uint64_t>()));
  return type;
}

// Calls visit(name, type, data) for each array of a block, in the order of the checksum.
template <class Block, class Visit>
void for_each_array(Block&& block, Visit visit) {
  using hdf5::type_of;
  visit("step", type_of<std::int64_t>(), std::span(block.step));
  visit("time", type_of<double>(), std::span(block.time));
  visit("checksum", type_of<std::uint64_t>(), std::span(block.checksum));
  visit("stamp", type_of<std::uint64_t>(), std::span(block.stamp));
  for (const Part part : block.shape().parts())
    visit(name_of(part), block.shape().type(part), std::span(block.at(part)));
}

// The extents of one frame in an array.
hdf5::Extents row_of(std::string_view array, const Shape& shape) {
  return std::ranges::count(part_names, array) > 0 ? hdf5::Extents{shape.bodies, 3} : hdf5::Extents{};
}

std::uint64_t checksum_of(const TailHeader& header, const FrameBlock& block) {
  Hash hash;
  hash.add(std::as_bytes(std::span(&header, 1)).first(offsetof(TailHeader, checksum)));
  for_each_array(block, [&](const char*, hid_t, const auto values) { hash.add(values); });
  return hash.value();
}

TailHeader read_tail_header(hid_t slot) {
  TailHeader header;
  const hdf5::Handle dataset = hdf5::open_dataset(slot, "header");
  hdf5::require_scalar(dataset);
  hdf5::read_all(dataset, tail_header_type(), &header);
  return header;
}

std::optional<Tail> read(hid_t slot, const TailHeader& header, const Shape& shape) {
  if (header.base < 0 || header.count < 0) return std::nullopt;
  if (std::cmp_greater_equal(header.count, shape.chunk_frames)) return std::nullopt;
  // chunk_frames is not limited by the size of the file, but the length of a contiguous dataset is.
  if (std::cmp_greater(header.count, hdf5::length(hdf5::open_dataset(slot, "position")))) return std::nullopt;
  Tail tail{.sequence = header.sequence, .base = static_cast<std::size_t>(header.base), .frames = FrameBlock(shape)};
  tail.frames.resize(static_cast<std::size_t>(header.count));
  for_each_array(tail.frames, [&](const char* name, hid_t type, const auto values) {
    hdf5::read_rows(hdf5::open_dataset(slot, name), type, 0, tail.frames.size(), values.data());
  });
  if (checksum_of(header, tail.frames) != header.checksum) return std::nullopt;
  return tail;
}

}  // namespace

TailSlots::TailSlots(hid_t file, const Shape& shape) : Slots(file, "/tail", shape) {
  for (const auto& slot : slots_) {
    for_each_array(FrameBlock(shape), [&](const char* array, hid_t type, const auto) {
      const hdf5::Handle dataset = hdf5::open_dataset(slot, array);
      hdf5::require_rows(dataset, row_of(array, shape));
      if (std::string_view(array) == name_of(Part::image)) hdf5::require_type(dataset, type);
    });
  }
}

void TailSlots::create(hid_t file, const Shape& shape) {
  const hdf5::Handle group = hdf5::create_group(file, "tail");
  const hsize_t room = shape.chunk_frames - 1;
  for (const char* name : slot_names) {
    const hdf5::Handle slot = hdf5::create_group(group, name);
    const TailHeader empty;
    hdf5::write_all(hdf5::create_fixed(slot, "header", tail_header_type(), {}), tail_header_type(), &empty);
    for_each_array(FrameBlock(shape), [&](const char* array, hid_t type, const auto) {
      hdf5::Extents extents = row_of(array, shape);
      extents.insert(extents.begin(), room);
      hdf5::create_fixed(slot, array, type, extents);
    });
  }
}

void TailSlots::write(std::uint64_t sequence, std::size_t base, const FrameBlock& frames) {
  TailHeader header{
      .sequence = sequence, .base = static_cast<std::int64_t>(base), .count = static_cast<std::int64_t>(frames.size())};
  header.checksum = checksum_of(header, frames);
  const std::size_t slot = rotation_.next();
  for_each_array(frames, [&](const char* name, hid_t type, const auto values) {
    hdf5::write_rows(hdf5::open_dataset(slots_[slot], name), type, 0, frames.size(), values.data());
  });
  hdf5::write_all(hdf5::open_dataset(slots_[slot], "header"), tail_header_type(), &header);
  rotation_.wrote(slot, sequence);
}

TailScan TailSlots::scan(std::size_t base) const {
  TailScan result;
  for (const auto& slot : slots_) {
    const TailHeader header = read_tail_header(slot);
    if (header.sequence == 0) continue;
    auto tail = read(slot, header, shape_);
    if (!tail) {
      result.torn = true;
      continue;
    }
    result.last_sequence = std::max(result.last_sequence, tail->sequence);
    if (tail->base > base || tail->base + tail->frames.size() < base ||
        (result.fitting && result.fitting->sequence > tail->sequence))
      continue;
    result.fitting = std::move(tail);
  }
  return result;
}

std::optional<Tail> TailSlots::find(std::size_t base, std::size_t frames) const {
  std::optional<Tail> found;
  for (const auto& slot : slots_) {
    auto tail = read(slot, read_tail_header(slot), shape_);
    if (!tail || tail->base != base || tail->frames.size() < frames) continue;
    if (!found || found->sequence < tail->sequence) found = std::move(tail);
  }
  return found;
}

void TailSlots::resume_from(std::uint64_t sequence) {
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const auto tail = read(slots_[k], read_tail_header(slots_[k]), shape_);
    if (tail && tail->sequence <= sequence) rotation_.wrote(k, tail->sequence);
  }
  rotation_.synced();
}

}  // namespace orrery::pipeline::trajectory
