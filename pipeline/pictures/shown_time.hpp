// SPDX-License-Identifier: MIT
// The unit that a picture has for times.
#pragma once

#include <string>

#include "pipeline/pictures/subject.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// Throws Error, exit code 2, where a picture's `time_unit` asks for one though the run's own is not known.
void refuse_unknown_time_unit(const Section& keys, const Subject& subject);

/// Gives the cast of a picture its unit of time: what `time_unit` of its keys says, else a readable one. `own` is that of the
/// run; where it is not known the cast stays as it is.
void choose_time_unit(render::Cast& cast, const Section& keys, const std::string& own);

}  // namespace orrery::pipeline
