// SPDX-License-Identifier: MIT
// The schema of the file and the data that are written once.
#pragma once

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/analysis/thermodynamics.hpp"

namespace orrery::pipeline::trajectory {

Shape shape_of(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Writes the complete schema of a new file, without frames.
void write_schema(hid_t file, const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Read back what write_schema wrote. Throw Failure naming what is missing or damaged.
RunRecord read_record(hid_t file);
TrajectoryOptions read_options(hid_t file);
/// Also throws Failure if the file is no trajectory or has an unsupported format.
Shape read_shape(hid_t file);

/// The constants from which temperature and pressure of a row are computed.
sim::Ensemble read_ensemble(hid_t file);

/// Records that the run is resumed from `part.step`; removes parts that did not get beyond that step. Not in SWMR mode.
void add_part(hid_t file, const RunPart& part);

/// /parameters/finished: 0 until the run is complete, then the sequence number of its last restart state; the second number is
/// the complement of the first. Created with the schema, since SWMR readers see changes of values but no new objects.
std::uint64_t read_finished(hid_t file);
void write_finished(hid_t file, std::uint64_t sequence);

}  // namespace orrery::pipeline::trajectory
