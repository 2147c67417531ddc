// SPDX-License-Identifier: MIT
// Arithmetic of pair interactions: one sequence of operations for scalars, SIMD lanes and CUDA threads, so that all
// give the same bits. It uses no library function and no hardware approximation.
//
// `Real` has +, −, ·, a constructor from double, fma(a, b, c) = a·b + c and nfma(a, b, c) = −a·b + c, both rounded
// once, and inverse_root_seed(r2). Laws that are not powers also need less(a, b), a mask that is false for NaN, and
// select(mask, a, b), a where the mask is true, else b; both are computed, and the other one may be infinite or NaN.
// Logarithms also need quotients and split(x), exponentials power_of_two(k); floats implement natural_log and
// exponential themselves.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define ORRERY_EVERYWHERE __host__ __device__ __forceinline__
#else
// Always inlined: a vector that goes through a call goes through memory.
#define ORRERY_EVERYWHERE inline __attribute__((always_inline))
#endif

namespace orrery::sim {

/// What a force evaluation computes: accelerations alone, with the potential, or with the jerk (float64 only).
enum class Outputs { forces, potential, jerk };
/// Numbers per body: the acceleration, followed by the potential or the jerk.
ORRERY_EVERYWHERE constexpr std::size_t outputs_per_body(Outputs outputs) {
  return outputs == Outputs::forces ? 3 : outputs == Outputs::potential ? 4 : 6;
}

/// High word of the seed's bits is seed_constant − (high word of r2)/2; the low word is zero. Within 3.5 % of
/// r2^(−1/2).
inline constexpr std::uint32_t seed_constant = 0x5fe6eb50;

/// A vector in space.
template <class Real>
struct Triple {
  Real x, y, z;
};

/// x = significand · 2^exponent with the significand in [√½, √2) and an integer exponent; x > 0, not subnormal.
template <class Real>
struct Split {
  Real significand, exponent;
};
/// With b the bits of x as an integer plus split_offset, the exponent is (b >> 52) − 1023 and the bits of the
/// significand are (b & split_mantissa) + split_least, at least those of √½.
inline constexpr std::uint64_t split_least = 0x3fe6a09e00000000;
inline constexpr std::uint64_t split_offset = 0x3ff0000000000000 - split_least;
inline constexpr std::uint64_t split_mantissa = 0x000fffffffffffff;

/// The sum with an integer k, −1022 ≤ k ≤ 1023, has k + 1023 in its low bits; shifted left by 52 they are the bits of
/// 2^k.
inline constexpr double power_of_two_offset = 0x1p52 + 1023;

/// a if both are equal or either is NaN.
template <class Real>
ORRERY_EVERYWHERE Real minimum(Real a, Real b) {
  return select(less(b, a), b, a);
}
template <class Real>
ORRERY_EVERYWHERE Real maximum(Real a, Real b) {
  return select(less(a, b), b, a);
}

/// r2^(−1/2) to about 1e-5: the seed, refined once by a third-order step.
template <class Real>
ORRERY_EVERYWHERE Real inverse_root_estimate(Real r2) {
  const Real y = inverse_root_seed(r2);
  const Real e = nfma(r2 * y, y, Real(1));
  const Real p = fma(fma(Real(0.3125), e, Real(0.375)), e, Real(0.5));
  return fma(y * e, p, y);
}

/// r2^(−1/2), error up to two units in the last place.
template <class Real>
ORRERY_EVERYWHERE Real inverse_root(Real r2) {
  const Real y = inverse_root_estimate(r2);
  const Real e = nfma(r2, y * y, Real(1));
  const Real p = fma(fma(Real(0.3125), e, Real(0.375)), e, Real(0.5));
  return fma(y * e, p, y);
}

/// r2^(−1), error below a unit in the last place: the estimate squared and corrected by the series of 1/(1 − e).
template <class Real>
ORRERY_EVERYWHERE Real inverse_square(Real r2) {
  const Real y = inverse_root_estimate(r2);
  const Real y2 = y * y;
  const Real e = nfma(r2, y2, Real(1));
  return fma(y2, fma(fma(e, e, e), e, e), y2);
}

/// r2^(−3/2): the estimate cubed and corrected by the series of (1 − e)^(−3/2).
template <class Real>
ORRERY_EVERYWHERE Real inverse_cube(Real r2) {
  const Real y = inverse_root_estimate(r2);
  const Real y2 = y * y;
  const Real e = nfma(r2, y2, Real(1));
  const Real y3 = y * y2;
  const Real p = fma(fma(Real(2.1875), e, Real(1.875)), e, Real(1.5));
  return fma(y3 * e, p, y3);
}

/// −3 r2^(−5/2): the slope of the cube, 2 d/d(r2).
template <class Real>
ORRERY_EVERYWHERE Real inverse_cube_slope(Real r2) {
  const Real y = inverse_root(r2);
  return Real(-3) * (inverse_cube(r2) * (y * y));
}

/// d(c·d)/dt for a difference d that changes at the rate v and c = c(|d|²): c·v + slope·(d·v)·d. Odd in (d, v), so that
/// it serves both bodies of a pair with opposite signs.
template <class Real>
ORRERY_EVERYWHERE Triple<Real> rate_of_change(Triple<Real> d, Triple<Real> v, Real c, Real slope) {
  const Real along = slope * fma(d.x, v.x, fma(d.y, v.y, d.z * v.z));
  return {fma(along, d.x, c * v.x), fma(along, d.y, c * v.y), fma(along, d.z, c * v.z)};
}

}  // namespace orrery::sim
