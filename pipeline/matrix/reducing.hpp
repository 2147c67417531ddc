// SPDX-License-Identifier: MIT
// What is left of a matrix that is not kept: sums of rows, the least elements, a histogram.
#pragma once

#include "pipeline/matrix/storing.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/trajectory/matrix_file.hpp"
#include "sim/matrix/pair_matrix.hpp"

namespace orrery::pipeline {

/// Prints them, and writes them to the request's output where it has one. Returns the exit code; throws Error.
int reduce(const Request& request, sim::MatrixMaker& maker, const sim::PairMatrix& matrix, const MatrixPart& part,
           const MatrixFacts& facts);

}  // namespace orrery::pipeline
