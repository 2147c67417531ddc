// SPDX-License-Identifier: MIT
// Blocks of HDF5 metadata in the bytes of a file, and their checksums: damage that is to get past the library's own look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery::pipeline::testing {

/// `size` bytes from `place` on, with their checksum behind them in four.
struct MetadataBlock {
  std::size_t place = 0, size = 0;
};

/// The superblock, object headers, parts of chunk indices: whatever begins with a known sign and is followed by its
/// lookup3 (Jenkins 2006) within a thousand bytes.
std::vector<MetadataBlock> metadata_blocks(const std::string& bytes);

/// Makes the checksum of a block right again.
void forge(std::string& bytes, const MetadataBlock& block);

}  // namespace orrery::pipeline::testing
