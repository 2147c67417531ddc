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

/// Number of threads of a block that widens the closest approach.
inline constexpr unsigned approach_block = 4 * few_bodies;

/// Widens the closest approach by all pairs of at most `few_bodies` bodies, as closest_of_few and Approach::meet do.
/// Called by all threads of a block of approach_block. As a step is seldom the closest one so far, the pair itself is
/// only looked for if its distance is needed.
__device__ __forceinline__ void widen_approach_by(const ObservedState& at, double* kept) {
  constexpr unsigned parts = approach_block / few_bodies, none = few_bodies * few_bodies;
  __shared__ double x[3][few_bodies];
  __shared__ unsigned long long nearest;  // bits of a squared distance, which have the order of its values
  __shared__ unsigned pair;               // few_bodies · i + j, so that the first of equally close pairs has the least
  const unsigned i = threadIdx.x % few_bodies, part = threadIdx.x / few_bodies, n = static_cast<unsigned>(at.n);
  __syncthreads();
  if (part < 3 && i < n) x[part][i] = at.position[part * at.stride + i];
  if (threadIdx.x == 0) nearest = ~0ULL, pair = none;
  const double before = kept[2] != 0 ? kept[0] : HUGE_VAL;
  __syncthreads();
  // Calls meet(r2, i, j) for this thread's pairs, of which those at the ends of the loop may be another thread's too.
  const auto each_pair = [&](auto meet) {
    for (unsigned d = 1 + part; i < n && d <= n / 2; d += parts) {
      const unsigned j = i + d < n ? i + d : i + d - n, low = min(i, j), high = max(i, j);
      double r2 = 0;
#pragma unroll
      for (unsigned q = 0; q < 3; ++q) {
        const double one = nearest_image(__dsub_rn(x[q][high], x[q][low]), at.periods[q]);
        r2 = q == 0 ? __dmul_rn(one, one) : __dadd_rn(r2, __dmul_rn(one, one));
      }
      meet(r2, low, high);
    }
  };
  double least = HUGE_VAL;
  each_pair([&](double r2, unsigned, unsigned) { least = r2 < least ? r2 : least; });
  if (__syncthreads_or(least < before) == 0) return;
  atomicMin(&nearest, static_cast<unsigned long long>(__double_as_longlong(least)));
  __syncthreads();
  each_pair([&](double r2, unsigned low, unsigned high) {
    if (r2 == __longlong_as_double(static_cast<long long>(nearest))) atomicMin(&pair, few_bodies * low + high);
  });
  __syncthreads();
  if (threadIdx.x > 0) return;
  kept[0] = __longlong_as_double(static_cast<long long>(nearest));
  kept[1] = pair / few_bodies, kept[2] = pair % few_bodies;
}

}  // namespace orrery::sim::cuda
