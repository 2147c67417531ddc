// SPDX-License-Identifier: MIT
// What a file says once: who made it, of what bodies, with what parameters.
#pragma once

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/analysis/thermodynamics.hpp"

namespace orrery::pipeline::trajectory {

Shape shape_of(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Writes all of the schema, with no frame in it yet.
void write_schema(hid_t file, const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Reads what write_schema wrote; what is missing or damaged is named.
RunRecord read_record(hid_t file);
TrajectoryOptions read_options(hid_t file);
/// Refuses files that are no trajectories, and formats other than this one.
Shape read_shape(hid_t file);

/// What temperatures and pressures of its rows are made with.
sim::Ensemble read_ensemble(hid_t file);

/// Readbacks that the run goes on here from `part.step`; parts that did not come beyond that step go. Not in SWMR mode.
void add_part(hid_t file, const RunPart& part);

/// /parameters/finished: 0 until the run has come to its end and the file is complete, then the sequence number of its
/// last restart state; the second number is the complement of the first. It is there from the beginning, since a
/// reader beside the writer (SWMR) sees values change but nothing come.
std::uint64_t read_finished(hid_t file);
void write_finished(hid_t file, std::uint64_t sequence);

}  // namespace orrery::pipeline::trajectory
