// SPDX-License-Identifier: MIT
// Doubles side by side, and where the engine is compiled: as `fused`, for machines with fma, or as `exact`, which makes it of sums
// and products. Freestanding: WebAssembly has no library here.
#pragma once

#ifdef ORRERY_ENGINE_FUSED
#define ORRERY_ENGINE fused
#else
#define ORRERY_ENGINE exact
#endif
#define ORRERY_INLINE [[gnu::always_inline]] inline

namespace orrery::page::ORRERY_ENGINE {

using u64 = unsigned long long;
using i64 = long long;
using u8 = unsigned char;

/// A register holds two doubles. Four are two registers, which hide the latency of fma; `exact` has no registers left for that.
#ifdef ORRERY_ENGINE_FUSED
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif

using Vector [[gnu::vector_size(8 * lanes)]] = double;
using Bits [[gnu::vector_size(8 * lanes)]] = i64;  ///< of the doubles; or masks, all ones or all zeros in each lane

struct Lanes {
  Vector v;

  Lanes() = default;
  ORRERY_INLINE Lanes(Vector x) : v(x) {}
  ORRERY_INLINE Lanes(double x) : v(x - Vector{}) {}
  ORRERY_INLINE explicit Lanes(Bits x) : v((Vector)x) {}
  [[nodiscard]] ORRERY_INLINE Bits bits() const { return (Bits)v; }
};
// Unaligned, and of an array of doubles.
using Unaligned [[gnu::vector_size(8 * lanes), gnu::aligned(8), gnu::may_alias]] = double;

ORRERY_INLINE Lanes load(const double* from) {
  return Vector(*reinterpret_cast<const Unaligned*>(from));
}
ORRERY_INLINE void store(double* to, Lanes x) {
  *reinterpret_cast<Unaligned*>(to) = x.v;
}
/// Lane by lane, `stride` numbers apart. Lanes are named here: a vector indexed by a variable goes through memory.
ORRERY_INLINE void store(double* to, int stride, Lanes x) {
  to[0] = x.v[0], to[stride] = x.v[1];
#ifdef ORRERY_ENGINE_FUSED
  to[2 * stride] = x.v[2], to[3 * stride] = x.v[3];
#endif
}
ORRERY_INLINE Lanes operator+(Lanes a, Lanes b) {
  return a.v + b.v;
}
ORRERY_INLINE Lanes operator-(Lanes a, Lanes b) {
  return a.v - b.v;
}
ORRERY_INLINE Lanes operator*(Lanes a, Lanes b) {
  return a.v * b.v;
}
ORRERY_INLINE Lanes operator/(Lanes a, Lanes b) {
  return a.v / b.v;
}
ORRERY_INLINE Lanes operator-(Lanes a) {
  return -a.v;
}
ORRERY_INLINE Bits operator==(Lanes a, Lanes b) {
  return a.v == b.v;
}
ORRERY_INLINE Bits operator!=(Lanes a, Lanes b) {
  return a.v != b.v;
}
ORRERY_INLINE Bits operator<(Lanes a, Lanes b) {
  return a.v < b.v;
}
/// x where the mask is set, else +0.
ORRERY_INLINE Lanes operator&(Lanes x, Bits mask) {
  return Lanes(x.bits() & mask);
}
ORRERY_INLINE Lanes select(Bits mask, Lanes a, Lanes b) {
  return Lanes((a.bits() & mask) | (b.bits() & ~mask));
}
ORRERY_INLINE Lanes magnitude(Lanes x) {
  return Lanes(x.bits() & 0x7fffffffffffffffLL);
}
ORRERY_INLINE u64 bits_of(double x) {
  return __builtin_bit_cast(u64, x);
}
ORRERY_INLINE double double_of(u64 bits) {
  return __builtin_bit_cast(double, bits);
}

}  // namespace orrery::page::ORRERY_ENGINE
