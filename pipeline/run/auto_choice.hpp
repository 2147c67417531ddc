// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/run/cost_cache.hpp"

namespace orrery::pipeline {

/// A backend that `auto` may choose.
struct Candidate {
  std::string name;
  std::function<std::string()> absence;  ///< why it cannot be used, or empty; may start a GPU's driver
  std::function<double()> measure;       ///< returns seconds per step; throws Error
};

/// With quadratic work, the backend that is fastest for this number of bodies is also the fastest for more.
inline constexpr std::size_t max_measured = 8192;

struct Work {
  std::size_t bodies;
  double interactions;   ///< in the whole run, as counted by the solver
  std::string question;  ///< everything that the costs depend on: the key in the cache
  /// Whether all backends give the same bits. If not, the choice must not depend on measurements.
  bool same_bits = true;
  std::size_t measured = max_measured;  ///< maximum number of bodies in a measurement
};

struct BackendRanking {
  std::vector<std::string> order;  ///< the best first; the others are tried if it fails to start
  std::string reason;              ///< as shown to the user
};

/// Ranks backends by a rule if measuring would cost more than it gains or if the choice decides the bits; else by costs
/// from the cache or measured. `candidates` must begin with one that needs no GPU. Throws Error if none can be used.
BackendRanking choose(std::span<const Candidate> candidates, const Work& work, const CostCache& cache);

}  // namespace orrery::pipeline
