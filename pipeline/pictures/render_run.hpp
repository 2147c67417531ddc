// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/context.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

struct RenderOptions {
  std::vector<std::filesystem::path> runs;  ///< trajectories or folders of runs; at least one
  std::optional<std::filesystem::path>
      output{};                               ///< a folder, or the file of a single picture; default: beside the run
  std::vector<std::string> overrides{};       ///< of keys of [[figure]] and [[film]]
  std::string figure{};                       ///< kind of a single figure; empty: the pictures of the scenario
  std::string against{};                      ///< key `against` of that figure; empty: its default
  std::string from{};                         ///< key `from` of that figure; empty: its default
  std::vector<std::filesystem::path> data{};  ///< key `data` of that figure, relative to the working folder
  std::vector<std::string> columns{};         ///< its key `columns`
  std::vector<std::string> labels{};          ///< key `labels` of that figure; empty: its default
  std::string frames{};                       ///< "a:b", "a:b:k"; empty: all
  std::string piece{};                        ///< "i/n": only the i-th of n pieces of each film; empty: all pictures
  bool preview = false;                       ///< see PicturePlan::preview
  bool without_answer = false;                ///< see Pictures::hide_answer
  bool follow = false;                        ///< redraw figures until the run is finished, then draw all pictures
  Replacing replacing = Replacing::ours;
};

/// Draws pictures of stored runs: those of the scenario, or one figure of one or several runs. Returns whether it came to its end,
/// rather than was stopped. Throws Error, Fault::request for invalid options.
bool render(const RenderOptions& given, Context& context);

/// Draws all pictures of a run as Pictures::draw does, the films in pieces on all ranks, which are then joined. `drawing`: the folder
/// and the options with which the other ranks draw the same. Throws Error.
std::vector<std::filesystem::path> draw_on_ranks(const Pictures& pictures, const TrajectoryReader& trajectory,
                                                 const RenderOptions& drawing, Context& context);

/// Pictures to be drawn of a run, its scenario, and the output folder.
struct RenderJob {
  Document scenario;
  std::vector<Picture> pictures;
  std::filesystem::path folder;
};

// All throw Error, Fault::request.

/// The pictures of the scenario of a run.
RenderJob own_pictures(const RenderOptions& options, const TrajectoryReader& trajectory);

/// The figure `options.figure` of the first run, compared with the other runs if there are any.
RenderJob one_figure(const RenderOptions& options, const TrajectoryReader& first);

/// A figure of the first of several runs that shows all of them.
Picture figure_of_runs(Picture figure, const std::vector<std::filesystem::path>& runs);

/// Replaces folders in `options.runs` by the finished runs in them, with a warning for others. The default output becomes the first
/// folder.
RenderOptions expand_folders(const RenderOptions& options, Context& context);

}  // namespace orrery::pipeline
