// SPDX-License-Identifier: MIT
// The words that laws are written in and the toy law, in the lanes of a SIMD target; compiled once for each.
#pragma once

#include <cstddef>
#include <span>

#include "sim/law_numbers.hpp"

namespace orrery::sim::simd {

/// Numbers come in arrays of a multiple of this.
inline constexpr std::size_t lanes_at_once = 32;

/// Of x and y, one result for each.
template <class T>
struct Words {
  T *lesser, *greater, *exponential;
};

/// Of r², one result for each.
template <class T>
struct Formulas {
  T *c, *slope, *u;
};

struct LaneFunctions {
  const char* name;
  void (*words)(const double* x, const double* y, Words<double> to, std::size_t count);
  void (*words_in_float)(const float* x, const float* y, Words<float> to, std::size_t count);
  void (*toy)(const LawNumbers& numbers, const double* r2, Formulas<double> to, std::size_t count);
  /// But for the slope, which floats do not have.
  void (*toy_in_float)(const LawNumbers& numbers, const float* r2, Formulas<float> to, std::size_t count);
  /// The law of that index among those with a cutoff, which have no slope.
  void (*short_range)(std::size_t law, const LawNumbers& numbers, const double* r2, Formulas<double> to,
                      std::size_t count);
};

/// Of the targets that this processor has.
std::span<const LaneFunctions* const> available_lane_functions();

}  // namespace orrery::sim::simd
