// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/pictures/picture.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/chart/chart.hpp"

namespace orrery::pipeline {

/// A figure as a page has it.
struct RunFigure {
  std::string caption;
  std::string markup{};  ///< inline SVG; of clouds of bodies an image; empty: this build draws no pictures
  std::vector<render::Chart> charts{};  ///< its numbers, if it is a chart
};

/// Draws figures of a run for a page; `prefix` begins the ids in them. Those that cannot be drawn are left out, with a warning.
std::vector<RunFigure> run_figures(const TrajectoryReader& trajectory, const std::vector<Picture>& pictures,
                                   const std::string& prefix, Context& context);

/// The numbers of a chart as a table in HTML, at most about `most` rows of each.
std::string table_of(const render::Chart& chart, std::size_t most = 60);

}  // namespace orrery::pipeline
