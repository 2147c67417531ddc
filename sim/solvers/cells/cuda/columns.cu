// SPDX-License-Identifier: MIT
// Conversion between particles and the columns of the state, and forces over all pairs.
#include "sim/solvers/cells/cuda/particle_ops.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned columns_block = 128;

template <class T, class V>
__global__ void take_kernel(const __grid_constant__ Particles<T, V> s, const ColumnsOfState columns) {
  const unsigned i = blockIdx.x * columns_block + threadIdx.x;
  if (i >= s.n) return;
  const auto vector = [&](const double* column) {
    V v{};
    v.x = static_cast<T>(column[i]), v.y = static_cast<T>(column[columns.stride + i]);
    if constexpr (V::axes == 3) {
      v.z = static_cast<T>(column[2 * columns.stride + i]);
      v.id = i;
    }
    return v;
  };
  constexpr int first = V::axes == 3 ? 1 : 0;  // lists are built into the first buffers, from other ones
  s.position[first][i] = vector(columns.position);
  s.velocity[first][i] = vector(columns.velocity);
  s.acceleration[i] = vector(columns.acceleration);
  if constexpr (V::axes == 2) s.id[0][i] = i;
  for (int axis = 0; axis < 3; ++axis) {
    if (s.image[axis] == nullptr) continue;
    const int more = rounded_across(s.space, axis, (&s.position[first][i].x)[axis]) ? 1 : 0;
    s.image[axis][i] = static_cast<int>(columns.image[axis * columns.stride + i]) + more;
  }
  if (i == 0) {
    const Control was = *s.control;
    *s.control = {.done = first, .longest = was.longest, .made = was.made};
  }
}

template <class T, class V>
__global__ void give_kernel(const __grid_constant__ Particles<T, V> s, const ColumnsOfState columns, bool accelerations,
                            bool potentials) {
  const unsigned k = blockIdx.x * columns_block + threadIdx.x;
  if (k >= s.n) return;
  int position = s.search.position, velocity = s.search.velocity;
  unsigned i = 0;
  if constexpr (V::axes == 3) {
    position = velocity = position_of(s.control->done);
    i = s.position[position][k].id;
  } else {
    i = s.id[velocity][k];
  }
  const auto give = [&](double* column, const V& v) {
    column[i] = static_cast<double>(v.x), column[columns.stride + i] = static_cast<double>(v.y);
    if constexpr (V::axes == 3) column[2 * columns.stride + i] = static_cast<double>(v.z);
  };
  give(columns.position, s.position[position][k]);
  give(columns.velocity, s.velocity[velocity][k]);
  if (accelerations) give(columns.acceleration, s.acceleration[k]);
  if (potentials) columns.potential[i] = s.potential[k], columns.virial[i] = s.virial[k];
  const unsigned of_image = s.ranks > 0 ? k : i;
  for (int axis = 0; axis < 3; ++axis) {
    if (s.image[axis] != nullptr)
      columns.image[axis * columns.stride + i] = static_cast<double>(s.image[axis][of_image]);
  }
}

template <class Law>
__global__ void all_pairs_kernel(const __grid_constant__ AllPairs s) {
  const std::size_t i = s.first + blockIdx.x * std::size_t{columns_block} + threadIdx.x;
  if (i >= s.last) return;
  const Law law(s.parameters);
  const double *x = s.position, *y = x + s.stride, *z = y + s.stride;
  double ax = 0, ay = 0, az = 0, u = 0, w = 0;
  for (std::size_t j = 0; j < s.n; ++j) {
    const double dx = nearest_of(x[j] - x[i], s.period[0]), dy = nearest_of(y[j] - y[i], s.period[1]),
                 dz = nearest_of(z[j] - z[i], s.period[2]), r2 = fused(dx, dx, fused(dy, dy, dz * dz));
    if (!(r2 <= s.cutoff2) || j == i) continue;
    const double c = c_of(law, r2);
    ax = fused(c, dx, ax), ay = fused(c, dy, ay), az = fused(c, dz, az);
    if (s.potential == nullptr) continue;
    u = u + u_of(law, r2);
    w = fused(c, r2, w);
  }
  const double target_factor = s.target_factor[i];
  s.acceleration[i] = target_factor * ax;
  s.acceleration[s.stride + i] = target_factor * ay;
  s.acceleration[2 * s.stride + i] = target_factor * az;
  if (s.potential == nullptr) return;
  s.potential[i] = target_factor * u;
  s.virial[i] = target_factor * w;
}

}  // namespace

template <class T, class V>
void load_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, StreamHandle stream) {
  take_kernel<<<blocks_for(particles.n, columns_block), columns_block, 0, stream.stream>>>(particles, columns);
  check(cudaGetLastError(), "taking the columns");
}
template <class T, class V>
void store_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, bool accelerations, bool potentials,
                   StreamHandle stream) {
  give_kernel<<<blocks_for(particles.n, columns_block), columns_block, 0, stream.stream>>>(particles, columns,
                                                                                           accelerations, potentials);
  check(cudaGetLastError(), "giving the columns");
}
void sum_all_pairs(std::size_t law, const AllPairs& pairs, StreamHandle stream) {
  if (pairs.first == pairs.last) return;
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    all_pairs_kernel<Law>
        <<<blocks_for(pairs.last - pairs.first, columns_block), columns_block, 0, stream.stream>>>(pairs);
  });
  check(cudaGetLastError(), "starting all pairs");
}

template void load_columns(const Particles<double, Flat<double>>&, const ColumnsOfState&, StreamHandle);
template void load_columns(const Particles<float, Flat<float>>&, const ColumnsOfState&, StreamHandle);
template void load_columns(const Particles<double, Solid<double>>&, const ColumnsOfState&, StreamHandle);
template void load_columns(const Particles<float, Solid<float>>&, const ColumnsOfState&, StreamHandle);
template void store_columns(const Particles<double, Flat<double>>&, const ColumnsOfState&, bool, bool, StreamHandle);
template void store_columns(const Particles<float, Flat<float>>&, const ColumnsOfState&, bool, bool, StreamHandle);
template void store_columns(const Particles<double, Solid<double>>&, const ColumnsOfState&, bool, bool, StreamHandle);
template void store_columns(const Particles<float, Solid<float>>&, const ColumnsOfState&, bool, bool, StreamHandle);

}  // namespace orrery::sim::cuda
