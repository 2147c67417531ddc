// SPDX-License-Identifier: MIT
#include "engine_runs.hpp"

namespace orrery::page::testing {

const EngineKind exact_engine{"exact", end_of, fma_of_engine, inverse_cube_of_engine};

}  // namespace orrery::page::testing
