// SPDX-License-Identifier: MIT
// What a file says of its run, and the hash of a state.
#pragma once

#include <string>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The scenario as it was given and as it was read, its physics, units and sizes, and the provenance: version, compiler,
/// backend, device. `pictures` is the resolved text of its figures and films.
RunRecord make_record(const Scenario& scenario, const Setup& setup, const ChosenBackend& chosen,
                      const std::string& pictures, const std::string& command_line);

/// XXH3 of positions and velocities (and of images, in periodic boxes), the arrays of doubles one after the other, as 16
/// hexadecimal digits.
std::string state_hash(const sim::Snapshot& state);

}  // namespace orrery::pipeline
