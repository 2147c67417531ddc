// SPDX-License-Identifier: MIT
// The interaction's operations: one sequence for a scalar, a SIMD lane and a CUDA thread, so that all give the same bits.
//
// `Real` has +, −, ·, a constructor from double, fma(a, b, c) = a·b + c, nfma(a, b, c) = −a·b + c, both rounded once,
// and inverse_root_seed(r2). Nothing here is a library function or a hardware approximation. A law that is no power has
// besides less(a, b), a mask that is false where either is no number, and select(mask, a, b), which is a where the mask is true
// and b elsewhere: both sides are computed, and what is not chosen may be infinite or no number. A logarithm also takes a
// quotient and split(x), an exponential power_of_two(k); floats have both as functions of their own.
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

/// What pairs are summed for: accelerations alone, with the potential, or with the jerk, which float64 alone has.
enum class Outputs { forces, potential, jerk };
/// How many numbers a body that are: accelerations, and a potential or a jerk behind them.
ORRERY_EVERYWHERE constexpr std::size_t sums_of(Outputs outputs) {
  return outputs == Outputs::forces ? 3 : outputs == Outputs::potential ? 4 : 6;
}

/// High word of the seed's bits is seed_constant − (high word of r2)/2; the low word is zero. Within 3.5 % of r2^(−1/2).
inline constexpr std::uint32_t seed_constant = 0x5fe6eb50;

/// A vector over the numbers of a backend.
template <class Real>
struct Triple {
  Real x, y, z;
};

/// x = significand · 2^exponent with the significand in [√½, √2) and the exponent a whole number; x > 0, not subnormal.
template <class Real>
struct Split {
  Real significand, exponent;
};
/// With b the bits of x + split_offset, read as one integer: the exponent is (b >> 52) − 1023 and the bits of the
/// significand are (b & split_mantissa) + split_least, which are those of √½ at the least.
inline constexpr std::uint64_t split_least = 0x3fe6a09e00000000;
inline constexpr std::uint64_t split_offset = 0x3ff0000000000000 - split_least;
inline constexpr std::uint64_t split_mantissa = 0x000fffffffffffff;

/// k + this has k + 1023 in its low bits, for whole k from −1022 to 1023: shifted up by 52 they are those of 2^k.
inline constexpr double power_of_two_offset = 0x1p52 + 1023;

/// The lesser and the greater; a where they are equal or either is no number.
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

/// r2^(−1/2), error of a unit in the last place or two.
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

/// d(c·d)/dt where d changes at the rate v and c = c(|d|²) has that slope: c·v + slope·(d·v)·d. Odd in (d, v), so that
/// both bodies of a pair may take it, one with the sign changed.
template <class Real>
ORRERY_EVERYWHERE Triple<Real> rate_of_change(Triple<Real> d, Triple<Real> v, Real c, Real slope) {
  const Real along = slope * fma(d.x, v.x, fma(d.y, v.y, d.z * v.z));
  return {fma(along, d.x, c * v.x), fma(along, d.y, c * v.y), fma(along, d.z, c * v.z)};
}

}  // namespace orrery::sim
