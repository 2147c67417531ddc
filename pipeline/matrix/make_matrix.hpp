// SPDX-License-Identifier: MIT
// `orrery matrix`: a quantity of all pairs of bodies, as a matrix in a file or reduced.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/context.hpp"

namespace orrery::pipeline {

/// The command line; texts are parsed by make_matrix.
struct MatrixOptions {
  std::filesystem::path source;                   ///< trajectory file or scenario
  std::optional<std::filesystem::path> output{};  ///< none: reductions are only printed
  Replacing replacing = Replacing::nothing;
  std::vector<std::string> overrides{};  ///< keys of the scenario and of [backend]
  std::string quantity = "distance", precision = "float64", time, block, reduce;
  std::optional<double> exponent{};  ///< of inverse-power
  int bins = 0;                      ///< of the histogram; 0: default
  bool half = false;                 ///< only on and above the diagonal
  std::string command_line{};        ///< for provenance
};

/// Returns whether it is complete, rather than stopped. Throws Error; Fault::request for invalid options or too little disk space.
bool make_matrix(const MatrixOptions& options, Context& context);

}  // namespace orrery::pipeline
