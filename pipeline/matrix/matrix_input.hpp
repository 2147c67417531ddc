// SPDX-License-Identifier: MIT
// The bodies and forces of a matrix, from a trajectory file or a scenario.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/context.hpp"
#include "sim/model.hpp"

namespace orrery::pipeline {

struct MatrixInput {
  sim::Model model;      ///< bodies at `time`, and the forces between them
  sim::PairForce force;  ///< these, for the bodies
  double time = 0;
};

/// The frame of a run nearest to `time` (a number or "1/2 period"; empty: the last frame), or the bodies of a scenario
/// with `overrides` at t = 0. Throws Error.
MatrixInput matrix_input(const std::filesystem::path& file, const std::string& time,
                         const std::vector<std::string>& overrides, Context& context);

}  // namespace orrery::pipeline
