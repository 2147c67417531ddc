// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Returns what a trajectory stores of a scenario whatever becomes of it: its text, units, components and initial state.
RunRecord model_record(const Scenario& scenario, const Setup& setup);
/// Returns the metadata of a new trajectory: the scenario verbatim and resolved, its units and sizes, and the
/// provenance (version, compiler, backend, device, …). `pictures` is the resolved text of its figures and films.
RunRecord make_record(const Scenario& scenario, const Setup& setup, const ChosenBackend& chosen,
                      const std::string& pictures, const std::string& command_line);

/// The size in bytes of the file of a run, to about 10 %.
double file_size(const Setup& setup);

/// Returns the 64-bit XXH3 of positions, velocities and, in periodic boxes, images, as 16 hexadecimal digits. The
/// arrays of doubles are hashed one after the other: x, y, z of each.
std::string state_hash(const sim::Snapshot& state);

}  // namespace orrery::pipeline
