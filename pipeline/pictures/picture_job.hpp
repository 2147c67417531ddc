// SPDX-License-Identifier: MIT
// One picture in the making, and how stills and films of a run come about.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "pipeline/pictures/picture_plan.hpp"
#include "pipeline/pictures/series.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/canvas/canvas.hpp"
#include "render/figure.hpp"
#include "render/film/film.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::pipeline {

/// A canvas, the run info under its own title, and the figure on it.
struct PictureJob {
  const PicturePlan& plan;
  render::Canvas canvas;
  render::RunInfo info;
  std::unique_ptr<render::Figure> figure;

  /// Without a trajectory it is there to check the keys. Throws Error that names the key.
  PictureJob(const PicturePlan& of, const render::RunInfo& all, const Physics& physics,
             const TrajectoryReader* trajectory, const std::optional<FrameRange>& part = {});

 private:
  /// "part[1].limits" is a key of that part.
  [[noreturn]] void complain(const ArgumentError& error) const;
};

/// Where pictures go, what they say of their run, and what they may replace.
struct Destination {
  std::filesystem::path folder;
  render::Provenance told;
  Replacing replacing;
};

/// Shows a part of the run to every still and saves them; adds to `written` what has appeared.
void draw_stills(const std::vector<std::unique_ptr<PictureJob>>& jobs, const TrajectoryReader& trajectory,
                 const FrameRange& part, const Destination& to, std::vector<std::filesystem::path>& written);

/// What came of a film: all of it, or after a signal nothing under its own name.
struct FilmResult {
  bool whole = true;
  render::Fit fit{};             ///< where that says too large, there is no film
  std::filesystem::path left{};  ///< what there is of it, if that plays
};
FilmResult render_film(PictureJob& job, const TrajectoryReader& trajectory, const FrameRange& part,
                       const Destination& to, Messages& messages);

}  // namespace orrery::pipeline
