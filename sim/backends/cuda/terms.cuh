// SPDX-License-Identifier: MIT
// Terms of the observables, and the update of the extremes; for kernels.
#pragma once

#include <cfloat>

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
/// Called by all threads of a block of approach_block, of which thread t compares body t % few_bodies with every fourth
/// one of those after it.
__device__ __forceinline__ void widen_approach_by(const ObservedState& at, double* kept) {
  constexpr unsigned lanes = 32, warps = approach_block / lanes, none = few_bodies * few_bodies;
  __shared__ double squares[warps];
  __shared__ unsigned pairs[warps];
  __syncthreads();
  double least = 0;
  unsigned pair = none;  // few_bodies · i + j, so that the first of equally close pairs has the least
  const auto meet = [&](double r2, unsigned other) {
    if (other != none && (pair == none || r2 < least || (r2 == least && other < pair))) least = r2, pair = other;
  };
  const double* const x = at.position;
  const unsigned i = threadIdx.x % few_bodies, n = static_cast<unsigned>(at.n);
  for (unsigned j = i + 1 + threadIdx.x / few_bodies; j < n; j += approach_block / few_bodies) {
    double r2 = 0;
    for (unsigned q = 0; q < 3; ++q) {
      const double d = nearest_image(__dsub_rn(x[q * at.stride + j], x[q * at.stride + i]), at.periods[q]);
      r2 = q == 0 ? __dmul_rn(d, d) : __dadd_rn(r2, __dmul_rn(d, d));
    }
    if (r2 <= DBL_MAX) meet(r2, few_bodies * i + j);
  }
  for (unsigned half = lanes / 2; half > 0; half /= 2)
    meet(__shfl_down_sync(~0U, least, half), __shfl_down_sync(~0U, pair, half));
  if (threadIdx.x % lanes == 0) squares[threadIdx.x / lanes] = least, pairs[threadIdx.x / lanes] = pair;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned k = 1; k < warps; ++k) meet(squares[k], pairs[k]);
  if (pair == none || (kept[2] != 0 && !(least < kept[0]))) return;
  kept[0] = least, kept[1] = pair / few_bodies, kept[2] = pair % few_bodies;
}

}  // namespace orrery::sim::cuda
