// SPDX-License-Identifier: MIT
// The same few steps in arithmetics that differ in one thing: what makes a GPU's run leave a processor's.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim::study {

/// A loop over all pairs and a kick-drift-kick leapfrog, G = 1, as a compiler and a device may carry them out.
struct Arithmetic {
  std::string_view name;
  std::string_view differs;  ///< in what, from the first of the list of the same precision
  bool on_gpu;
  bool single;  ///< float32 throughout, else float64
  /// Positions after so many steps, [n × 3]. `device`: which GPU, where it runs on one.
  std::vector<double> (*run)(const Bodies& bodies, double softening, double dt, std::int64_t steps, int device);
};

/// On the processor: plain, fused, summed in another order, with another root, in x87 registers where there are any; float64
/// first, then float32.
std::span<const Arithmetic> arithmetics_of_cpu();
/// The same on a GPU; empty without CUDA.
std::span<const Arithmetic> arithmetics_of_gpu();

}  // namespace orrery::sim::study
