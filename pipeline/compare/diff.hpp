// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "pipeline/report.hpp"

namespace orrery::pipeline {

/// Result of a comparison.
struct Verdict {
  bool same = false;     ///< to the last bit
  bool stopped = false;  ///< before its end
  Report report;         ///< the differences
};

/// Compares physics, bodies, frames, rows and provenance of two files. Frames and rows are matched by time. Reads each file once and
/// holds a few frames in memory. If one is a scenario (see names_scenario), only the keys that determine the bits are compared.
/// Throws Error if a file cannot be read.
Verdict diff(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace orrery::pipeline
