// SPDX-License-Identifier: MIT
// Internal functions of `orrery matrix`: checks of flags, storing to a file, reductions.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/matrix/make_matrix.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/trajectory/matrix_file.hpp"
#include "sim/matrix/pair_matrix.hpp"

namespace orrery::pipeline {

/// Throws Error, Fault::request.
[[noreturn]] void refuse(const std::string& why);

/// The index of `word` in `names`; refuses others.
std::size_t chosen(const std::string& flag, const std::string& word, std::span<const std::string_view> names);

/// Provenance of a file.
MatrixFacts about_program(const MatrixOptions& options);

/// Rows [row, row + rows), columns likewise. `half`: elements below the diagonal are 0.
struct MatrixPart {
  std::size_t row = 0, rows = 0, column = 0, columns = 0;
  bool half = false;
};

/// Size of the chunks that are stored, bytes.
double stored_bytes(const MatrixPart& part, const MatrixShape& shape);

/// Computes and writes all tiles; about 130 MB of memory for any size. Returns whether it was not stopped. Throws
/// Error.
bool store(sim::MatrixBuilder& maker, const MatrixPart& part, const MatrixShape& shape, MatrixFile& file,
           Progress& progress, const Context& context);

/// Prints sums of rows, minima or a histogram, and writes them to the output, if any. Returns whether it was
/// not stopped; throws Error.
bool reduce(const MatrixOptions& options, sim::MatrixBuilder& maker, const sim::PairMatrix& matrix,
            const MatrixPart& part, const MatrixFacts& facts, Context& context);

}  // namespace orrery::pipeline
