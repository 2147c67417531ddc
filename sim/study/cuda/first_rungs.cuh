// SPDX-License-Identifier: MIT
// The first rungs of the ladder: one thread per body, bodies read from global memory in various layouts.
#pragma once

#include "sim/study/cuda/steps.cuh"

namespace orrery::sim::study {

/// Array of structures, as in a first program.
struct PlainBody {
  float x, y, z, vx, vy, vz, ax, ay, az, mass;
};

/// m/r³ of a pair at distance (dx, dy, dz), with a division and a root.
__device__ __forceinline__ float pair_factor(float dx, float dy, float dz, float mass, float softening2) {
  const float r2 = dx * dx + dy * dy + dz * dz + softening2;
  return mass / (r2 * sqrtf(r2));
}

/// Sums in memory.
__global__ void naive_kernel(Numbers numbers, PlainBody* bodies) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  bodies[i].ax = bodies[i].ay = bodies[i].az = 0;
  for (std::size_t j = 0; j < numbers.n; ++j) {
    const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
    const float s = pair_factor(dx, dy, dz, bodies[j].mass, numbers.softening2);
    bodies[i].ax += s * dx;
    bodies[i].ay += s * dy;
    bodies[i].az += s * dz;
  }
}

/// Sums and the body itself in registers.
__global__ void registers_kernel(Numbers numbers, PlainBody* bodies) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  const float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
  float ax = 0, ay = 0, az = 0;
  for (std::size_t j = 0; j < numbers.n; ++j) {
    const float dx = bodies[j].x - x, dy = bodies[j].y - y, dz = bodies[j].z - z;
    const float s = pair_factor(dx, dy, dz, bodies[j].mass, numbers.softening2);
    ax += s * dx;
    ay += s * dy;
    az += s * dz;
  }
  bodies[i].ax = ax;
  bodies[i].ay = ay;
  bodies[i].az = az;
}

__global__ void move_plain_kernel(Numbers numbers, PlainBody* bodies) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  PlainBody& b = bodies[i];
  b.x += numbers.dt * (b.vx += numbers.dt * b.ax);
  b.y += numbers.dt * (b.vy += numbers.dt * b.ay);
  b.z += numbers.dt * (b.vz += numbers.dt * b.az);
}

/// Positions, velocities and accelerations, [3 × n] each, and masses [n].
struct Arrays {
  float *x, *v, *a, *mass;
};

/// Structure of arrays.
__global__ void arrays_kernel(Numbers numbers, Arrays bodies) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x, n = numbers.n;
  if (i >= n) return;
  const float x = bodies.x[i], y = bodies.x[n + i], z = bodies.x[2 * n + i];
  float ax = 0, ay = 0, az = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const float dx = bodies.x[j] - x, dy = bodies.x[n + j] - y, dz = bodies.x[2 * n + j] - z;
    const float s = pair_factor(dx, dy, dz, bodies.mass[j], numbers.softening2);
    ax += s * dx;
    ay += s * dy;
    az += s * dz;
  }
  bodies.a[i] = ax;
  bodies.a[n + i] = ay;
  bodies.a[2 * n + i] = az;
}

/// Arrays of floats again, now without aliasing (__restrict__).
__global__ void restricted_arrays_kernel(Numbers numbers, const float* __restrict__ at, const float* __restrict__ mass,
                                         float* __restrict__ a) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x, n = numbers.n;
  if (i >= n) return;
  const float x = at[i], y = at[n + i], z = at[2 * n + i];
  float ax = 0, ay = 0, az = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const float dx = at[j] - x, dy = at[n + j] - y, dz = at[2 * n + j] - z;
    const float s = pair_factor(dx, dy, dz, mass[j], numbers.softening2);
    ax += s * dx;
    ay += s * dy;
    az += s * dz;
  }
  a[i] = ax;
  a[n + i] = ay;
  a[2 * n + i] = az;
}

__global__ void move_arrays_kernel(Numbers numbers, Arrays bodies) {
  const std::size_t k = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (k < 3 * numbers.n) bodies.x[k] += numbers.dt * (bodies.v[k] += numbers.dt * bodies.a[k]);
}

/// Positions as float3, masses in an array of their own.
__global__ void triples_kernel(Numbers numbers, const float3* at, const float* mass, float3* a) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  const float3 own = at[i];
  float3 sum{};
  for (std::size_t j = 0; j < numbers.n; ++j) {
    const float3 other = at[j];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float s = pair_factor(dx, dy, dz, mass[j], numbers.softening2);
    sum.x += s * dx;
    sum.y += s * dy;
    sum.z += s * dz;
  }
  a[i] = sum;
}

/// Position and mass in four floats, one load of 16 bytes.
__global__ void packed_kernel(Numbers numbers, const float4* bodies, float3* a) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  const float4 own = bodies[i];
  float3 sum{};
  for (std::size_t j = 0; j < numbers.n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float s = pair_factor(dx, dy, dz, other.w, numbers.softening2);
    sum.x += s * dx;
    sum.y += s * dy;
    sum.z += s * dz;
  }
  a[i] = sum;
}

/// Position is float3 or float4.
template <class Position>
__global__ void move_packed_kernel(Numbers numbers, const float3* a, float3* velocities, Position* bodies) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  float3& v = velocities[i];
  bodies[i].x += numbers.dt * (v.x += numbers.dt * a[i].x);
  bodies[i].y += numbers.dt * (v.y += numbers.dt * a[i].y);
  bodies[i].z += numbers.dt * (v.z += numbers.dt * a[i].z);
}

}  // namespace orrery::sim::study
