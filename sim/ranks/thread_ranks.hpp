// SPDX-License-Identifier: MIT
// Ranks that are threads of this process: one for each GPU.
#pragma once

#include <memory>

#include "sim/ranks/ranks.hpp"

namespace orrery::sim {

/// Starts `size` − 1 threads that serve the returned rank 0. They end with it.
std::shared_ptr<Ranks> start_thread_ranks(int size);

}  // namespace orrery::sim
