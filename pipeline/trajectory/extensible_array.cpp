// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/extensible_array.hpp"

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <string>
#include <utility>

#include "pipeline/trajectory/hdf5_checksums.hpp"

namespace orrery::pipeline::trajectory {
namespace {

constexpr std::size_t kPage = 4096;  // the unit that a power loss keeps or loses

/// Returns the offset of the array's address in a layout message at `at`; 0 if it has another kind of index.
std::size_t address_in_layout(const Block& block, std::size_t at) {
  constexpr std::uint8_t version = 4, chunked = 2, extensible_array = 4;
  if (block.get<std::uint8_t>(at) != version || block.get<std::uint8_t>(at + 1) != chunked) return 0;
  const std::size_t dimensions = block.get<std::uint8_t>(at + 3), width = block.get<std::uint8_t>(at + 4);
  const std::size_t kind = at + 5 + dimensions * width;
  return block.get<std::uint8_t>(kind) == extensible_array ? kind + 1 + array_numbers.size() : 0;
}

/// Iterates over the messages of an object header: in its first block, then in its continuations.
struct Messages {
  Block block;
  std::size_t at;          // offset in the block
  std::size_t order_size;  // bytes of the creation order of a message

  Messages(int descriptor, haddr_t object) : block(descriptor, object, 64), at(0), order_size(0) {
    require_index(block.begins("OHDR"));
    const auto flags = block.get<std::uint8_t>(5);
    const std::size_t before = 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
    const std::size_t width = std::size_t{1} << (flags & 3);
    std::uint64_t size = 0;
    std::memcpy(&size, block.part(before, width).data(), width);
    require_index(size < 16 * kPage);
    at = before + width;
    order_size = (flags & 4) != 0 ? 2 : 0;
    block = Block(descriptor, object, at + size + sum_size);
    require_index(block.intact());
  }
  void continue_at(int descriptor, haddr_t address, std::uint64_t size) {
    require_index(size < 16 * kPage);
    block = Block(descriptor, address, size);
    require_index(block.begins("OCHK") && block.intact());
    at = 4;
  }
};

}  // namespace

void require_index(bool valid) {
  if (!valid) throw hdf5::Failure("an index of chunks is damaged");
}

bool read_at(int descriptor, haddr_t address, std::span<std::byte> bytes) {
  if (address > static_cast<haddr_t>(INT64_MAX) - bytes.size()) return false;
  return std::cmp_equal(::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(address)), bytes.size());
}

Block::Block(int descriptor, haddr_t address, std::size_t size)
    : descriptor_(descriptor), address_(address), bytes_(size) {
  readable_ = size > sum_size && read_at(descriptor, address, bytes_);
  stored_ = bytes_;
}

bool Block::begins(std::string_view signature) const {
  return readable_ && std::memcmp(bytes_.data(), signature.data(), signature.size()) == 0;
}

bool Block::may_be_torn() const {
  return readable_ && address_ % kPage + bytes_.size() > kPage;
}

std::uint32_t Block::sum() const {
  return lookup3(std::span(bytes_).first(end()));
}

bool Block::write() {
  const std::uint32_t now = sum();
  std::memcpy(bytes_.data() + end(), &now, sizeof now);
  if (bytes_ == stored_) return false;
  if (!std::cmp_equal(::pwrite(descriptor_, bytes_.data(), bytes_.size(), static_cast<off_t>(address_)), bytes_.size()))
    throw hdf5::CallFailure("pwrite: " + std::string(std::strerror(errno)), errno);
  stored_ = bytes_;
  return true;
}

std::optional<Reference> reference_to_array(int descriptor, haddr_t object) {
  constexpr std::uint8_t layout = 8, continuation = 16;
  Messages messages(descriptor, object);
  for (int blocks = 0; blocks < 100; ++blocks) {
    Block& block = messages.block;
    haddr_t next = nowhere;
    std::uint64_t next_size = 0;
    for (const std::size_t head = 4 + messages.order_size; messages.at + head <= block.end();) {
      const auto type = block.get<std::uint8_t>(messages.at);
      const std::size_t at = messages.at + head;
      messages.at = at + block.get<std::uint16_t>(messages.at + 1);
      if (type == layout) {
        const std::size_t address = address_in_layout(block, at);
        if (address == 0) return std::nullopt;
        return Reference{std::move(block), address};
      }
      if (type != continuation) continue;
      next = block.get<haddr_t>(at);
      next_size = block.get<std::uint64_t>(at + address_size);
    }
    require_index(next != nowhere);
    messages.continue_at(descriptor, next, next_size);
  }
  return std::nullopt;
}

Group::Group(std::size_t n)
    : number(n),
      blocks(std::size_t{1} << (n / 2)),
      entries(first_entries << ((n + 1) / 2)),
      first(direct_entries + first_entries * ((std::size_t{1} << n) - 1)) {}

Group Group::of(std::size_t k) {
  const auto n = static_cast<std::size_t>(std::bit_width((k - direct_entries) / first_entries + 1)) - 1;
  require_index(n < all_groups);
  return Group(n);
}

ExtensibleArray::ExtensibleArray(int file, haddr_t address) : descriptor(file), header(file, address, header_size) {
  if (!header.intact()) return;
  require_index(header.begins("EAHD"));
  entry = header.get<std::uint8_t>(6);
  require_index(header.get<std::uint8_t>(5) == 0 ? entry == address_size
                                                 : entry > address_size + 4 && entry <= address_size + 12);
  for (std::size_t k = 0; k < array_numbers.size(); ++k)
    require_index(header.get<std::uint8_t>(7 + k) == array_numbers[k]);
}

std::size_t ExtensibleArray::reference(const Group& group, std::size_t block) const {
  constexpr std::array<std::size_t, direct_groups + 1> before{0, 1, 2, 4, 6};  // data blocks in previous groups
  const std::size_t k = group.number < direct_groups ? before[group.number] + block
                                                     : before[direct_groups] + group.number - direct_groups;
  return index_head + direct_entries * entry + k * address_size;
}

Block ExtensibleArray::index_block() const {
  return Block(descriptor, index(), reference(Group(all_groups)) + sum_size);
}

}  // namespace orrery::pipeline::trajectory
