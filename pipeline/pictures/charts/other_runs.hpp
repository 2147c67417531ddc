// SPDX-License-Identifier: MIT
// Several runs in one chart.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/subject.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// A run besides the one that a figure is of.
struct OtherRun {
  TrajectoryReader trajectory;
  Subject subject;
  render::RunInfo info;  ///< in the units that the figure shows of its own run, without `title`

  /// Opens a file of key `others`. Throws Error, Fault::request, if it cannot be read, or only one of both runs has units.
  OtherRun(const ChartRequest& request, const std::string& file);
  OtherRun(const OtherRun&) = delete;
  OtherRun& operator=(const OtherRun&) = delete;
};

/// The runs of key `others`, open while pictures are made of them, and the names of all runs: what distinguishes them.
struct AllRuns {
  std::vector<std::unique_ptr<OtherRun>> others{};
  std::vector<std::string> names{};
};
/// Before the run (no trajectory) only the names are there. Throws Error at the key.
AllRuns all_runs(const ChartRequest& request);

/// The same, with the names of key `labels` if there is one.
AllRuns labelled_runs(const ChartRequest& request);

/// Whether a figure has runs besides its own.
bool shows_other_runs(const Section& keys);

/// Adds to the charts of the figure's own run the curves of the others, in its units: with a colour for each run if each has a
/// single curve, otherwise with dashes for each run and the colour of the curve. Throws Error, Fault::request, if they have other
/// panels, units or numbers of curves.
void add_other_runs(const ChartKind& kind, const ChartRequest& request, std::vector<Chart>& charts);

/// Throws Error, Fault::request, if only one of both runs has units.
void check_units_of_other(const ChartRequest& request, const StoredData& other, const std::string& file);

}  // namespace orrery::pipeline
