// SPDX-License-Identifier: MIT
// The bodies that a matrix is of, and what acts between them: from a run's file, or from a scenario.
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
  sim::PairForce force;  ///< the scenario's first
  double coupling = 0;   ///< its constant
  std::size_t forces = 1;
  PhysicalUnit length, duration, mass;
};

/// Of a run, the frame nearest to `time` (a number or "1/2 period", empty: the last one); of a scenario, its bodies at t = 0, with
/// `overrides`. Throws Error.
MatrixInput matrix_input(const std::filesystem::path& file, const std::string& time,
                         const std::vector<std::string>& overrides, Messages& messages);

}  // namespace orrery::pipeline
