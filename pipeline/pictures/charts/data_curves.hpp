// SPDX-License-Identifier: MIT
// Numbers of files beside the curves of a run.
#pragma once

#include <filesystem>
#include <vector>

#include "pipeline/pictures/charts.hpp"

namespace orrery::pipeline {

/// Adds two columns of each file of key `data`, which `columns` names, as a
/// curve: to the panel whose vertical axis has the name of the second column,
/// else to the uppermost one and to those that show the same on another scale.
/// Without a trajectory, or in another folder than that of the run, only names
/// of curves are added. Numbers are in the units of the run, or in the unit
/// after the name of their column. Throws Error, Fault::request, with file,
/// line and column.
void add_data(const ChartRequest& request, std::vector<Chart>& charts);

/// Reads the files of key `data` of a run that will be in `folder`. Throws
/// Error as add_data().
void check_data(const Section& keys, const std::filesystem::path& folder);

}  // namespace orrery::pipeline
