// SPDX-License-Identifier: MIT
// The reference backend.
#pragma once

#include "sim/backend.hpp"

namespace orrery::sim {

extern const BackendKind reference_backend;

}  // namespace orrery::sim
