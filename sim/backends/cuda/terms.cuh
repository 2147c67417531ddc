// SPDX-License-Identifier: MIT
// Terms of the observables, and the update of the extremes; for kernels.
#pragma once

#include "sim/backends/cuda/kernels.cuh"

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

}  // namespace orrery::sim::cuda
