// SPDX-License-Identifier: MIT
// Terms of the observables, and the update of the extremes; for kernels.
#pragma once

#include <cmath>

#include "sim/backends/cuda/kernels.cuh"
#include "sim/domain.hpp"
#include "sim/extremes.hpp"

namespace orrery::sim::cuda {

struct Terms {
  double of[observable_count];
};

/// Returns the term of body i in each observable; zeros if i ≥ n.
__device__ __forceinline__ Terms terms_of(const ObservedState& at, std::size_t i) {
  Terms all{};
  double(&terms)[observable_count] = all.of;
  if (i < at.n) {
    const double *x = at.position, *v = at.velocity;
    const double m = at.mass[i], vx = v[i], vy = v[i + at.stride], vz = v[i + 2 * at.stride];
    const double px = x[i], py = x[i + at.stride], pz = x[i + 2 * at.stride];
    const double half = __dmul_rn(0.5, m);
    const auto cross_component = [](double a, double b, double c, double d) {
      return __fma_rn(a, b, -__dmul_rn(c, d));
    };
    terms[0] = m;
    terms[1] = __dmul_rn(half, __fma_rn(vx, vx, __fma_rn(vy, vy, __dmul_rn(vz, vz))));
    terms[2] = __dmul_rn(half, at.potential[i]);
    terms[3] = __dmul_rn(m, vx);
    terms[4] = __dmul_rn(m, vy);
    terms[5] = __dmul_rn(m, vz);
    terms[6] = __dmul_rn(m, cross_component(py, vz, pz, vy));
    terms[7] = __dmul_rn(m, cross_component(pz, vx, px, vz));
    terms[8] = __dmul_rn(m, cross_component(px, vy, py, vx));
    terms[9] = __dmul_rn(m, px);
    terms[10] = __dmul_rn(m, py);
    terms[11] = __dmul_rn(m, pz);
    if (at.virial != nullptr) terms[12] = __dmul_rn(__dmul_rn(-0.5, m), at.virial[i]);
  }
  return all;
}

/// Called by a whole warp, whose lanes 0 … 3 pass the total energy and the three components of the angular momentum. As
/// in sim/extremes.hpp, the earlier of two equal numbers stays.
__device__ __forceinline__ void widen(double* extremes, unsigned lane, double value) {
  const bool mine = lane < kept_extremes;
  double *low = extremes + 1 + lane, *high = low + kept_extremes;
  const double states = extremes[0], least = mine ? *low : 0, most = mine ? *high : 0;
  __syncwarp();
  if (mine && (states == 0 || value < least)) *low = value;
  if (mine && (states == 0 || value > most)) *high = value;
  if (lane == 0) extremes[0] = states + 1;
}

/// Threads of a block that widens the closest approach. The first `few_bodies` of them compare no pairs: they are free for
/// the other extremes.
inline constexpr unsigned approach_block = 4 * few_bodies;

/// Calls meet(r2, i, j) for this thread's pairs i ≠ j of at most `few_bodies` bodies, of which some are another thread's too.
template <class Meet>
__device__ __forceinline__ void each_pair(const ObservedState& at, Meet meet) {
  if (threadIdx.x < few_bodies) return;
  const unsigned i = threadIdx.x % few_bodies, n = static_cast<unsigned>(at.n);
  if (i >= n) return;
  const bool is_periodic = at.periods[0] > 0 || at.periods[1] > 0 || at.periods[2] > 0;
  const double* const x = at.position;
  const double own[3] = {x[i], x[at.stride + i], x[2 * at.stride + i]};
#pragma unroll 4
  for (unsigned d = threadIdx.x / few_bodies; d <= n / 2; d += approach_block / few_bodies - 1) {
    const unsigned j = i + d < n ? i + d : i + d - n;
    double r2 = 0;
#pragma unroll
    for (unsigned q = 0; q < 3; ++q) {
      double apart = __dsub_rn(x[q * at.stride + j], own[q]);
      if (is_periodic) apart = nearest_image(apart, at.periods[q]);
      r2 = q == 0 ? __dmul_rn(apart, apart) : __dadd_rn(r2, __dmul_rn(apart, apart));
    }
    meet(r2, i, j);
  }
}

/// Widens the closest approach, as closest_of_few and Approach::meet do. Called by all threads of a block of
/// approach_block with the least r2 of their pairs. As a step is seldom the closest one so far, the pair itself is only
/// looked for if it is needed.
__device__ __forceinline__ void widen_approach(const ObservedState& at, double least, double* kept) {
  constexpr unsigned none = few_bodies * few_bodies;
  __shared__ unsigned long long nearest;  // bits of a squared distance, which have the order of its values
  __shared__ unsigned pair;               // few_bodies · i + j, so that the first of equally close pairs has the least
  const double before = kept[2] != 0 ? kept[0] : HUGE_VAL;
  if (__syncthreads_or(least < before) == 0) return;
  if (threadIdx.x == 0) nearest = ~0ULL, pair = none;
  __syncthreads();
  atomicMin(&nearest, static_cast<unsigned long long>(__double_as_longlong(least)));
  __syncthreads();
  const double r2 = __longlong_as_double(static_cast<long long>(nearest));
  each_pair(at, [&](double found, unsigned i, unsigned j) {
    if (found == r2) atomicMin(&pair, few_bodies * min(i, j) + max(i, j));
  });
  __syncthreads();
  if (threadIdx.x == 0) kept[0] = r2, kept[1] = pair / few_bodies, kept[2] = pair % few_bodies;
}

/// Returns the least r2 of this thread's pairs.
__device__ __forceinline__ double min_square(const ObservedState& at) {
  double least = HUGE_VAL;
  each_pair(at, [&](double r2, unsigned, unsigned) { least = r2 < least ? r2 : least; });
  return least;
}

}  // namespace orrery::sim::cuda
