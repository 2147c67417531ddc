// SPDX-License-Identifier: MIT
// Sums over pairs, one thread a body and chunk. Each pair is met from both sides: j's share is what i would
// have been given, with i and j exchanged, for every operation is odd or even in the difference of positions.
// Only the order in which a body meets the others is not symmetric, and each thread follows its own side of it.
#include <utility>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/real.cuh"
#include "sim/forces/list.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned lanes = group_size;

struct Body {
  double x, y, z, w;
};

/// The sums of one body.
template <class Law, bool potential>
struct Sums {
  double x = 0, y = 0, z = 0, u = 0;

  __device__ __forceinline__ void meet(const Body& me, const Body& other, double softening2, double number) {
    const Real dx = Real(other.x) - Real(me.x), dy = Real(other.y) - Real(me.y), dz = Real(other.z) - Real(me.z);
    const Real r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, Real(softening2))));
    const Real s = Real(other.w) * Law(number).c(r2);
    x = fma(dx, s, Real(x)).value;
    y = fma(dy, s, Real(y)).value;
    z = fma(dz, s, Real(z)).value;
    if constexpr (potential) u = fma(Real(other.w), Law(number).u(r2), Real(u)).value;
  }
  __device__ __forceinline__ void add(const Sums& tile) {
    x = __dadd_rn(x, tile.x), y = __dadd_rn(y, tile.y), z = __dadd_rn(z, tile.z);
    if constexpr (potential) u = __dadd_rn(u, tile.u);
  }
};

/// Bodies from global memory.
struct Direct {
  const Field& field;
  std::size_t begin;
  __device__ __forceinline__ void bring(std::size_t from) { begin = from; }
  __device__ __forceinline__ Body operator[](unsigned k) const {
    const std::size_t j = begin + k;
    return {field.x[j], field.y[j], field.z[j], field.source[j]};
  }
};

/// Bodies in shared memory, in halves of 16 bytes: neighbouring threads then read neighbouring banks.
struct Tile {
  double2 xy[tile_size], zw[tile_size];
};

/// Bodies from a tile that the whole block brings.
struct Tiled {
  const Field& field;
  Tile& tile;
  __device__ __forceinline__ void bring(std::size_t from) {
    __syncthreads();
    for (unsigned k = threadIdx.x; k < tile_size; k += blockDim.x) {
      const std::size_t j = from + k;
      if (j >= field.n) continue;
      tile.xy[k] = {field.x[j], field.y[j]};
      tile.zw[k] = {field.z[j], field.source[j]};
    }
    __syncthreads();
  }
  __device__ __forceinline__ Body operator[](unsigned k) const {
    const double2 xy = tile.xy[k], zw = tile.zw[k];
    return {xy.x, xy.y, zw.x, zw.y};
  }
};

/// What chunk blockIdx.y does to body i, from 128 bodies at a time. The threads of a warp are in one chunk,
/// so that they go the same way; those beyond the last body help to bring tiles.
template <class Law, bool potential, int unroll, class Others>
__device__ void sum_chunk(const Field& f, Others others, std::size_t i, double* partial) {
  const std::size_t mine = i / f.chunk, c = blockIdx.y, begin = c * f.chunk;
  const std::size_t end = min(begin + f.chunk, f.n);
  const bool is_body = i < f.n;
  const Body me = is_body ? Body{f.x[i], f.y[i], f.z[i], f.source[i]} : Body{0, 0, 0, 0};
  const auto lane = static_cast<unsigned>(i % lanes);
  Sums<Law, potential> sum;
  for (std::size_t tile = begin; tile < end; tile += tile_size) {
    others.bring(tile);
    if (!is_body) continue;
    const auto bodies = static_cast<unsigned>(min(end - tile, static_cast<std::size_t>(tile_size)));
    if (c < mine) {  // I travel through the lanes of the tile, and my sum over it is added to that over the chunk
      Sums<Law, potential> travelling;
#pragma unroll unroll
      for (unsigned t = 0; t < lanes; ++t) {
#pragma unroll
        for (unsigned r = 0; r < bodies_per_lane; ++r) {
          travelling.meet(me, others[lanes * r + (lane - t) % lanes], f.softening2, f.number);
        }
      }
      sum.add(travelling);
    } else if (c > mine) {  // groups of 32 travel past me; the last of all may have fewer
      for (unsigned group = 0; group < bodies; group += lanes) {
        if (bodies - group >= lanes) {
#pragma unroll unroll
          for (unsigned t = 0; t < lanes; ++t) sum.meet(me, others[group + (lane + t) % lanes], f.softening2, f.number);
        } else {
          for (unsigned t = 0; t < lanes; ++t) {
            const unsigned j = group + (lane + t) % lanes;
            if (j < bodies) sum.meet(me, others[j], f.softening2, f.number);
          }
        }
      }
    } else {  // my own chunk: one after the other, but myself
#pragma unroll unroll
      for (unsigned j = 0; j < bodies; ++j) {
        if (tile + j != i) sum.meet(me, others[j], f.softening2, f.number);
      }
    }
  }
  if (!is_body) return;
  double* to = partial + c * 4 * f.stride + i;
  to[0] = sum.x, to[f.stride] = sum.y, to[2 * f.stride] = sum.z;
  if constexpr (potential) to[3 * f.stride] = sum.u;
}

constexpr unsigned most_threads = 512;

template <class Law, bool potential, int unroll>
__global__ void __launch_bounds__(most_threads) tiled(Field field, double* partial) {
  __shared__ Tile tile;
  sum_chunk<Law, potential, unroll>(field, Tiled{field, tile}, blockIdx.x * std::size_t{blockDim.x} + threadIdx.x,
                                    partial);
}

template <class Law, bool potential, int unroll>
__global__ void __launch_bounds__(most_threads) direct(Field field, double* partial) {
  sum_chunk<Law, potential, unroll>(field, Direct{field, 0}, blockIdx.x * std::size_t{blockDim.x} + threadIdx.x,
                                    partial);
}

template <class Law, bool potential, int unroll>
void launch_as(const Launch& launch, const Field& field, double* partial) {
  const auto block = static_cast<unsigned>(launch.block);
  const dim3 grid(static_cast<unsigned>((field.n + block - 1) / block),
                  static_cast<unsigned>((field.n + field.chunk - 1) / field.chunk));
  if (launch.kernel == PairKernel::tiled) {
    tiled<Law, potential, unroll><<<grid, block>>>(field, partial);
  } else {
    direct<Law, potential, unroll><<<grid, block>>>(field, partial);
  }
  check(cudaGetLastError(), "starting the pair kernel");
}

template <class Law, bool potential>
void launch_unrolled(const Launch& launch, const Field& field, double* partial) {
  switch (launch.unroll) {
    case 1:
      return launch_as<Law, potential, 1>(launch, field, partial);
    case 2:
      return launch_as<Law, potential, 2>(launch, field, partial);
    case 8:
      return launch_as<Law, potential, 8>(launch, field, partial);
    default:
      return launch_as<Law, potential, 4>(launch, field, partial);
  }
}

template <class Law>
void launch_law(const Launch& launch, bool with_potential, const Field& field, double* partial) {
  if (with_potential) return launch_unrolled<Law, true>(launch, field, partial);
  return launch_unrolled<Law, false>(launch, field, partial);
}

using LaunchLaw = void (*)(const Launch&, bool, const Field&, double*);

template <class... Law>
LaunchLaw launcher(LawList<Law...>, std::size_t law) {
  static constexpr LaunchLaw all[] = {launch_law<Law>...};
  return all[law];
}

}  // namespace

void sum_pairs(const Launch& launch, std::size_t law, bool with_potential, const Field& field, double* partial) {
  launcher(Laws{}, law)(launch, with_potential, field, partial);
}

}  // namespace orrery::sim::cuda
