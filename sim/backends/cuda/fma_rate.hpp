// SPDX-License-Identifier: MIT
// What a GPU could do at most, to compare the pair kernels with.
#pragma once

#include "sim/backend.hpp"

namespace orrery::sim::cuda {

/// Fused multiply-adds a second, in registers alone; the best of several tries. Throws Error.
double fma_rate(int index, bool in_double);

/// Throws Error where there is no such device.
DeviceFacts facts(int index);

}  // namespace orrery::sim::cuda
