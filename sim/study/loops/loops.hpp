// SPDX-License-Identifier: MIT
// Loops over all pairs in float32, compiled once for each set of a compiler's flags.
#pragma once

#include <cstddef>

namespace orrery::sim::study::loops {

/// As a first program has it.
struct PlainBody {
  float x, y, z, vx, vy, vz, ax, ay, az, mass;
};

/// Structure of arrays, [n] each.
struct Arrays {
  const float *x, *y, *z, *mass;
  float *ax, *ay, *az;
};

/// Each computes forces a mass with G = 1: of bodies begin … end by all n; of all by `pair_once`, which adds to what is there.
struct Loops {
  void (*naive)(PlainBody* bodies, std::size_t n, float softening2);
  void (*registers)(PlainBody* bodies, std::size_t n, float softening2);
  void (*arrays)(const Arrays& bodies, std::size_t begin, std::size_t end, std::size_t n, float softening2);
  void (*pair_once)(const Arrays& bodies, std::size_t n, float softening2);
  void (*roots)(float* numbers, std::size_t n);  ///< x ← 1/√x
};

/// By the flags that they were compiled with; see CMakeLists.txt.
extern const Loops unoptimised, optimised, vectorised, relaxed;

}  // namespace orrery::sim::study::loops
