// SPDX-License-Identifier: MIT
// Several blocks per coordinate on the device; the host combines their results.
#include "sim/backends/cuda/extremal.hpp"

#include <algorithm>
#include <limits>

#include "sim/backends/cuda/launch.cuh"

namespace orrery::sim::cuda {
namespace {

using Part = Extremals::Part;

constexpr unsigned extremal_block = 256;
constexpr unsigned max_parts = 32, bodies_each = 4;  // bodies per thread, until there are max_parts blocks
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Columns {
  const double* at[Extremals::most];
};

/// The result does not depend on the order of parts.
__device__ __forceinline__ void add(Part& to, const Part& part) {
  if (part.size > to.size || (part.size == to.size && part.body < to.body)) to.size = part.size, to.body = part.body;
  if (part.low < to.low) to.low = part.low;
  if (part.high > to.high) to.high = part.high;
}

/// Block b of axis q of column k writes found[(k·3 + q)·gridDim.x + b].
__global__ void __launch_bounds__(extremal_block)
    extremal_kernel(Columns columns, std::size_t n, std::size_t stride, Part* found) {
  __shared__ Part of[extremal_block];
  wait_for_previous_kernel();
  const double* numbers = columns.at[blockIdx.z] + blockIdx.y * stride;
  Part mine{0, ~std::uint64_t{0}, infinity, -infinity};
  for (std::size_t i = blockIdx.x * std::size_t{extremal_block} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * extremal_block) {
    const double number = numbers[i], size = fabs(number);
    add(mine, {size <= infinity ? size : infinity, i, number, number});
  }
  of[threadIdx.x] = mine;
  for (unsigned half = extremal_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) add(of[threadIdx.x], of[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) found[(blockIdx.z * std::size_t{3} + blockIdx.y) * gridDim.x + blockIdx.x] = of[0];
}

/// Combines one column from `parts` parts of each axis.
Extremal combined(const Part* part, unsigned parts) {
  Extremal all;
  for (int axis = 0; axis < 3; ++axis, part += parts) {
    Greatest along{.value = 0, .body = part->body};
    double low = part->low, high = part->high;
    for (const Part& one : std::span(part, parts)) {
      const bool sooner = one.size == along.value && one.body < along.body;
      if (one.size > along.value || sooner) along = {one.size, one.body};
      low = std::min(low, one.low);
      high = std::max(high, one.high);
    }
    if (along.value > all.greatest.value) all.greatest = along;
    all.half_extent = std::max(all.half_extent, high / 2 - low / 2);
  }
  return all;
}

}  // namespace

Extremals::Extremals(const Device& device, std::size_t n, std::size_t stride)
    : n_(n),
      stride_(stride),
      parts_(static_cast<unsigned>(std::clamp<std::size_t>(n / (extremal_block * bodies_each), 1, max_parts))),
      found_(device, most * 3 * parts_),
      copy_(device, most * 3 * parts_) {}

std::vector<Extremal> Extremals::of(std::span<const double* const> columns, Stream& stream) {
  std::vector<Extremal> all;
  while (all.size() < columns.size()) {
    const auto some = columns.subspan(all.size(), std::min(most, columns.size() - all.size()));
    Columns now{};
    std::ranges::copy(some, now.at);
    const auto count = static_cast<unsigned>(some.size());
    launch_overlapping(extremal_kernel, dim3(parts_, 3, count), extremal_block, stream.get(), now, n_, stride_,
                       found_.get());
    stream.copy_out(copy_.get(), found_.get(), std::size_t{3} * count * parts_ * sizeof(Part));
    stream.wait();
    for (unsigned k = 0; k < count; ++k) all.push_back(combined(copy_.get() + std::size_t{3} * k * parts_, parts_));
  }
  return all;
}

}  // namespace orrery::sim::cuda
