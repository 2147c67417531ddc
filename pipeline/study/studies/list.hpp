// SPDX-License-Identifier: MIT
// One declaration a study.
#pragma once

#include "pipeline/study/study.hpp"

namespace orrery::pipeline {

extern const Study bodies_study, symmetry_study, threads_study, energy_study, precision_study, frames_study,
    sanitizer_study;

}  // namespace orrery::pipeline
