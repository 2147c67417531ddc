// SPDX-License-Identifier: MIT
#define ORRERY_ENGINE_FUSED
#include "engine_runs.hpp"

namespace orrery::page::testing {

const EngineKind fused_engine{"fused", end_of, fma_of_engine, strength_of_engine, attracted_by_engine};

}  // namespace orrery::page::testing
