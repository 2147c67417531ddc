// SPDX-License-Identifier: MIT
// How fast the memory of a GPU is, to compare steps with that have little to compute.
#pragma once

namespace orrery::sim::cuda {

/// Bytes a second, read and written, of copies from one place of the device's memory to another; the best of several tries.
/// Throws Error.
double copy_rate(int index);

}  // namespace orrery::sim::cuda
