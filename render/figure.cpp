// SPDX-License-Identifier: MIT
#include "render/figure.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "render/chart/chart_keys.hpp"
#include "render/chosen.hpp"

namespace orrery::render {

extern const FigureKind projection;                // figures/projection.cpp
extern const FigureKind projections;               // figures/projections.cpp
extern const FigureKind view3d;                    // figures/view3d.cpp
extern const FigureKind density;                   // figures/density.cpp
extern const FigureKind matrix;                    // figures/matrix.cpp
extern const FigureKind snapshots;                 // figures/snapshots.cpp
extern const FigureKind panels;                    // figures/panels.cpp
extern const FigureKind energy;                    // figures/energy.cpp
extern const FigureKind energy_error;              // figures/energy_error.cpp
extern const FigureKind separation;                // figures/separation.cpp
extern const FigureKind phase;                     // figures/phase.cpp
extern const FigureKind elements;                  // figures/elements.cpp
extern const FigureKind divergence;                // figures/divergence.cpp
extern const FigureKind conserved;                 // figures/conserved.cpp
extern const FigureKind virial;                    // figures/virial.cpp
extern const FigureKind lagrangian_radii;          // figures/lagrangian_radii.cpp
extern const FigureKind radial_profile;            // figures/radial_profile.cpp
extern const FigureKind rotation_curve;            // figures/rotation_curve.cpp
extern const FigureKind convergence;               // figures/convergence.cpp
extern const FigureKind pair_correlation;          // figures/pair_correlation.cpp
extern const FigureKind mean_square_displacement;  // figures/mean_square_displacement.cpp
extern const FigureKind thermodynamics;            // figures/thermodynamics.cpp

std::span<const FigureKind* const> figure_kinds() {
  static constexpr std::array kinds{
      &projection,
      &projections,
      &view3d,
      &density,
      &matrix,
      &snapshots,
      &panels,
      &energy,
      &energy_error,
      &separation,
      &phase,
      &elements,
      &divergence,
      &conserved,
      &virial,
      &lagrangian_radii,
      &radial_profile,
      &rotation_curve,
      &convergence,
      &pair_correlation,
      &mean_square_displacement,
      &thermodynamics,
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

const FigureKind& figure_kind(std::string_view name) {
  return **std::ranges::find(figure_kinds(), name, &FigureKind::name);
}

}  // namespace orrery::render
