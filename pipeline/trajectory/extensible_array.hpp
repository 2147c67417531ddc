// SPDX-License-Identifier: MIT
// Parts of an index of chunks as stored in the file (HDF5 File Format Specification 3.0, IV.A.2.i and VII.D).
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

/// Throws Failure unless `valid`.
void require_index(bool valid);
/// Returns whether all bytes could be read.
bool read_at(int descriptor, haddr_t address, std::span<std::byte> bytes);

/// A block of the file that ends with its checksum.
class Block {
 public:
  Block(int descriptor, haddr_t address, std::size_t size);
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    T value{};
    require_index(readable_ && at + sizeof(T) <= bytes_.size());
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  void put(std::size_t at, haddr_t value) { std::memcpy(bytes_.data() + at, &value, sizeof value); }
  [[nodiscard]] std::span<std::byte> part(std::size_t at, std::size_t size) {
    return std::span(bytes_).subspan(at, size);
  }
  /// Offset of the checksum.
  [[nodiscard]] std::size_t end() const { return bytes_.size() - sum_size; }
  [[nodiscard]] bool begins(std::string_view signature) const;
  [[nodiscard]] bool intact() const { return readable_ && get<std::uint32_t>(end()) == sum(); }
  /// Whether it crosses a page, so that a power loss may mix pages of different versions.
  [[nodiscard]] bool may_be_torn() const;
  /// Updates the checksum and writes the block; returns false if the file already has it. Throws CallFailure.
  bool write();

 private:
  [[nodiscard]] std::uint32_t sum() const;
  int descriptor_;
  haddr_t address_;
  std::vector<std::byte> bytes_, stored_;
  bool readable_;
};

/// The reference to an array in the layout message of an object header.
struct Reference {
  Block block;
  std::size_t at;
  [[nodiscard]] haddr_t address() const { return block.get<haddr_t>(at); }
};

/// Returns the reference in the object header at `object`; empty if it uses another kind of index. Throws Failure.
std::optional<Reference> reference_to_array(int descriptor, haddr_t object);

// Parameters with which the library creates all arrays.
inline constexpr std::array<std::uint8_t, 5> array_numbers{32, 4, 16, 4, 10};
inline constexpr std::size_t direct_entries = 4;   ///< in the index block
inline constexpr std::size_t first_entries = 16;   ///< in the first data block
inline constexpr std::size_t direct_groups = 4;    ///< groups of data blocks that the index block refers to directly
inline constexpr std::size_t all_groups = 29;      ///< room for 2^32 entries
inline constexpr std::size_t page_entries = 1024;  ///< larger data blocks have pages, each with its checksum
// Bytes before the contents: signature, version, kind, address of the header; in data blocks also the number of the first entry.
inline constexpr std::size_t index_head = 14, data_head = 18;

/// Data blocks of the same size: `blocks` of them with `entries` each, from entry `first` on.
struct Group {
  std::size_t number, blocks, entries, first;
  explicit Group(std::size_t n);
  /// The group of entry k, which must not be in the index block.
  static Group of(std::size_t k);
  /// Pages per data block; 0 if it is not paged.
  [[nodiscard]] std::size_t pages() const { return entries > page_entries ? entries / page_entries : 0; }
  /// Offset of the references in the secondary block, after one bit per page; size of the secondary block.
  [[nodiscard]] std::size_t references() const { return data_head + blocks * ((pages() + 7) / 8); }
  [[nodiscard]] std::size_t secondary_size() const { return references() + blocks * address_size + sum_size; }
};

/// The header of an array. Throws Failure if it is intact but has other parameters.
struct ExtensibleArray {
  static constexpr std::size_t header_size = 72, index_reference = 60;
  int descriptor;
  Block header;
  std::size_t entry = 0;  ///< bytes: an address; with filters also a size and a mask

  ExtensibleArray(int file, haddr_t address);
  [[nodiscard]] haddr_t index() const { return header.get<haddr_t>(index_reference); }
  [[nodiscard]] Block index_block() const;
  /// Offset in the index block of the reference to a data block of a group, or to the secondary block of a group.
  [[nodiscard]] std::size_t reference(const Group& group, std::size_t block = 0) const;
};

}  // namespace orrery::pipeline::trajectory
