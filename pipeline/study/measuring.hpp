// SPDX-License-Identifier: MIT
// Studies by their names, measured on this machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

struct StudyOptions {
  std::vector<std::string> names;
  bool all = false;                      ///< every study that this machine can do
  bool quick = false;                    ///< few sizes, in seconds
  std::vector<std::size_t> sizes{};      ///< numbers of bodies; empty: those of each study
  std::vector<std::string> overrides{};  ///< of [backend]
  std::filesystem::path scratch = std::filesystem::temp_directory_path();  ///< for files that are measured
};

/// Fewer where a signal came. Throws Error, exit code 2, for a study that is not known or needs a GPU that is not there.
std::vector<StudyResult> measure(const StudyOptions& options, Messages& messages);

}  // namespace orrery::pipeline
