// SPDX-License-Identifier: MIT
// What can be done for a trajectory that was left in the middle, or damaged since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// What a file holds once it is put right.
struct Repaired {
  bool changed = false;  ///< there was something to do
  bool finished = false;
  std::size_t frames = 0, rows = 0;
  std::optional<std::int64_t> step;  ///< to be gone on with from; none where nothing was committed
};

/// Makes of what a killed writer left a file that every HDF5 tool opens in the ordinary way: its flags and its end are put
/// right, frames of the tail are moved to where the others are, and the view for ParaView is written. The run can be gone
/// on with as before. Killed in the middle it can be done again. Holds the lock of a writer meanwhile. Throws Error.
Repaired repair(const std::filesystem::path& path);

/// Everything that does not match its checksum, one line each: "frames 3 to 5: …". Throws Error where
/// the file cannot be read at all.
std::vector<std::string> damage_in(const std::filesystem::path& path);

}  // namespace orrery::pipeline
