// SPDX-License-Identifier: MIT
// The same steps in floating-point arithmetics that differ in one respect: why a GPU's run diverges from a CPU's.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim::study {

/// A loop over all pairs and a kick-drift-kick leapfrog, G = 1, in one arithmetic.
struct Arithmetic {
  std::string_view name;
  std::string_view differs;  ///< the difference from the first entry of the same precision
  bool single;               ///< float32 throughout, else float64
  /// Returns positions after `steps` steps, [n × 3]. `device`: GPU index; ignored on the CPU.
  std::vector<double> (*run)(const Bodies& bodies, double softening, double dt, std::int64_t steps, int device);
};

/// CPU: plain, fused, two other orders of summation, another root, x87 registers if available; float64 first, then
/// float32.
std::span<const Arithmetic> arithmetics_of_cpu();
/// GPU: plain, fused, fast root; empty without CUDA.
std::span<const Arithmetic> arithmetics_of_gpu();

}  // namespace orrery::sim::study
