// SPDX-License-Identifier: MIT
// The lanes of a mask moved to the front, in registers: Highway's own copies its table before it reads it, and stores that
// compress take some processors a hundred cycles. For short_range.cpp alone.
#pragma once

#include <array>

#include "sim/backends/simd/lanes.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

#if HWY_TARGET == HWY_AVX2

/// For each mask of eight lanes which of them comes first, second, …: four bits each.
constexpr auto places_of_eight = [] {
  std::array<std::uint32_t, 256> all{};
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    for (std::uint32_t lane = 0, to = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) all[mask] |= lane << 4 * to++;
    }
  }
  return all;
}();
/// Of four lanes, as halves.
constexpr auto places_of_four = [] {
  std::array<std::uint32_t, 16> all{};
  for (std::uint32_t mask = 0; mask < 16; ++mask) {
    for (std::uint32_t lane = 0, to = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1) != 0) all[mask] |= (2 * lane | (2 * lane + 1) << 4) << 8 * to++;
    }
  }
  return all;
}();

#endif

/// Behind those lanes there is anything. `count` of them.
template <class D>
HWY_INLINE hn::Vec<D> pack(D d, hn::Vec<D> v, hn::Mask<D> mask, std::size_t& count) {
#if HWY_TARGET <= HWY_AVX3 && HWY_TARGET != HWY_SCALAR && HWY_ARCH_X86
  count = hn::CountTrue(d, mask);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::Vec<D>{_mm512_maskz_compress_epi64(mask.raw, v.raw)};
  } else {
    return hn::Vec<D>{_mm512_maskz_compress_epi32(mask.raw, v.raw)};
  }
#elif HWY_TARGET == HWY_AVX2
  constexpr bool wide = sizeof(hn::TFromD<D>) == 8;
  const __m256i lanes = hn::VecFromMask(d, mask).raw;
  const auto bits = static_cast<unsigned>(wide ? _mm256_movemask_pd(_mm256_castsi256_pd(lanes))
                                               : _mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
  count = static_cast<std::size_t>(_mm_popcnt_u32(bits));
  const std::uint32_t from = wide ? places_of_four[bits & 15] : places_of_eight[bits & 255];
  const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  return hn::Vec<D>{
      _mm256_permutevar8x32_epi32(v.raw, _mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(from)), shifts))};
#else
  count = hn::CountTrue(d, mask);
  return hn::Compress(v, mask);
#endif
}

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
