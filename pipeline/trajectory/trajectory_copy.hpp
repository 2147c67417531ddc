// SPDX-License-Identifier: MIT
// Copies of trajectories, frame by frame and row by row as they are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// How much of a file a copy holds.
struct Salvaged {
  std::size_t frames = 0, all_frames = 0, rows = 0, all_rows = 0;
  bool state = false;  ///< there is a state to go on from
};

/// Writes what is intact into a new file, which appears whole under its name. Throws Error.
Salvaged salvage(const std::filesystem::path& from, const std::filesystem::path& to);

/// Which frames and rows to copy, by their steps.
struct CopySelection {
  std::function<bool(std::int64_t)> frame, row;
};

/// Makes a new file, to be gone on with, of a run that is longer than the one in `from` and the same up to the newest state of
/// that: what it holds is copied as it is stored. Throws Error, also where anything of it is damaged.
void begin_with(const std::filesystem::path& from, const std::filesystem::path& to, const sim::Bodies& bodies,
                const RunRecord& record, const TrajectoryOptions& options, const CopySelection& selection);

}  // namespace orrery::pipeline
