// SPDX-License-Identifier: MIT
// Peak rates of a GPU, to which the kernels are compared.
#pragma once

#include "sim/backend.hpp"

namespace orrery::sim::cuda {

/// Fused multiply-adds per second on registers, the best of several runs. Throws Error.
double fma_rate(int index, bool in_double);

/// Bytes per second, read plus written, of copies within the device's memory, the best of several runs. Throws Error.
double copy_rate(int index);

/// Throws Error if there is no such device.
DeviceFacts facts(int index);

}  // namespace orrery::sim::cuda
