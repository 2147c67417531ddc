// SPDX-License-Identifier: MIT
// What every figure of bodies knows: whom it shows, as seen from where, in which colours.
#pragma once

#include <vector>

#include "common/parameter.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/frame.hpp"
#include "render/style/annotations.hpp"
#include "render/style/coloring.hpp"
#include "render/style/palette.hpp"
#include "render/view/paths.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

struct Shown {
  /// Reads the keys `bodies`, `frame`, `color_by`, `outliers`, `line_width` and `marker_size`. Throws ArgumentError.
  Shown(const Style& its_look, const RunInfo& its_cast, const Arguments& arguments, Trails trails);

  std::vector<std::size_t> chosen;  ///< those that are shown, by their place in a frame of the run; empty: all
  RunInfo info;                     ///< of those; samples are of all
  Style style;
  Reference reference;
  Coloring coloring;
  Legend legend;
  Paths paths;
  Frame all_now{};  ///< where some are shown
  bool still;

  void take(const Frame& frame);
  /// The last frame that was taken, with all bodies, as seen from the reference; null before the first. Who is followed need not
  /// be shown.
  [[nodiscard]] const Frame* now() const { return paths.empty() ? nullptr : chosen.empty() ? &paths.now() : &all_now; }
  /// Those bodies of a frame of the run, as seen from the reference.
  [[nodiscard]] Frame seen(const Frame& frame) const;
  /// So many that there are no paths.
  [[nodiscard]] bool crowded() const { return paths.bodies() > most_bodies_with_paths; }
  /// Of a film, or of a still that shows one moment and no paths.
  [[nodiscard]] Stamp stamp() const;
};

}  // namespace orrery::render
