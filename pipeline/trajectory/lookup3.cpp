// SPDX-License-Identifier: MIT
// lookup3, word by word.
#include "pipeline/trajectory/lookup3.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace orrery::pipeline::trajectory {

std::uint32_t lookup3(std::span<const std::byte> bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const auto add = [&](std::span<const std::byte> most_twelve) {
    std::array<std::uint32_t, 3> words{};
    std::memcpy(words.data(), most_twelve.data(), most_twelve.size());
    a += words[0], b += words[1], c += words[2];
  };
  const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x = (x - z) ^ std::rotl(z, turn);
    z += y;
  };
  for (; bytes.size() > 12; bytes = bytes.subspan(12)) {
    add(bytes.first(12));
    mix(a, b, c, 4), mix(b, c, a, 6), mix(c, a, b, 8), mix(a, b, c, 16), mix(b, c, a, 19), mix(c, a, b, 4);
  }
  if (bytes.empty()) return c;
  add(bytes);
  const auto last = [](std::uint32_t& x, std::uint32_t y, int turn) { x = (x ^ y) - std::rotl(y, turn); };
  last(c, b, 14), last(a, c, 11), last(b, a, 25), last(c, b, 16), last(a, c, 4), last(b, a, 14), last(c, b, 24);
  return c;
}

}  // namespace orrery::pipeline::trajectory
