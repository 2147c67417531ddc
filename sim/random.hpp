// SPDX-License-Identifier: MIT
// Counter-based random numbers: number k of a stream depends on seed, stream and k alone.
#pragma once

#include <array>
#include <cstdint>

namespace orrery::sim {

/// Philox4x32-10 (Salmon et al. 2011, SC '11, "Parallel random numbers: as easy as 1, 2, 3").
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// A stream of random numbers, independent of the other streams of the seed.
class Random {
 public:
  Random(std::uint64_t seed, std::uint32_t stream) : seed_(seed), stream_(stream) {}

  /// Number k of the stream, uniform in [0, 1): 53 random bits.
  [[nodiscard]] double uniform(std::uint64_t k) const {
    const auto words = philox({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32), stream_, 0},
                              {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
    const std::uint64_t bits = (std::uint64_t{words[0]} << 32 | words[1]) >> 11;
    return static_cast<double>(bits) * 0x1p-53;
  }
  /// Number k of the stream, uniform in [low, high).
  [[nodiscard]] double between(double low, double high, std::uint64_t k) const {
    return low + (high - low) * uniform(k);
  }
  /// For other generators.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
  std::uint32_t stream_;
};

}  // namespace orrery::sim
