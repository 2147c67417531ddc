// SPDX-License-Identifier: MIT
#include "sim/backends/simd/fma_rate.hpp"

#include <cmath>

#include "sim/backends/simd/lanes.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

/// More than latency × units of current processors, as registers allow: AVX2 has 16, the others 32.
constexpr std::size_t chains = HWY_MAX_BYTES == 32 ? 12 : 16;

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

template <class T>
HWY_INLINE Vector<T> fused(Vector<T> a, Vector<T> x, Vector<T> b) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, x, b);
#else
  const hn::ScalableTag<T> tag;  // lane by lane, as in the pair loops
  HWY_ALIGN T p[HWY_LANES(T)], q[HWY_LANES(T)], r[HWY_LANES(T)];
  hn::Store(a, tag, p), hn::Store(x, tag, q), hn::Store(b, tag, r);
  for (std::size_t k = 0; k < HWY_LANES(T); ++k) r[k] = std::fma(p[k], q[k], r[k]);
  return hn::Load(tag, r);
#endif
}

template <class T>
double run(std::size_t rounds) {
  const hn::ScalableTag<T> tag;
  const Vector<T> a = hn::Set(tag, T(0.999)), b = hn::Set(tag, T(0.001));  // converges to 1
  Vector<T> x[chains];
  for (std::size_t k = 0; k < chains; ++k) x[k] = hn::Iota(tag, static_cast<T>(k));
  for (; rounds > 0; --rounds) {
    for (std::size_t k = 0; k < chains; ++k) x[k] = fused<T>(a, x[k], b);
  }
  for (std::size_t k = 1; k < chains; ++k) x[0] = hn::Add(x[0], x[k]);
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, x[0])));
}

template <class T>
constexpr FmaChains chains_of{.each_round = chains * HWY_LANES(T), .run = run<T>};

constexpr FmaLoops all{.in_double = chains_of<double>, .in_float = chains_of<float>};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::FmaLoops& orrery::sim::simd::fma_loops(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
