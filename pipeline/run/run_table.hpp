// SPDX-License-Identifier: MIT
// What came of many runs, as a table for other programs.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::pipeline {

/// CSV with a row for each trajectory in a folder within `folder`, by its task, which is the number that its folder has
/// for a name, or else the name. Of the members of a sweep, those that are missing have rows too, and the keys of the
/// sweep are columns; of other runs, the keys are in which they differ. What is not known is left empty; |ΔE| and |ΔL|
/// take the place of what relates to an E₀ or L₀ of 0. A file that cannot be read is told on stderr. Throws Error,
/// exit code 2, where there is none.
std::string run_table(const std::filesystem::path& folder);

}  // namespace orrery::pipeline
