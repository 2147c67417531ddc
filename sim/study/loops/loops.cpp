// SPDX-License-Identifier: MIT
// Compiled once for each set of flags; ORRERY_LOOPS is the name of the set.
#include "sim/study/loops/loops.hpp"

#include <cmath>

namespace orrery::sim::study::loops {
namespace {

/// Mass / r³.
inline float pair_factor(float dx, float dy, float dz, float mass, float softening2) {
  const float r2 = dx * dx + dy * dy + dz * dz + softening2;
  return mass / (r2 * std::sqrt(r2));
}

/// Sums in memory.
void naive(PlainBody* bodies, std::size_t n, float softening2) {
  for (std::size_t i = 0; i < n; ++i) {
    bodies[i].ax = bodies[i].ay = bodies[i].az = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
      const float s = pair_factor(dx, dy, dz, bodies[j].mass, softening2);
      bodies[i].ax += s * dx;
      bodies[i].ay += s * dy;
      bodies[i].az += s * dz;
    }
  }
}

/// The body and its sums in registers.
void registers(PlainBody* bodies, std::size_t n, float softening2) {
  for (std::size_t i = 0; i < n; ++i) {
    const float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
    float ax = 0, ay = 0, az = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const float dx = bodies[j].x - x, dy = bodies[j].y - y, dz = bodies[j].z - z;
      const float s = pair_factor(dx, dy, dz, bodies[j].mass, softening2);
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    bodies[i].ax = ax;
    bodies[i].ay = ay;
    bodies[i].az = az;
  }
}

/// Structure of arrays, which a compiler can vectorise.
void arrays(const Arrays& bodies, std::size_t begin, std::size_t end, std::size_t n, float softening2) {
  const float *x = bodies.x, *y = bodies.y, *z = bodies.z, *mass = bodies.mass;
  for (std::size_t i = begin; i < end; ++i) {
    const float xi = x[i], yi = y[i], zi = z[i];
    float ax = 0, ay = 0, az = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
      const float s = pair_factor(dx, dy, dz, mass[j], softening2);
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    bodies.ax[i] = ax;
    bodies.ay[i] = ay;
    bodies.az[i] = az;
  }
}

/// Newton's third law: each pair once.
void pair_once(const Arrays& bodies, std::size_t n, float softening2) {
  const float* __restrict x = bodies.x, * __restrict y = bodies.y, * __restrict z = bodies.z, * __restrict mass = bodies.mass;
  float* __restrict ax_of = bodies.ax, * __restrict ay_of = bodies.ay, * __restrict az_of = bodies.az;
  for (std::size_t i = 0; i < n; ++i) {
    const float xi = x[i], yi = y[i], zi = z[i], mi = mass[i];
    float ax = 0, ay = 0, az = 0;
    for (std::size_t j = i + 1; j < n; ++j) {
      const float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
      const float s = pair_factor(dx, dy, dz, 1, softening2), si = mass[j] * s, sj = mi * s;
      ax += si * dx;
      ay += si * dy;
      az += si * dz;
      ax_of[j] -= sj * dx;
      ay_of[j] -= sj * dy;
      az_of[j] -= sj * dz;
    }
    ax_of[i] += ax;
    ay_of[i] += ay;
    az_of[i] += az;
  }
}

void roots(float* numbers, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) numbers[k] = 1 / std::sqrt(numbers[k]);
}

}  // namespace

const Loops ORRERY_LOOPS{naive, registers, arrays, pair_once, roots};

}  // namespace orrery::sim::study::loops
