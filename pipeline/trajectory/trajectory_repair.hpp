// SPDX-License-Identifier: MIT
// Repair of trajectories that a killed writer left, and a search for damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// Contents of a repaired file.
struct RepairSummary {
  bool changed = false;  ///< the file was not in order
  bool finished = false;
  std::size_t frames = 0, rows = 0;
  std::optional<std::int64_t> step;  ///< of the restart state; empty if nothing was committed
};

/// Makes a file that a killed writer left readable by all HDF5 tools: corrects its flags and length, moves the frames in the tail to
/// the others and writes the view for ParaView. The run can still be resumed. Can be repeated after being killed. Holds the lock
/// of a writer. Throws Error.
RepairSummary repair(const std::filesystem::path& path);

/// Returns one line for everything that does not match its checksum: "frames 3 to 5: …". Reads the whole file, which a
/// writer may have open. Throws Error if the file cannot be opened.
std::vector<std::string> find_damage(const std::filesystem::path& path);
/// The damage in words, for one line: the first of these lines, and how many more there are.
std::string damage_in_words(const std::vector<std::string>& damage);
/// Throws Error if there is any. Commands call it before they print the hash of a state that they have not computed.
void refuse_damaged(const std::filesystem::path& path);

}  // namespace orrery::pipeline
