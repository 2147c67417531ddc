// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// Writes a trajectory whose only frame has all bodies of a scenario at t = 0. Nothing is computed: its row of observables is
/// 0. The file must not exist. Throws Error.
void write_initial_trajectory(const Scenario& scenario, const std::filesystem::path& file);

}  // namespace orrery::pipeline
