// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/pictures/series.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline::convergence {

/// The last state of a run.
struct FinalState {
  std::string file;
  double time = 0;
  sim::Vectors position{};  ///< of all bodies
  std::optional<sim::Vectors>
      exact{};  ///< positions on the Kepler orbit about the centre of mass, for `two-body` under gravity
};

/// The root mean square distance of the bodies from the origin, and from `reference`.
double size_of(const FinalState& state);
double distance(const FinalState& state, const sim::Vectors& reference);
/// The same between two runs. Throws Error, exit code 2, if they differ in the number of bodies or the final time.
double distance_of_ends(const SeriesRequest& request, const FinalState& a, const FinalState& b);

/// Data of one run. Files are not held open, since there may be thousands.
struct Run {
  RunRecord record;
  Keys values;  ///< overrides and physics(), with normalised keys
  double energy_error = 0;
  std::int64_t steps = 0;
  FinalState end;
  double x = 0;  ///< abscissa
};

/// The run of a figure and its `others`, with final states if `states`, else with energy errors. Throws Error if a run is not
/// finished, has no energy, or has other units than the first.
std::vector<Run> all_runs(const SeriesRequest& request, bool states);

/// The swept keys, and those that differ between sweeps but not within one. Does not include numbers that follow from swept
/// keys, such as dt from the period.
std::vector<std::string> keys_of(const std::vector<Run>& runs);

/// Whether it is the key of a random seed.
bool is_seed(const std::string& key);
/// The value of a key if it is a finite number.
std::optional<double> number(const Keys& values, const std::string& key);

}  // namespace orrery::pipeline::convergence
