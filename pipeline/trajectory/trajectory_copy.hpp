// SPDX-License-Identifier: MIT
// Copies of trajectories: frames and rows as they are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Contents of a copy.
struct CopySummary {
  std::size_t frames = 0, all_frames = 0, rows = 0, all_rows = 0;
  bool state = false;  ///< the copy has a restart state
};

/// Copies everything intact into a new file, which appears under its name atomically. Throws Error.
CopySummary salvage(const std::filesystem::path& from, const std::filesystem::path& to);

/// Which frames and rows to copy, by their steps.
struct CopySelection {
  std::function<bool(std::int64_t)> frame, row;
};

/// Creates the file of a longer run from `from`, whose frames and rows are copied as stored; resume it from there. The longer run
/// must be the same up to the newest state in `from`. Throws Error, also if anything in `from` is damaged.
void create_longer_run(const std::filesystem::path& from, const std::filesystem::path& to, const sim::Bodies& bodies,
                       const RunRecord& record, const TrajectoryOptions& options, const CopySelection& selection);

}  // namespace orrery::pipeline
