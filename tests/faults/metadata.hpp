// SPDX-License-Identifier: MIT
// Blocks of HDF5 metadata and their checksums, for damage that passes the library's own verification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery::pipeline::testing {

/// `size` bytes from `place` on, followed by their checksum in four bytes.
struct MetadataBlock {
  std::size_t place = 0, size = 0;
};

/// Finds the superblock, object headers and parts of chunk indices: everything that begins with a known signature and
/// is followed by its lookup3 checksum (Jenkins 2006) within a thousand bytes.
std::vector<MetadataBlock> metadata_blocks(const std::string& bytes);

/// Recomputes the checksum of a block.
void forge(std::string& bytes, const MetadataBlock& block);

}  // namespace orrery::pipeline::testing
