// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "render/between.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/frame.hpp"
#include "render/style/annotations.hpp"
#include "render/style/coloring.hpp"
#include "render/style/palette.hpp"
#include "render/view/paths.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

/// What figures of bodies have in common: the bodies shown, the reference frame, colours and paths.
struct Shown {
  /// Reads the keys `bodies`, `components`, `names`, `frame`, `color_by`, `colormap`, `outliers`, `line_width` and `marker_size`. Throws
  /// ArgumentError.
  Shown(const Style& base_style, const RunInfo& run, const Arguments& arguments, Trails trails);

  std::vector<std::size_t> chosen;  ///< the bodies shown, as indices into a frame of the run; empty: all
  RunInfo info;                     ///< of these bodies, except that samples are of all
  Style style;
  Reference reference;
  Coloring coloring;
  Legend legend;
  std::shared_ptr<const Between> between;  ///< of these bodies in the reference frame; null: all is known
  Paths paths;
  Frame all_now{};       ///< the last frame of all bodies, unless `chosen` is empty
  bool still, trailing;  ///< trailing: bodies leave paths
  std::string names;     ///< where names are beside bodies: key `names`; empty: the figure has none

  void take(const Frame& frame);
  /// Returns the last frame of all bodies in the reference frame, since a followed body need not be shown; null before the
  /// first.
  [[nodiscard]] const Frame* now() const { return paths.empty() ? nullptr : chosen.empty() ? &paths.now() : &all_now; }
  /// Returns the bodies shown of a frame of the run, in the reference frame.
  [[nodiscard]] Frame seen(const Frame& frame) const;
  /// Returns whether there are too many bodies for paths, so that they are drawn as a point cloud.
  [[nodiscard]] bool is_point_cloud() const { return paths.bodies() > max_bodies_with_paths; }
  /// Returns the time of the last frame; empty in a still with paths, which show more than one moment.
  [[nodiscard]] Stamp stamp() const;
  /// Returns what the picture says about what is between its frames; "" if nothing is lost there.
  [[nodiscard]] std::string remark() const { return between ? words_for(*between, info.pictures, trailing) : ""; }

 private:
  [[nodiscard]] std::shared_ptr<const Between> between_samples(Trails trails) const;
};

}  // namespace orrery::render
