// SPDX-License-Identifier: MIT
// The numbers that every element of a matrix of pairs is made with; a kernel takes them by value.
#pragma once

#include "sim/law_numbers.hpp"

namespace orrery::sim {

struct MatrixNumbers {
  double period[3] = {};  ///< of joined axes, 0 of others
  double softening2 = 0;  ///< ε²
  double least_r2 = 0;    ///< of a law: a pair that is nearer counts as that near
  double cutoff2 = 0;     ///< of a law with a cutoff
  double factor = 1;      ///< of a law: its constant, with the sign of what is wanted
  double scale2 = 1;      ///< in floats, of r²: 4^k, k even, so that lengths are near 1
  float unit = 1;         ///< and of what comes of it
  int halves = 2;         ///< of the exponent
  LawNumbers law{};
};

/// Columns of a row sum that are added up one after the other; runs of which a kernel makes one number.
inline constexpr unsigned matrix_run = 64, matrix_leaf_runs = 16;
inline constexpr unsigned matrix_leaf = matrix_run * matrix_leaf_runs;

}  // namespace orrery::sim
