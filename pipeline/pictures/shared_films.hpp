// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/pictures/pictures.hpp"

namespace orrery::pipeline {

/// Draws all pictures of a run as Pictures::draw does, the films in pieces by all ranks of this process, which it then
/// joins. `flags`: those of `orrery render` that the other ranks need to draw the same. Throws Error.
std::vector<std::filesystem::path> draw_on_ranks(const Pictures& pictures, const TrajectoryReader& trajectory,
                                                 const std::filesystem::path& folder, Messages& messages,
                                                 Replacing replacing, const std::vector<std::string>& flags = {});

}  // namespace orrery::pipeline
