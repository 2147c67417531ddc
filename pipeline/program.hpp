// SPDX-License-Identifier: MIT
#pragma once

#include "common/export.hpp"

namespace orrery::pipeline {

/// What the program does with its arguments, signals and streams. Returns its exit code.
ORRERY_EXPORT int run_program(int argc, char** argv);

}  // namespace orrery::pipeline
