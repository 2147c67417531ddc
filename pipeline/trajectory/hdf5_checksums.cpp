// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/hdf5_checksums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace orrery::pipeline::trajectory {
namespace {

constexpr std::uint64_t modulus = 65535;
constexpr std::size_t lanes = 32;
constexpr std::size_t max_rounds = 360;  // 65535 · (1 + 2 + … + 360) still fits into 32 bits

/// Reduces a sum to 1 … 65535, or to 0 if all words were zero.
std::uint32_t folded(std::uint64_t sum, bool zeros) {
  const std::uint64_t rest = sum % modulus;
  return static_cast<std::uint32_t>(rest == 0 && !zeros ? modulus : rest);
}

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size() / 2;
  std::uint64_t sum = 0, sums = 0;
  bool zeros = true;
  // Vectorised: lane k sums words k, k + lanes, …. A word followed by r rounds counts lanes · (r + 1) − k times in `sums`.
  while (left >= lanes) {
    const std::size_t rounds = std::min(left / lanes, max_rounds);
    std::array<std::uint32_t, lanes> once{}, often{};
    for (std::size_t round = 0; round < rounds; ++round, at += 2 * lanes) {
      std::array<std::uint16_t, lanes> words;
      std::memcpy(words.data(), at, sizeof words);
      for (std::size_t k = 0; k < lanes; ++k) often[k] += once[k] += words[k];
    }
    sums += sum * rounds * lanes;
    for (std::size_t k = 0; k < lanes; ++k) {
      sum += once[k];
      sums += std::uint64_t{often[k]} * lanes - std::uint64_t{once[k]} * k;
    }
    zeros = zeros && sum == 0;
    sum = folded(sum, zeros);
    sums %= modulus;
    left -= rounds * lanes;
  }
  for (; left > 0; --left, at += 2) {
    std::uint16_t word = 0;
    std::memcpy(&word, at, sizeof word);
    sums += sum += word;
    zeros = zeros && word == 0;
  }
  // The words were read as little-endian. Swapping the bytes of a word multiplies it by 256 modulo 65535.
  return folded(256 * (sums % modulus), zeros) << 16U | folded(256 * (sum % modulus), zeros);
}

std::uint32_t lookup3(std::span<const std::byte> bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const auto add = [&](std::span<const std::byte> max_twelve) {
    std::array<std::uint32_t, 3> words{};
    std::memcpy(words.data(), max_twelve.data(), max_twelve.size());
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
