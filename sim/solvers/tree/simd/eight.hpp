// SPDX-License-Identifier: MIT
// The eight partial sums of a canonical sum in vectors. Included only by sources in this folder.
#pragma once

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using sim::tree::lanes;
using std::size_t;

using Real = Lanes<double>;
inline constexpr size_t wide = width<double>;
inline constexpr size_t vectors = lanes / wide;  ///< of the partial sums of a canonical sum
using Eight = Lanes<double, vectors>;

HWY_INLINE double fold(Eight sum) {
  for (size_t half = vectors / 2; half > 0; half /= 2) {
    for (size_t k = 0; k < half; ++k) sum.v[k] = hn::Add(sum.v[k], sum.v[k + half]);
  }
  return tree(Tag<double>(), sum.v[0]);
}
HWY_INLINE double fold(const double* t) {
  return fold(Eight::load(t));
}

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
