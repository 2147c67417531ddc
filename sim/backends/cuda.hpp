// SPDX-License-Identifier: MIT
// The cuda backend; cuda_absent.cpp stands in for it where there is no CUDA compiler.
#pragma once

#include "sim/backend.hpp"

namespace orrery::sim {

extern const BackendKind cuda_backend;

}  // namespace orrery::sim
