// SPDX-License-Identifier: MIT
// A matrix goes to its file while it is made: some tiles are on their way to the disk, the next ones in work.
#pragma once

#include <cstddef>

#include "pipeline/progress.hpp"
#include "pipeline/trajectory/matrix_file.hpp"
#include "sim/matrix/pair_matrix.hpp"

namespace orrery::pipeline {

/// Rows [row, row + rows) and columns likewise; where `half`, elements below the diagonal are 0.
struct MatrixPart {
  std::size_t row = 0, rows = 0, column = 0, columns = 0;
  bool half = false;
};

/// The tiles that hold something else than zeros: chunks of the file.
std::vector<sim::Tile> tiles_of(const MatrixPart& part, const MatrixShape& shape);

/// Bytes of the chunks that will be written.
double stored_bytes(const MatrixPart& part, const MatrixShape& shape);

/// All of it. Returns the signal that came, or 0. About 130 MB of memory, whatever the matrix. Throws Error.
int store(sim::MatrixMaker& maker, const MatrixPart& part, const MatrixShape& shape, MatrixFile& file,
          Progress& progress);

}  // namespace orrery::pipeline
