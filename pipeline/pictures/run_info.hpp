// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/pictures/picture_plan.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/frame.hpp"
#include "render/metadata/provenance.hpp"
#include "sim/bodies.hpp"
#include "sim/domain.hpp"

namespace orrery::pipeline {

render::Bounds bounds_of(const sim::Domain& domain);
/// Bodies and domain of a run that has no frames yet.
render::RunInfo run_info_of(const sim::Bodies& bodies, const std::vector<std::string>& components,
                            const sim::Domain& domain);
/// The same from a file, with title, units and the times of `part`.
render::RunInfo run_info_of(const TrajectoryReader& trajectory, const FrameRange& part);

/// Sets `info.time_unit` to PicturePlan::time_unit, else to a readable unit, and its length. Has no effect if `own`, the unit of the run as
/// H5MD writes it, is unknown. The choice depends on the maximum time shown, so that it is the same throughout a film.
void choose_time_unit(render::RunInfo& info, const std::string& chosen, const std::string& own);

/// Sets the units that pictures of a run show: of length and mass those chosen, if any, of time as choose_time_unit, and dates instead of times if
/// the run has an epoch and no unit of time is chosen.
void choose_units(render::RunInfo& info, const ShownUnits& chosen, const RunRecord& record);

/// The maximum number of frames to read for paths: fewer if frames are large.
std::size_t frames_for_paths(std::size_t bodies);

/// Reads the frames of `part` and sets the extent, samples and, for few bodies, what is known between those, for many bodies
/// summaries of `info`. Summaries hold some bodies at
/// up to 1000 times, including those that `plans` follow. Samples of many bodies have velocities only if a plan shows them.
void survey(const TrajectoryReader& trajectory, const FrameRange& part, const std::vector<PicturePlan>& plans,
            render::RunInfo& info, const sim::StopRequest& stop);

/// The metadata of pictures of a run; `scenario` is the text to embed.
render::Provenance picture_provenance(const TrajectoryReader& trajectory, std::string scenario);
/// The same without what solves an exercise: only the version remains.
render::Provenance without_answer(render::Provenance whole);

}  // namespace orrery::pipeline
