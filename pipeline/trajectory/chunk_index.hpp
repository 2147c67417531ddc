// SPDX-License-Identifier: MIT
// The index of the chunks of a growing dataset, for files in which HDF5 itself refuses it.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>

namespace orrery::pipeline::trajectory {

/// An extensible array (HDF5 File Format Specification 3.0, VII.D): a header, an index block with the first entries, and data
/// blocks of 16, 32, 32, 64, … entries, which the index block or a secondary block refers to. Each has a checksum. Entries are only
/// added, so each version of a block contains the entries of older versions. A power loss may
/// - mix pages of different versions of a block larger than a page: its checksum is wrong and the library refuses all its entries;
/// - leave a reference to a block that was never written: the library cannot shrink the dataset.
class ChunkIndex {
 public:
  /// `descriptor`: of the file, must remain open; `object`: address of the object header of the dataset.
  ChunkIndex(int descriptor, haddr_t object) : descriptor_(descriptor), object_(object) {}

  /// Returns the address of chunk `k` in row-major order, without verifying the checksums of data blocks. Throws Failure.
  [[nodiscard]] std::optional<haddr_t> address(std::size_t k) const;
  /// Removes all entries but the first `chunks`, which must exist, and corrects checksums; returns whether anything changed. Can be
  /// repeated after an interruption. Ignores other kinds of index. HDF5 must not have the file open. Throws Failure.
  bool truncate(std::size_t chunks) const;

 private:
  int descriptor_;
  haddr_t object_;
};

/// Reads rows [first, first + count) of a growing dataset without HDF5; returns whether that succeeded. Data are not verified.
bool read_chunks_directly(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data);

/// Returns the address of the header of an object in the file.
haddr_t address_of(hid_t object);

}  // namespace orrery::pipeline::trajectory
