// SPDX-License-Identifier: MIT
// What a file says once: who made it, of what bodies, with what parameters.
#pragma once

#include "pipeline/trajectory.hpp"
#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

Shape shape_of(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Writes all of the schema, with no frame in it yet.
void write_schema(hid_t file, const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Reads what write_schema wrote; what is missing or damaged is named.
RunRecord read_record(hid_t file);
TrajectoryOptions read_options(hid_t file);
/// Mass, charge, species and names of the stored bodies; as many positions and velocities of zero.
sim::Bodies read_bodies(hid_t file);
/// Which bodies of the run are stored.
std::vector<std::int64_t> read_ids(hid_t file);
Shape read_shape(hid_t file);

/// /parameters/finished: 0 until the run has come to its end and the file is complete. It is there from the
/// beginning, since a reader beside the writer (SWMR) sees values change but nothing come.
bool read_finished(hid_t file);
void write_finished(hid_t file);

}  // namespace orrery::pipeline::trajectory
