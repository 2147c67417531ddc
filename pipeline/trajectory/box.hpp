// SPDX-License-Identifier: MIT
// The domain of a run as H5MD's group `box` tells it.
#pragma once

#include <string>

#include "pipeline/trajectory/hdf5.hpp"
#include "sim/domain.hpp"

namespace orrery::pipeline::trajectory {

/// Makes the group `box` in a group of particles. `length_unit` is H5MD's, of the edges; empty: pure numbers.
void write_box(hid_t particles, const sim::Domain& domain, const std::string& length_unit);

/// Reads it back. Throws Failure where it is damaged, or no box that bodies could move in.
sim::Domain read_box(hid_t file);

}  // namespace orrery::pipeline::trajectory
