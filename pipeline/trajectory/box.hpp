// SPDX-License-Identifier: MIT
// The domain of a run as H5MD's group `box`.
#pragma once

#include <string>

#include "pipeline/trajectory/hdf5.hpp"
#include "sim/domain.hpp"

namespace orrery::pipeline::trajectory {

/// Creates the group `box` in a group of particles. `length_unit`: unit of the edges as H5MD writes it; empty: none.
void write_box(hid_t particles, const sim::Domain& domain, const std::string& length_unit);

/// Reads it back. Throws Failure if it is damaged or no valid domain.
sim::Domain read_box(hid_t file);

}  // namespace orrery::pipeline::trajectory
