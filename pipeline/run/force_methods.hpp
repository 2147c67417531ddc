// SPDX-License-Identifier: MIT
// What exact and approximate methods for pair forces cost and how accurate they are for the bodies of a scenario.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "pipeline/scenario/scenario.hpp"
#include "sim/solvers/force_errors.hpp"

namespace orrery::pipeline {

/// "median 9e-05, 99 % 1.2e-03, greatest 3.3e-03 of 500 bodies"
std::string to_text(const sim::ForceErrors& errors);

/// The errors of forces on a sample of bodies, whose accelerations a backend of this model has or computes; empty if
/// the method is exact.
std::optional<sim::ForceErrors> force_errors(const sim::Model& model, sim::Backend& backend);

/// The same for the newest state of a run, computed on this processor.
std::optional<sim::ForceErrors> force_errors_at_the_end(const TrajectoryReader& trajectory,
                                                        const std::filesystem::path& file);

/// Seconds of a second force evaluation at the positions of a backend; the first one allocates memory.
double evaluation_seconds(sim::Backend& backend);

/// An approximate method if that of the model is exact, else an exact one.
struct OtherMethod {
  std::string name;
  double seconds;                          ///< of one force evaluation on the backend
  std::optional<sim::ForceErrors> errors;  ///< if it is approximate
};
/// Measures the other method with its defaults on a backend of kind `kind`; of at most so many bodies, from which the cost of
/// all is extrapolated. Empty if the forces can only be computed in one way.
struct MostBodies {
  std::size_t approximate = std::numeric_limits<std::size_t>::max(), exact = 16'384;
};
std::optional<OtherMethod> other_method(const sim::Model& model, const std::string& kind, sim::BackendOptions options,
                                        MostBodies most = {});

}  // namespace orrery::pipeline
