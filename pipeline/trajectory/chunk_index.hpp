// SPDX-License-Identifier: MIT
// The index by which the library finds the chunks of a dataset that grows, for files in which the library cannot use it.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>

namespace orrery::pipeline::trajectory {

/// An extensible array (HDF5 File Format Specification 3.0, VII.D): a header, an index block with the first entries, and data
/// blocks of 16, 32, 32, 64, … entries, which the index block or a secondary block refers to. Each has a checksum. Entries
/// are only added, so every version of a block has those of the versions before. A loss of power may still
/// - leave pages of different versions of a block that is larger than a page: no checksum fits, and the library refuses all
///   of its entries;
/// - leave a reference to a block that never came to the disk: the library cannot shorten the dataset.
class ChunkIndex {
 public:
  /// `descriptor`: of the file, open for as long as this lives; `object`: where the header of the dataset lies.
  ChunkIndex(int descriptor, haddr_t object) : descriptor_(descriptor), object_(object) {}

  /// Where chunk `k` lies, counted row by row, whatever the checksums of data blocks say. Throws Failure.
  [[nodiscard]] std::optional<haddr_t> place(std::size_t k) const;
  /// Makes the library find the first `chunks` chunks, which must be there, and no others; true where something had to be
  /// changed. Interrupted it can be done again. An index of another kind is left to the library, which must not have the
  /// file open. Throws Failure.
  bool keep(std::size_t chunks) const;

 private:
  int descriptor_;
  haddr_t object_;
};

/// Reads rows [first, first + count) of a growing dataset by the places of their chunks; false where that fails. What they
/// are worth our checksums tell.
bool read_past_the_library(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data);

/// Where the header of an object lies in the file.
haddr_t address_of(hid_t object);

}  // namespace orrery::pipeline::trajectory
