// SPDX-License-Identifier: MIT
// What the methods for pair forces, direct and tree, cost and how accurate they are for the bodies of a scenario.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "pipeline/scenario/scenario.hpp"
#include "sim/solvers/tree/errors.hpp"

namespace orrery::pipeline {

/// "median 9e-05, 99 % 1.2e-03, greatest 3.3e-03 of 500 bodies"
std::string in_words(const sim::ForceErrors& errors);

/// The errors of the tree's forces on a sample of bodies, whose accelerations a backend of this scenario has or computes;
/// empty with another method.
std::optional<sim::ForceErrors> force_errors(const Scenario& scenario, const Setup& setup, sim::Backend& backend);

/// The same for the newest state of a run with the tree, computed on this processor.
std::optional<sim::ForceErrors> force_errors_at_the_end(const TrajectoryReader& trajectory,
                                                        const std::filesystem::path& file);

/// Seconds of a second force evaluation at the positions of a backend; the first one allocates memory.
double evaluation_seconds(sim::Backend& backend);

/// The other one of direct and tree for this scenario.
struct OtherMethod {
  std::string name;
  double seconds;                          ///< of one force evaluation on the backend of the scenario
  std::optional<sim::ForceErrors> errors;  ///< of the tree
};
/// Measures the other method on a backend of kind `kind`: the tree with its default accuracy, or all pairs; of at most so many
/// bodies, from which the cost of all is extrapolated. Empty if the forces can only be computed in one way.
struct MostBodies {
  std::size_t tree = std::numeric_limits<std::size_t>::max(), direct = 16'384;
};
std::optional<OtherMethod> other_method(const Scenario& scenario, const Setup& setup, const std::string& kind,
                                        MostBodies most = {});

}  // namespace orrery::pipeline
