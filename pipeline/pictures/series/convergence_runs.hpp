// SPDX-License-Identifier: MIT
// The runs that a figure of convergence compares, and in which keys they differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/pictures/series.hpp"
#include "pipeline/pictures/series/final_state.hpp"

namespace orrery::pipeline::convergence {

/// What is kept of a run; files are not held open, for there may be thousands.
struct Run {
  RunRecord record;
  Keys values;  ///< by keys in one spelling: what --set and the sweep said, and the numbers that the physics came to
  double energy_error = 0;
  std::int64_t steps = 0;
  FinalState end;
  double x = 0;
};

/// The run of a figure and its `others`, with their final states, if those are wanted, or else their errors. Throws Error where one
/// is not finished, has no energy to compare, or counts in other units than the first.
std::vector<Run> all_runs(const SeriesRequest& request, bool states);

/// The keys of the sweep, and those that tell one sweep from another: the same in all runs of each. A number that follows from
/// what is swept, as dt from the period, is none of them.
std::vector<std::string> keys_of(const std::vector<Run>& runs);

/// Whether two runs that differ in this key alone differ by chance.
bool is_seed(const std::string& key);
/// A value that is a finite number.
std::optional<double> number(const Keys& values, const std::string& key);

}  // namespace orrery::pipeline::convergence
