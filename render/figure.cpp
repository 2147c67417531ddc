// SPDX-License-Identifier: MIT
// The list of all kinds of figures: a line for the file and a line for the list.
#include "render/figure.hpp"

#include <array>

namespace orrery::render {

extern const FigureKind projection;    // figures/projection.cpp
extern const FigureKind projections;   // figures/projections.cpp
extern const FigureKind view3d;        // figures/view3d.cpp
extern const FigureKind density;       // figures/density.cpp
extern const FigureKind energy_error;  // figures/energy_error.cpp

std::span<const FigureKind* const> figure_kinds() {
  static constexpr std::array kinds{
      &projection, &projections, &view3d, &density, &energy_error,
  };
  return kinds;
}

}  // namespace orrery::render
