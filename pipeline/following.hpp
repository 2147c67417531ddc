// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "common/error.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The status of a run that another process may be writing.
struct LiveRun {
  std::optional<RunStatus> run;  ///< nullopt: the file does not exist yet
  bool written = false;          ///< a writer had the file open
  /// Returns whether the run is unfinished and its writer was killed or stopped.
  [[nodiscard]] bool abandoned() const { return run && !run->finished && !written; }
};

/// Reads the status of a run. A run that ends meanwhile is never taken for an abandoned one.
LiveRun live_run(const std::filesystem::path& file);

/// Throws Error, Fault::request, if another process is writing the file.
void refuse_live(const std::filesystem::path& file);

/// Returns the Error, Fault::work, for an abandoned run.
Error writer_is_gone(const std::filesystem::path& file, const RunStatus& run);

}  // namespace orrery::pipeline
