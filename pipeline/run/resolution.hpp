// SPDX-License-Identifier: MIT
// Whether the rows of a run are close enough together for the curve through them to be the curve of the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Whether the energy between rows went where the rows do not show it: by more than a fiftieth of all that it spans. False
/// where the rows keep no extremes.
bool shows_between_rows(const History& history);

/// Over which states the extremes run, in words: "least to greatest of every step". `own_steps`: how many the integrator took,
/// if it chose them; else 0.
std::string extremes_in_words(const History& history, std::int64_t own_steps);

/// Empty where rows without extremes can be trusted. They cannot where fewer than ten of them come in a `timescale` (0: it
/// is not known) or where every fourth one is a peak or a trough, unless `values` change by rounding alone.
std::string too_few_rows(const std::vector<double>& time, const std::vector<double>& values, double timescale);

}  // namespace orrery::pipeline
