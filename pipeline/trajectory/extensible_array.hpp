// SPDX-License-Identifier: MIT
// The parts of an index of chunks, as they lie in the file (HDF5 File Format Specification 3.0, IV.A.2.i and VII.D).
#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/trajectory/failure.hpp"

namespace orrery::pipeline::trajectory {

inline constexpr haddr_t nowhere = HADDR_UNDEF;
inline constexpr std::size_t address_size = sizeof(haddr_t), sum_size = 4;

/// Throws Failure.
void require_index(bool well);
bool read_at(int descriptor, haddr_t place, std::span<std::byte> bytes);

/// A part of the file that ends with its checksum.
class Block {
 public:
  Block(int descriptor, haddr_t place, std::size_t size);
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    T value{};
    require_index(there_ && at + sizeof(T) <= bytes_.size());
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  void put(std::size_t at, haddr_t value) { std::memcpy(bytes_.data() + at, &value, sizeof value); }
  [[nodiscard]] std::span<std::byte> part(std::size_t at, std::size_t size) {
    return std::span(bytes_).subspan(at, size);
  }
  /// Where its checksum stands.
  [[nodiscard]] std::size_t end() const { return bytes_.size() - sum_size; }
  [[nodiscard]] bool begins(std::string_view sign) const;
  [[nodiscard]] bool intact() const { return there_ && get<std::uint32_t>(end()) == sum(); }
  /// Whether it is larger than a page, so that its pages may be of different versions.
  [[nodiscard]] bool may_be_torn() const;
  /// Writes it with a checksum that fits; false where the file has it so already. Throws CallFailure.
  bool write();

 private:
  [[nodiscard]] std::uint32_t sum() const;
  int descriptor_;
  haddr_t place_;
  std::vector<std::byte> bytes_, was_;
  bool there_;
};

/// What refers to an array: the message of an object header that says how the chunks of a dataset are found.
struct Reference {
  Block block;
  std::size_t at;
  [[nodiscard]] haddr_t place() const { return block.get<haddr_t>(at); }
};

/// That of the object with its header at `object`; none where chunks are found by another kind of index. Throws Failure.
std::optional<Reference> reference_to_array(int descriptor, haddr_t object);

// The library makes all arrays with these numbers.
inline constexpr std::array<std::uint8_t, 5> array_numbers{32, 4, 16, 4, 10};
inline constexpr std::size_t direct_entries = 4;   ///< in the index block
inline constexpr std::size_t first_entries = 16;   ///< in the first data block
inline constexpr std::size_t direct_groups = 4;    ///< groups of data blocks that the index block refers to itself
inline constexpr std::size_t all_groups = 29;      ///< room for 2^32 entries
inline constexpr std::size_t page_entries = 1024;  ///< data blocks with more have pages, each with its checksum
// Bytes before the contents: signature, version, kind, place of the header; of data blocks also the number of an entry.
inline constexpr std::size_t index_head = 14, data_head = 18;

/// Data blocks of one size: `blocks` of them with `entries` each, beginning with entry `first`.
struct Group {
  std::size_t number, blocks, entries, first;
  explicit Group(std::size_t n);
  /// The one that has entry k, which is not in the index block.
  static Group of(std::size_t k);
  /// Of each data block; 0: it is in one piece.
  [[nodiscard]] std::size_t pages() const { return entries > page_entries ? entries / page_entries : 0; }
  /// Where the references begin in its secondary block, behind a bit for each page; and the size of that.
  [[nodiscard]] std::size_t references() const { return data_head + blocks * ((pages() + 7) / 8); }
  [[nodiscard]] std::size_t secondary_size() const { return references() + blocks * address_size + sum_size; }
};

/// An array, by its header. Throws Failure where that is intact and not as the library makes it.
struct ExtensibleArray {
  static constexpr std::size_t header_size = 72, index_reference = 60;
  int descriptor;
  Block header;
  std::size_t entry = 0;  ///< bytes: an address; where there are filters, also a size and which of them were left out

  ExtensibleArray(int file, haddr_t place);
  [[nodiscard]] haddr_t index() const { return header.get<haddr_t>(index_reference); }
  [[nodiscard]] Block index_block() const;
  /// Where the index block refers to a data block of a group; or to a group's secondary block.
  [[nodiscard]] std::size_t reference(const Group& group, std::size_t block = 0) const;
};

}  // namespace orrery::pipeline::trajectory
