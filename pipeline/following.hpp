// SPDX-License-Identifier: MIT
// A run that another process steps, seen through its file.
#pragma once

#include <filesystem>
#include <optional>

#include "common/error.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// What was seen of a run; nothing where its file is not there yet.
struct LiveRun {
  std::optional<RunStatus> run;
  bool written = false;  ///< a writer had the file open just before
  /// The run has stopped short: its writer was killed, or stopped by a signal.
  [[nodiscard]] bool abandoned() const { return run && !run->finished && !written; }
};

LiveRun live_run(const std::filesystem::path& file);

/// Throws Error, exit code 2, where another process writes the file.
void refuse_live(const std::filesystem::path& file);

/// What to say of a run that has stopped short; exit code 1.
Error writer_is_gone(const std::filesystem::path& file, const RunStatus& run);

}  // namespace orrery::pipeline
