// SPDX-License-Identifier: MIT
// What can be done for a trajectory that was left in the middle, or damaged since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/trajectory/trajectory.hpp"

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

/// How much of a file a copy holds.
struct Salvaged {
  std::size_t frames = 0, all_frames = 0, rows = 0, all_rows = 0;
  bool state = false;  ///< there is a state to go on from
};

/// Writes what is intact into a new file, which appears whole under its name. Throws Error.
Salvaged salvage(const std::filesystem::path& from, const std::filesystem::path& to);

/// Which frames and rows to copy, by their steps.
struct Wanted {
  std::function<bool(std::int64_t)> frame, row;
};

/// Makes a new file, to be gone on with, of a run that is longer than the one in `from` and the same up to the newest state of
/// that: what it holds is copied as it is stored. Throws Error, also where anything of it is damaged.
void begin_with(const std::filesystem::path& from, const std::filesystem::path& to, const sim::Bodies& bodies,
                const RunRecord& record, const TrajectoryOptions& options, const Wanted& wanted);

}  // namespace orrery::pipeline
