// SPDX-License-Identifier: MIT
// The end of a block is found by trying its checksum for every length.
#include "tests/faults/metadata.hpp"

#include <array>
#include <span>
#include <string_view>

#include "pipeline/trajectory/hdf5_checksums.hpp"

namespace orrery::pipeline::testing {
namespace {

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t result = 0;
  for (std::size_t k = 0; k < 4 && at + k < bytes.size(); ++k)
    result |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
  return result;
}

std::uint32_t sum_of(std::string_view bytes) {
  return trajectory::lookup3(std::as_bytes(std::span(bytes)));
}

}  // namespace

std::vector<MetadataBlock> metadata_blocks(const std::string& bytes) {
  constexpr std::array signs{"OHDR", "OCHK", "EAHD", "EAIB", "EASB", "EADB", "FAHD", "FADB", "FRHP",
                             "FHDB", "FHIB", "FSHD", "FSSE", "BTHD", "BTLF", "BTIN", "SMTB"};
  constexpr std::size_t most = 1000;
  std::vector<MetadataBlock> blocks{{0, 44}};
  const std::string_view all = bytes;
  for (const char* sign : signs) {
    for (std::size_t at = all.find(sign); at != std::string_view::npos; at = all.find(sign, at + 4)) {
      for (std::size_t size = 8; size < most && at + size + 4 <= all.size(); ++size) {
        if (sum_of(all.substr(at, size)) != word(all, at + size)) continue;
        blocks.push_back({at, size});
        break;
      }
    }
  }
  return blocks;
}

void forge(std::string& bytes, const MetadataBlock& block) {
  if (block.place + block.size + 4 > bytes.size()) return;
  const std::uint32_t sum = sum_of(std::string_view(bytes).substr(block.place, block.size));
  for (std::size_t k = 0; k < 4; ++k) bytes[block.place + block.size + k] = static_cast<char>(sum >> (8 * k));
}

}  // namespace orrery::pipeline::testing
