// SPDX-License-Identifier: MIT
// What pictures must know of a run before its frames go by.
#pragma once

#include <cstddef>
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

/// The space of a run as pictures know it.
render::Bounds bounds_of(const sim::Domain& domain);
/// Who is there and where, before anything moves.
render::RunInfo run_info_of(const sim::Bodies& bodies, const std::vector<std::string>& components,
                            const sim::Domain& domain);
/// The same of a run that is there, with its units and times.
render::RunInfo run_info_of(const TrajectoryReader& trajectory, const FrameRange& part);

/// Goes through the run for what a picture of bodies must know: how far they go, and some moments to measure by; of few
/// bodies about as many as a still shows, of a crowd some bodies at many moments besides, those that `plans` follow among
/// them. The moments of a crowd have velocities where a plan shows them.
void survey(const TrajectoryReader& trajectory, const FrameRange& part, const std::vector<PicturePlan>& plans,
            render::RunInfo& info);

/// What its pictures say of a run, which `scenario` makes again.
render::Provenance picture_provenance(const TrajectoryReader& trajectory, std::string scenario);

}  // namespace orrery::pipeline
