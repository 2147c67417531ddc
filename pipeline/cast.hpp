// SPDX-License-Identifier: MIT
// What pictures must know of a run before its frames go by.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/frame_range.hpp"
#include "pipeline/picture_plan.hpp"
#include "pipeline/trajectory.hpp"
#include "render/frame.hpp"
#include "render/provenance.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// Who is there, before anything moves.
render::Cast cast_of(const sim::Bodies& bodies, const std::vector<std::string>& components);
/// The same of a run that is there, with its units and times.
render::Cast cast_of(const TrajectoryReader& trajectory, const FrameRange& part);

/// Goes through the run for what a picture of bodies must know: how far they go, and some moments to measure by; of few
/// bodies about as many as a still shows, of a crowd some bodies at many moments besides, `centers` among them.
void survey(const TrajectoryReader& trajectory, const FrameRange& part, const std::vector<std::size_t>& centers,
            render::Cast& cast);

/// The bodies that pictures go by: who is followed, and who rests. May name one twice.
std::vector<std::size_t> centers_of(const std::vector<PicturePlan>& plans, const render::Cast& cast);

/// What its pictures say of a run, which `scenario` makes again.
render::Provenance told_of(const TrajectoryReader& trajectory, std::string scenario);

}  // namespace orrery::pipeline
