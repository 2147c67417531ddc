// SPDX-License-Identifier: MIT
// One declaration a study.
#pragma once

#include "pipeline/study/study.hpp"

namespace orrery::pipeline {

extern const Study bodies_study, threads_study, energy_study;

}  // namespace orrery::pipeline
