// SPDX-License-Identifier: MIT
// Where a block ends its checksum tells: it is tried for every length.
#include "tests/faults/metadata.hpp"

#include <array>
#include <bit>
#include <string_view>

namespace orrery::pipeline::testing {
namespace {

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t result = 0;
  for (std::size_t k = 0; k < 4 && at + k < bytes.size(); ++k)
    result |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
  return result;
}

/// Bob Jenkins's lookup3, "hashlittle" with an initial value of 0, public domain (burtleburtle.net/bob/c/lookup3.c).
std::uint32_t lookup3(std::string_view bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const auto take = [&](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x -= z;
    x ^= std::rotl(z, turn);
    z += y;
  };
  while (bytes.size() > 12) {
    a += word(bytes, 0);
    b += word(bytes, 4);
    c += word(bytes, 8);
    take(a, b, c, 4);
    take(b, c, a, 6);
    take(c, a, b, 8);
    take(a, b, c, 16);
    take(b, c, a, 19);
    take(c, a, b, 4);
    bytes.remove_prefix(12);
  }
  if (bytes.empty()) return c;
  a += word(bytes, 0);
  b += word(bytes, 4);
  c += word(bytes, 8);
  const auto last = [](std::uint32_t& x, std::uint32_t y, int turn) { x = (x ^ y) - std::rotl(y, turn); };
  last(c, b, 14);
  last(a, c, 11);
  last(b, a, 25);
  last(c, b, 16);
  last(a, c, 4);
  last(b, a, 14);
  last(c, b, 24);
  return c;
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
        if (lookup3(all.substr(at, size)) != word(all, at + size)) continue;
        blocks.push_back({at, size});
        break;
      }
    }
  }
  return blocks;
}

void forge(std::string& bytes, const MetadataBlock& block) {
  if (block.place + block.size + 4 > bytes.size()) return;
  const std::uint32_t sum = lookup3(std::string_view(bytes).substr(block.place, block.size));
  for (std::size_t k = 0; k < 4; ++k) bytes[block.place + block.size + k] = static_cast<char>(sum >> (8 * k));
}

}  // namespace orrery::pipeline::testing
