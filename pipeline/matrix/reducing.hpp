// SPDX-License-Identifier: MIT
// What is left of a matrix that is not kept: sums of rows, the least elements, a histogram.
#pragma once

#include "pipeline/matrix/make_matrix.hpp"
#include "pipeline/matrix/storing.hpp"
#include "pipeline/trajectory/matrix_file.hpp"
#include "sim/matrix/pair_matrix.hpp"

namespace orrery::pipeline {

/// Tells them, and writes them to the output where there is one. Returns the signal that came, or 0; throws Error.
int reduce(const MatrixOptions& options, sim::MatrixMaker& maker, const sim::PairMatrix& matrix, const MatrixPart& part,
           const MatrixFacts& facts, Messages& messages);

}  // namespace orrery::pipeline
