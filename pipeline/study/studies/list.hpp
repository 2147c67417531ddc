// SPDX-License-Identifier: MIT
// One declaration a study.
#pragma once

#include "pipeline/study/study.hpp"

namespace orrery::pipeline {

extern const Study peak_study, unroll_study, block_study, bodies_study, symmetry_study, small_study, threads_study,
    ladder_study, profile_study, cells_study, divergence_study, energy_study, precision_study, frames_study,
    matrix_study, sanitizer_study;

}  // namespace orrery::pipeline
