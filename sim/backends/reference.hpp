// SPDX-License-Identifier: MIT
#pragma once

#include "sim/backend.hpp"

namespace orrery::sim {

extern const BackendKind reference_backend;

}  // namespace orrery::sim
