// SPDX-License-Identifier: MIT
// The operations used by laws, and the toy law, in the lanes of a SIMD target; compiled once per target.
#pragma once

#include <cstddef>
#include <span>

#include "sim/law_parameters.hpp"

namespace orrery::sim::simd {

/// Array lengths are multiples of this.
inline constexpr std::size_t lanes_at_once = 32;

/// Maps each element of x and y to a result.
template <class T>
struct Words {
  T *lesser, *greater, *exponential;
};

/// Maps each r² to a result.
template <class T>
struct Formulas {
  T *c, *slope, *u;
};

struct LaneFunctions {
  const char* name;
  void (*words)(const double* x, const double* y, Words<double> to, std::size_t count);
  void (*words_in_float)(const float* x, const float* y, Words<float> to, std::size_t count);
  void (*toy)(const LawParameters& parameters, const double* r2, Formulas<double> to, std::size_t count);
  /// Without the slope, which floats do not have.
  void (*toy_in_float)(const LawParameters& parameters, const float* r2, Formulas<float> to, std::size_t count);
  /// The law of that index among those with a cutoff, without slopes.
  void (*short_range)(std::size_t law, const LawParameters& parameters, const double* r2, Formulas<double> to,
                      std::size_t count);
};

/// The functions for each target that this processor has.
std::span<const LaneFunctions* const> available_lane_functions();

}  // namespace orrery::sim::simd
