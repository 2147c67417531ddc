// SPDX-License-Identifier: MIT
// The error of approximate forces, measured on some bodies.
#pragma once

#include <cstddef>

#include "sim/backend.hpp"

namespace orrery::sim {

/// |Δa|/|a| over a sample of the bodies.
struct ForceErrors {
  std::size_t bodies = 0;  ///< in the sample
  double median = 0, of_99 = 0, greatest = 0;
};

/// Compares accelerations by pair forces with sums over all pairs, for at most `sample` bodies at even distances in the
/// order of the scenario, on the processor. Bodies on which no force acts are left out.
ForceErrors errors_of_sample(const System& system, const Vectors& position, const Vectors& acceleration,
                             std::size_t sample, int threads);

}  // namespace orrery::sim
