// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/other_runs.hpp"
#include "pipeline/pictures/picture_plan.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/canvas/canvas.hpp"
#include "render/figure.hpp"
#include "render/film/film.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::pipeline {

/// A picture being drawn.
struct PictureJob {
  const PicturePlan& plan;
  render::Canvas canvas;
  render::RunInfo info;
  std::vector<std::unique_ptr<OtherRun>> others{};  ///< whose bodies the figure shows, too; info.others are theirs
  std::unique_ptr<render::Figure> figure;

  /// Returns ChartRequest::runs for the keys of a picture or a part.
  using Runs = std::function<std::vector<RunOutline>(const Section& keys)>;

  /// A null trajectory only checks the keys, with what is known of the runs. Throws Error with the location of the key.
  PictureJob(const PicturePlan& of, const render::RunInfo& all, const Subject& subject,
             const TrajectoryReader* trajectory, const std::optional<FrameRange>& drawn = {}, const Runs& runs = {},
             const sim::StopRequest& stop = {});

 private:
  /// Finds `others` of a figure of bodies.
  void add_other_runs(const ChartRequest& request);
  /// Reports `error` at the key that it names; "part[1].limits" is a key of part 1.
  [[noreturn]] void complain(const ArgumentError& error) const;
};

/// Output folder of pictures, the metadata of each, and which files they may replace.
struct Destination {
  std::filesystem::path folder;
  std::function<render::Provenance(const PicturePlan&)> provenance;
  Replacing replacing;
};

/// Draws and saves all stills. Appends each saved file to `written`, fewer if it is stopped.
void draw_stills(const std::vector<std::unique_ptr<PictureJob>>& jobs, const TrajectoryReader& trajectory,
                 const FrameRange& part, const Destination& to, std::vector<std::filesystem::path>& written,
                 const Context& context);

struct FilmResult {
  bool whole = true;             ///< false: stopped
  render::Fit fit{};             ///< if too large, there is no file
  std::filesystem::path left{};  ///< the playable part of an interrupted film, if any
};
/// Draws and saves a film, or a piece of it. Shows its progress in `context`.
FilmResult render_film(PictureJob& job, const TrajectoryReader& trajectory, const FrameRange& part,
                       const Destination& to, Context& context);

}  // namespace orrery::pipeline
