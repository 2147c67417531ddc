// SPDX-License-Identifier: MIT
// What `orrery render --figure KIND` comes to: a scenario that asks for that figure alone.
#pragma once

#include <filesystem>

#include "pipeline/scenario/scenario.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// A scenario of which the pictures alone are read, and the folder that they go to.
struct Commission {
  Document document;
  std::filesystem::path folder;
};

/// The scenario of the first run with `request.figure` in place of its own figures and films; further operands are the
/// other runs that it draws. Throws Error, exit code 2.
Commission one_figure(const Request& request, const TrajectoryReader& first);

/// The same for a figure of several runs that a [[figure]] table asks for, drawn into `folder`; `runs` are at least one.
Commission figure_of_runs(const std::vector<std::filesystem::path>& runs, const std::string& table,
                          const std::filesystem::path& folder);

/// The request with the finished runs in a folder in place of the folder, wherever an operand is one, and its pictures in
/// that folder if it says nothing else. What is not finished is named on stderr. Throws Error, exit code 2.
Request with_runs_of_folders(const Request& request);

/// The scenario of a run with its own figures and films, to `request.output` or beside the run. A file is where the only one
/// goes. Throws Error, exit code 2.
Commission own_pictures(const Request& request, const TrajectoryReader& trajectory);

/// What is wrong with a picture that flags ask for, said of the flags.
Error of_flags(const Request& request, const Error& error);

}  // namespace orrery::pipeline
