// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Returns distinct labels for runs in one picture, made of the keys in which their scenarios differ: "leapfrog",
/// "dt = 0.01", "Mars Δx = 10⁻⁶", "unperturbed". If none or more than three keys differ, labels are names of files or
/// folders.
std::vector<std::string> run_labels(const std::vector<const TrajectoryReader*>& runs);

/// Returns distinct names of trajectories: the first of file, folder and path in which all differ. A single run.h5 has the
/// name of its folder.
std::vector<std::string> names_by_path(const std::vector<std::filesystem::path>& files);

/// Returns a key and its value as shown in labels: "dt = 0.01"; for a kind only the value, "leapfrog".
std::string to_text(const std::string& key, const Value& value);

}  // namespace orrery::pipeline
