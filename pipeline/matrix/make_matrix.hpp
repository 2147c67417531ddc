// SPDX-License-Identifier: MIT
// A quantity of all pairs of bodies, as a matrix in a file or as what is left of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/messages.hpp"

namespace orrery::pipeline {

/// As it is typed: words are read by make_matrix.
struct MatrixOptions {
  std::filesystem::path source;                   ///< a run's file, or a scenario
  std::optional<std::filesystem::path> output{};  ///< the file; none: what is left of the matrix is only told
  Replacing replacing = Replacing::nothing;
  std::vector<std::string> overrides{};  ///< of the scenario, and of [backend]
  std::string quantity = "distance", precision = "float64", time, block, reduce;
  std::optional<double> exponent{};  ///< of inverse-power
  int bins = 0;                      ///< of the histogram; 0: as many as are usual
  bool half = false;                 ///< what is on and above the diagonal
  std::string command_line{};        ///< for provenance
};

/// Returns the signal that stopped it, or 0. Throws Error: exit code 2 for what is asked wrongly or has no room.
int make_matrix(const MatrixOptions& options, Messages& messages);

}  // namespace orrery::pipeline
