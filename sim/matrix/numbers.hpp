// SPDX-License-Identifier: MIT
// Parameters of the elements of a matrix of pairs, passed to kernels by value.
#pragma once

#include "sim/law_parameters.hpp"

namespace orrery::sim {

struct MatrixNumbers {
  double period[3] = {};  ///< of periodic axes, else 0
  double softening2 = 0;  ///< ε²
  double min_r2 = 0;      ///< minimum r² of a law, to which closer pairs are set
  double cutoff2 = 0;     ///< of a law with a cutoff
  double factor = 1;      ///< constant of a law, with the sign of the quantity
  double scale2 = 1;      ///< factor of r² in floats: 4^k, k even, so that lengths are near 1
  float unit = 1;         ///< factor of the result in floats
  int halves = 2;         ///< the exponent times 2
  LawParameters law{};
};

/// Columns of a row that are added in order; number of such runs that a kernel adds to one number.
inline constexpr unsigned matrix_run = 64, matrix_leaf_runs = 16;
inline constexpr unsigned matrix_leaf = matrix_run * matrix_leaf_runs;

}  // namespace orrery::sim
