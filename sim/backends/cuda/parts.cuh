// SPDX-License-Identifier: MIT
// Sums of numbers that are far apart in memory, in their order: many of them are on their way at once.
#pragma once

#include <cstddef>

namespace orrery::sim::cuda {

/// sum ← sum + from[0] + from[step] + …, so many. The loads of a batch stand before the first sum, or the compiler would wait
/// for one after the other.
template <class Number>
__device__ __forceinline__ void add_parts(const Number* from, std::size_t step, unsigned parts, double& sum) {
  constexpr unsigned batch = 16;
  unsigned c = 0;
  for (; c + batch <= parts; c += batch, from += batch * step) {
    Number values[batch];
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) values[k] = __ldcg(from + k * step);
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) sum = __dadd_rn(sum, static_cast<double>(values[k]));
  }
#pragma unroll 4
  for (; c < parts; ++c, from += step) sum = __dadd_rn(sum, static_cast<double>(__ldcg(from)));
}

}  // namespace orrery::sim::cuda
