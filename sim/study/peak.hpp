// SPDX-License-Identifier: MIT
// Measured limits of a machine other than fused multiply-adds and copies, which backends measure.
#pragma once

namespace orrery::sim::study {

/// Per second; 0 if not measured.
struct GpuPeaks {
  double roots = 0;         ///< 1/√x in float, approximate
  double exact_roots = 0;   ///< 1/√x in float with a correctly rounded root and division
  double double_roots = 0;  ///< the same in double
  double shared_bytes = 0;  ///< read from shared memory, 16 bytes a thread
  double fill_bytes = 0;    ///< written to memory
  double read_bytes = 0;    ///< read from memory
};

/// Zeros without CUDA. Throws Error if the device fails.
GpuPeaks gpu_peaks(int device);

/// 1/√x in float per second on one thread, compiled for the widest registers available.
double cpu_roots();

}  // namespace orrery::sim::study
