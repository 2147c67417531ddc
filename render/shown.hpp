// SPDX-License-Identifier: MIT
// What every figure of bodies knows: whom it shows, as seen from where, in which colours.
#pragma once

#include <vector>

#include "common/parameter.hpp"
#include "render/figure.hpp"
#include "render/frame.hpp"
#include "render/look/coloring.hpp"
#include "render/look/furniture.hpp"
#include "render/look/palette.hpp"
#include "render/view/paths.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

struct Shown {
  /// Reads the keys `frame`, `color_by` and `outliers`. Throws ArgumentError.
  Shown(const Look& its_look, const Cast& its_cast, const Arguments& arguments, Trails trails);

  const Cast& cast;
  Look look;
  Reference reference;
  Coloring coloring;
  Legend legend;
  Paths paths;
  bool still;

  void take(const Frame& frame);
  /// So many that there are no paths.
  [[nodiscard]] bool crowded() const { return paths.bodies() > most_bodies_with_paths; }
  /// Of a film, or of a still that shows one moment and no paths.
  [[nodiscard]] Stamp stamp() const;
};

}  // namespace orrery::render
