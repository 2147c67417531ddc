// SPDX-License-Identifier: MIT
// Σ wᵢ and Σ (n − i) wᵢ, many words at a time.
#include "pipeline/trajectory/fletcher32.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace orrery::pipeline::trajectory {
namespace {

constexpr std::uint64_t modulus = 65535;
constexpr std::size_t lanes = 32;
constexpr std::size_t most_rounds = 360;  // 65535 · (1 + 2 + … + 360) still fits into 32 bits

/// 0 for nothing but zeros, else within 1 … 65535.
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
  // Lane k takes words k, k + lanes, …: its own two sums are what the loop adds up. A word of a round that r rounds
  // follow counts lanes · (r + 1) − k times.
  while (left >= lanes) {
    const std::size_t rounds = std::min(left / lanes, most_rounds);
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
  // The words are little-endian here; to swap the bytes of a word is to multiply it by 256, modulo 65535.
  return folded(256 * (sums % modulus), zeros) << 16U | folded(256 * (sum % modulus), zeros);
}

}  // namespace orrery::pipeline::trajectory
