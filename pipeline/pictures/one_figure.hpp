// SPDX-License-Identifier: MIT
// What `orrery render --figure KIND` comes to: a scenario that asks for that figure alone.
#pragma once

#include <filesystem>

#include "pipeline/pictures/render_run.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// A scenario of which the pictures alone are read, and the folder that they go to.
struct RenderJob {
  Document document;
  std::filesystem::path folder;
};

/// The scenario of the first run with `options.figure` in place of its own figures and films; further runs are the others
/// that it draws. Throws Error, exit code 2.
RenderJob one_figure(const RenderOptions& options, const TrajectoryReader& first);

/// The same for a figure of several runs that a [[figure]] table asks for, drawn into `folder`; `runs` are at least one.
RenderJob figure_of_runs(const std::vector<std::filesystem::path>& runs, const std::string& table,
                         const std::filesystem::path& folder);

/// The options with the finished runs in a folder in place of the folder, and the pictures in that folder if they say nothing
/// else. Warns of what is not finished. Throws Error, exit code 2.
RenderOptions with_runs_of_folders(const RenderOptions& options, Messages& messages);

/// The scenario of a run with its own figures and films, to `options.output` or beside the run. A file is where the only one
/// goes. Throws Error, exit code 2.
RenderJob own_pictures(const RenderOptions& options, const TrajectoryReader& trajectory);

/// What is wrong with a picture that flags ask for, said of the flags.
Error of_flags(const RenderOptions& options, const Error& error);

}  // namespace orrery::pipeline
