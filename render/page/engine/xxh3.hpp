// SPDX-License-Identifier: MIT
// XXH3 with 64 bits and without a seed, after the specification of xxHash 0.8, for messages of 9 bytes or more.
#pragma once

#include "exact_fma.hpp"

namespace orrery::page::ORRERY_ENGINE {

class Xxh3 {
 public:
  static u64 of(const u8* message, int size) {
    if (size <= 16) return of_16(message, size);
    if (size <= 128) return of_128(message, size);
    if (size <= 240) return of_240(message, size);
    return of_more(message, size);
  }

 private:
  static constexpr u64 prime32_1 = 0x9E3779B1, prime32_2 = 0x85EBCA77, prime32_3 = 0xC2B2AE3D;
  static constexpr u64 prime64_1 = 0x9E3779B185EBCA87, prime64_2 = 0xC2B2AE3D27D4EB4F, prime64_3 = 0x165667B19E3779F9,
                       prime64_4 = 0x85EBCA77C2B2AE63, prime64_5 = 0x27D4EB2F165667C5;
  static constexpr u64 secret_words[24] = {
      0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072, 0x78e5c0cc4ee679cb,
      0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0, 0xcb00c391bb52283c, 0xa32e531b8b65d088,
      0x4ef90da297486471, 0xd8acdea946ef1938, 0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a,
      0x647378d9c97e9fc8, 0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
      0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af};

  static u64 word(const u8* at) {
    u64 w = 0;
    __builtin_memcpy(&w, at, 8);
    return w;
  }
  static u64 secret(int at) { return word(reinterpret_cast<const u8*>(secret_words) + at); }
  static u64 folded(u64 a, u64 b) {
    const Wide p = product(a, b);
    return p.high ^ p.low;
  }
  static u64 avalanche(u64 h) {
    h = (h ^ h >> 37) * 0x165667919E3779F9;
    return h ^ h >> 32;
  }
  /// 16 bytes of the message.
  static u64 mixed(const u8* at, int key) { return folded(word(at) ^ secret(key), word(at + 8) ^ secret(key + 8)); }

  static u64 of_16(const u8* message, int size) {
    const u64 low = word(message) ^ secret(24) ^ secret(32), high = word(message + size - 8) ^ secret(40) ^ secret(48);
    return avalanche(static_cast<u64>(size) + __builtin_bswap64(low) + high + folded(low, high));
  }
  static u64 of_128(const u8* message, int size) {
    u64 h = static_cast<u64>(size) * prime64_1;
    for (int k = (size - 1) / 32; k >= 0; --k)
      h += mixed(message + 16 * k, 32 * k) + mixed(message + size - 16 * (k + 1), 32 * k + 16);
    return avalanche(h);
  }
  static u64 of_240(const u8* message, int size) {
    u64 h = static_cast<u64>(size) * prime64_1;
    for (int k = 0; k < 8; ++k) h += mixed(message + 16 * k, 16 * k);
    h = avalanche(h);
    for (int k = 8; k < size / 16; ++k) h += mixed(message + 16 * k, 16 * (k - 8) + 3);
    return avalanche(h + mixed(message + size - 16, 136 - 17));
  }

  /// 64 bytes of the message.
  static void accumulate(u64* sums, const u8* stripe, int key) {
    for (int i = 0; i < 8; ++i) {
      const u64 w = word(stripe + 8 * i), keyed = w ^ secret(key + 8 * i);
      sums[i ^ 1] += w;
      sums[i] += (keyed & 0xffffffff) * (keyed >> 32);
    }
  }
  static u64 of_more(const u8* message, int size) {
    u64 sums[8] = {prime32_3, prime64_1, prime64_2, prime64_3, prime64_4, prime32_2, prime64_5, prime32_1};
    const int stripes = (size - 1) / 64;
    for (int k = 0; k < stripes; ++k) {
      accumulate(sums, message + 64 * k, 8 * (k % 16));
      if (k % 16 != 15) continue;
      for (int i = 0; i < 8; ++i) sums[i] = (sums[i] ^ sums[i] >> 47 ^ secret(128 + 8 * i)) * prime32_1;
    }
    accumulate(sums, message + size - 64, 192 - 64 - 7);
    u64 h = static_cast<u64>(size) * prime64_1;
    for (int i = 0; i < 4; ++i) h += folded(sums[2 * i] ^ secret(11 + 16 * i), sums[2 * i + 1] ^ secret(19 + 16 * i));
    return avalanche(h);
  }
};

}  // namespace orrery::page::ORRERY_ENGINE
