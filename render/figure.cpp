// SPDX-License-Identifier: MIT
#include "render/figure.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "render/chart/chart_keys.hpp"
#include "render/chosen.hpp"

namespace orrery::render {

extern const FigureKind projection;   // figures/projection.cpp
extern const FigureKind projections;  // figures/projections.cpp
extern const FigureKind view3d;       // figures/view3d.cpp
extern const FigureKind density;      // figures/density.cpp
extern const FigureKind matrix;       // figures/matrix.cpp
extern const FigureKind snapshots;    // figures/snapshots.cpp
extern const FigureKind panels;       // figures/panels.cpp

std::span<const FigureKind* const> figure_kinds() {
  static constexpr std::array kinds{
      &projection, &projections, &view3d, &density, &matrix, &snapshots, &panels,
  };
  return kinds;
}

std::vector<Parameter> keys_of(const FigureKind& kind) {
  std::vector<Parameter> keys(kind.parameters.begin(), kind.parameters.end());
  const auto bodies = std::ranges::find(keys, "bodies", &Parameter::name);
  if (bodies != keys.end()) keys.insert(bodies + 1, components_parameter);
  if (kind.is_chart()) std::ranges::copy(chart_keys(), std::back_inserter(keys));
  return keys;
}

}  // namespace orrery::render
