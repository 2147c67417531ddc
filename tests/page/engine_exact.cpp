// SPDX-License-Identifier: MIT
#include "engine_runs.hpp"

namespace orrery::page::testing {

const EngineKind exact_engine{"exact", end_of, fma_of_engine, strength_of_engine, attracted_by_engine};

}  // namespace orrery::page::testing
