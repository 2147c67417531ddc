// SPDX-License-Identifier: MIT
// `auto`: which of several backends takes the least time, or which one a rule names where they do not give the same bits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/run/cost_cache.hpp"

namespace orrery::pipeline {

/// A backend as `auto` sees it.
struct Candidate {
  std::string name;
  std::function<std::string()> absence;  ///< empty where it can be used; looking may start a GPU's driver
  std::function<double()> measure;       ///< seconds a step; throws Error where it fails
};

/// Where work grows as the square of the bodies: whoever is faster with so many stays so with more.
inline constexpr std::size_t most_measured = 8192;

/// What there is to do.
struct Work {
  std::size_t bodies;
  double interactions;   ///< in the whole run, as the solver counts them
  std::string question;  ///< what the costs depend on: under this they are kept
  bool same_bits =
      true;  ///< whichever is taken; else nothing is measured, lest the bits depend on how busy a machine was
  std::size_t measured = most_measured;  ///< steps are measured with so many bodies at most
};

struct Verdict {
  std::vector<std::string> order;  ///< the best first; the others are for where it fails to start
  std::string reason;              ///< for people
};

/// Goes by rule where measuring would cost more than it gains, or where the choice decides the bits; else measures what is not in
/// the cache.
/// `candidates`: at least one, the first being the one that needs no GPU. Throws Error where none can be used.
Verdict choose(std::span<const Candidate> candidates, const Work& work, const CostCache& cache);

}  // namespace orrery::pipeline
