// SPDX-License-Identifier: MIT
// What differs between two trajectories: physics, bodies, frames and rows, provenance.
#pragma once

#include <filesystem>

#include "pipeline/report.hpp"

namespace orrery::pipeline {

/// What a comparison of two runs came to.
struct Verdict {
  bool same = false;  ///< to the last bit
  int signal = 0;     ///< that stopped it, 0: it went to the end
  Report report;      ///< what differs and where
};

/// Frames and rows are matched by time. Reads both files once; memory for a few frames. Throws Error where a file cannot be
/// read.
Verdict diff(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace orrery::pipeline
