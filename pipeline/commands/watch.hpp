// SPDX-License-Identifier: MIT
// info --watch: a line on how far a run has come, again and again until it ends.
#pragma once

#include <filesystem>

namespace orrery::pipeline {

/// Returns the exit code: 0 once the run is finished, 128 + the signal that stopped the watching. Throws Error where the
/// writer is gone before the end.
int watch(const std::filesystem::path& file);

}  // namespace orrery::pipeline
