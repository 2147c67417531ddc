// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "render/frame.hpp"

namespace orrery::pipeline {

/// What the stage of a page shows first, and what is around the bodies. All places but the centre are relative to it.
struct StageView {
  using Line = std::array<double, 6>;

  std::array<double, 3> centre{};
  double radius = 1;                              ///< of nearly all positions about the centre
  bool flat = false;                              ///< all are in the plane z = that of the centre
  std::string note{};                             ///< how many bodies leave it; "" if none does
  std::vector<std::array<double, 3>> extremes{};  ///< places that must be in the picture
  std::vector<Line> grid{};                       ///< in the plane through the centre; none in a box
  std::vector<Line> walls{}, ends{};              ///< edges of the box: ends are periodic
};

/// The view of positions [moments][bodies][3] by the rule of the figures, which leaves out bodies that escape (docs/view.md).
StageView stage_view(std::span<const float> positions, std::size_t bodies, const render::RunInfo& info);

}  // namespace orrery::pipeline
