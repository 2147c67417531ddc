// SPDX-License-Identifier: MIT
// External fields, one thread per body.
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/real.cuh"
#include "sim/fields/list.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned field_block = 128;

/// a ← a + g and, if requested, jerk ← jerk + dg/dt or potential ← potential + 2φ, since the energy takes half of it.
template <class Field>
__global__ void field_kernel(LawParameters numbers, Targets to) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= to.n) return;
  const auto at_body = [&](const double* p) {
    return Triple<Real>{Real(p[i]), Real(p[i + to.stride]), Real(p[i + 2 * to.stride])};
  };
  const auto add = [&](double* p, const Triple<Real>& g) {
    p[i] = __dadd_rn(p[i], g.x.value);
    p[i + to.stride] = __dadd_rn(p[i + to.stride], g.y.value);
    p[i + 2 * to.stride] = __dadd_rn(p[i + 2 * to.stride], g.z.value);
  };
  const Triple<Real> x = at_body(to.position);
  add(to.acceleration, Field::acceleration(numbers, x));
  if (to.outputs == Outputs::jerk) add(to.jerk, Field::jerk(numbers, x, at_body(to.velocity)));
  if (to.outputs != Outputs::potential) return;
  to.potential[i] = __dadd_rn(to.potential[i], __dmul_rn(2.0, Field::potential(numbers, x).value));
}

/// a ← a + g, and the potential likewise.
__global__ void add_kernel(const double* found, Targets to) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= to.n) return;
  for (std::size_t at = i; at < 3 * to.stride; at += to.stride)
    to.acceleration[at] = __dadd_rn(to.acceleration[at], found[at]);
  if (to.outputs == Outputs::potential) to.potential[i] = __dadd_rn(to.potential[i], found[3 * to.stride + i]);
}

using Kernel = void (*)(LawParameters, Targets);

template <class... Field>
Kernel kernel_of(FieldList<Field...>, std::size_t law) {
  static constexpr Kernel all[] = {field_kernel<Field>...};
  return all[law];
}

}  // namespace

void add_field(std::size_t law, const LawParameters& parameters, const Targets& to, StreamHandle stream) {
  kernel_of(Fields{}, law)<<<blocks_for(to.n, field_block), field_block, 0, stream.stream>>>(parameters, to);
  check(cudaGetLastError(), "starting an external field");
}

void add_columns(const double* found, const Targets& to, StreamHandle stream) {
  add_kernel<<<blocks_for(to.n, field_block), field_block, 0, stream.stream>>>(found, to);
  check(cudaGetLastError(), "adding an external field");
}

}  // namespace orrery::sim::cuda
