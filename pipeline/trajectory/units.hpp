// SPDX-License-Identifier: MIT
// The units of what a file holds, as H5MD's module `units` 1.0 wants them.
#pragma once

#include <hdf5.h>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline::trajectory {

/// Writes them to every dataset of a file that has one, velocities only where frames keep them; nothing of a run in N-body
/// units, which has none.
void write_units(hid_t file, const RunRecord& record, bool velocities);

}  // namespace orrery::pipeline::trajectory
