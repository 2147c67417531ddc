// SPDX-License-Identifier: MIT
// Compiled with -O2 in every build.
#include "pipeline/measure/textbook.hpp"

#include <cmath>

namespace orrery::pipeline {

void textbook_accelerations(const sim::Bodies& bodies, double softening2, std::size_t begin, std::size_t end,
                            sim::Vectors& accelerations) {
  const double *x = bodies.position.x.data(), *y = bodies.position.y.data(), *z = bodies.position.z.data();
  const double* m = bodies.mass.data();
  const std::size_t n = bodies.size();
  for (std::size_t i = begin; i < end; ++i) {
    double ax = 0, ay = 0, az = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double r = std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
      const double s = m[j] * (1 / (r * r * r));
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    accelerations.x[i] = ax;
    accelerations.y[i] = ay;
    accelerations.z[i] = az;
  }
}

}  // namespace orrery::pipeline
