// SPDX-License-Identifier: MIT
// The unit that a picture has for times.
#pragma once

#include <string>

#include "pipeline/pictures/subject.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// Throws Error, exit code 2, where a picture's `time_unit` asks for one though the run's own is not known.
void refuse_unknown_time_unit(const Section& keys, const Subject& subject);

/// Gives the run info of a picture its unit of time: what `time_unit` of its keys says, else a readable one. `own` is that of the
/// run; where it is not known the info stays as it is.
void choose_time_unit(render::RunInfo& info, const Section& keys, const std::string& own);

}  // namespace orrery::pipeline
