// SPDX-License-Identifier: MIT
// What runs that are drawn together are called: by what differs in their scenarios.
#pragma once

#include <string>
#include <vector>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// A label each, all different: "leapfrog", "dt = 0.01", "Mars Δx = 10⁻⁶", "unperturbed"; where little tells them apart
/// or too much does, the name of the file or of its folder.
std::vector<std::string> run_labels(const std::vector<const TrajectoryReader*>& runs);

/// A key and its value for people: "leapfrog" of a kind, else "dt = 0.01".
std::string in_words(const std::string& key, const std::string& value);

}  // namespace orrery::pipeline
