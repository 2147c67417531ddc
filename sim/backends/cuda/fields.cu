// SPDX-License-Identifier: MIT
// External fields, one thread a body.
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/real.cuh"
#include "sim/fields/list.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned block = 128;

/// a ← a + g and, if asked, potential ← potential + 2φ, since an energy takes half of the potential.
template <class Field>
__global__ void field_kernel(FieldNumbers numbers, const double* x, std::size_t n, std::size_t stride,
                             bool with_potential, double* acceleration, double* potential) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  const Triple<Real> position{Real(x[i]), Real(x[i + stride]), Real(x[i + 2 * stride])};
  const Triple<Real> g = Field::acceleration(numbers, position);
  double* a = acceleration + i;
  a[0] = __dadd_rn(a[0], g.x.value);
  a[stride] = __dadd_rn(a[stride], g.y.value);
  a[2 * stride] = __dadd_rn(a[2 * stride], g.z.value);
  if (!with_potential) return;
  potential[i] = __dadd_rn(potential[i], __dmul_rn(2.0, Field::potential(numbers, position).value));
}

using Kernel = void (*)(FieldNumbers, const double*, std::size_t, std::size_t, bool, double*, double*);

template <class... Field>
Kernel kernel_of(FieldList<Field...>, std::size_t law) {
  static constexpr Kernel all[] = {field_kernel<Field>...};
  return all[law];
}

}  // namespace

void add_field(std::size_t law, const FieldNumbers& numbers, const double* position, std::size_t n, std::size_t stride,
               bool with_potential, double* acceleration, double* potential, Stream stream) {
  const auto blocks = static_cast<unsigned>((n + block - 1) / block);
  kernel_of(Fields{}, law)<<<blocks, block, 0, stream.queue>>>(numbers, position, n, stride, with_potential,
                                                               acceleration, potential);
  check(cudaGetLastError(), "starting an external field");
}

}  // namespace orrery::sim::cuda
