// SPDX-License-Identifier: MIT
// Loops over all pairs in float32, compiled once for each set of compiler flags.
#pragma once

#include <cstddef>

namespace orrery::sim::study::loops {

/// Array of structures, as in a first program.
struct PlainBody {
  float x, y, z, vx, vy, vz, ax, ay, az, mass;
};

/// Structure of arrays, [n] each.
struct Arrays {
  const float *x, *y, *z, *mass;
  float *ax, *ay, *az;
};

/// Accelerations with G = 1: `arrays` for bodies begin … end due to all n; `pair_once` adds to what is in the output.
struct Loops {
  void (*naive)(PlainBody* bodies, std::size_t n, float softening2);
  void (*registers)(PlainBody* bodies, std::size_t n, float softening2);
  void (*arrays)(const Arrays& bodies, std::size_t begin, std::size_t end, std::size_t n, float softening2);
  void (*pair_once)(const Arrays& bodies, std::size_t n, float softening2);
  void (*roots)(float* numbers, std::size_t n);  ///< x ← 1/√x
};

/// Named by their compiler flags; see sim/CMakeLists.txt.
extern const Loops unoptimised, optimised, vectorised, relaxed;

}  // namespace orrery::sim::study::loops
