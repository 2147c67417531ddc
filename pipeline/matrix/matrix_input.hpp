// SPDX-License-Identifier: MIT
// The bodies and forces of a matrix, from a trajectory file or a scenario.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/physical_unit.hpp"
#include "sim/bodies.hpp"
#include "sim/domain.hpp"
#include "sim/force.hpp"

namespace orrery::pipeline {

struct MatrixInput {
  sim::Bodies bodies;
  sim::Domain domain;
  double time = 0;
  sim::PairForce force;  ///< between pairs
  double coupling = 0;   ///< its coupling constant
  PhysicalUnit length, duration, mass;
};

/// The frame of a run nearest to `time` (a number or "1/2 period"; empty: the last frame), or the bodies of a scenario
/// with `overrides` at t = 0. Throws Error.
MatrixInput matrix_input(const std::filesystem::path& file, const std::string& time,
                         const std::vector<std::string>& overrides, Messages& messages);

}  // namespace orrery::pipeline
