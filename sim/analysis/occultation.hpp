// SPDX-License-Identifier: MIT
// Light of a sphere that others pass before.
#pragma once

#include <span>

namespace orrery::sim {

/// A dark disc before a bright one, in radii of the bright one.
struct Disc {
  double x, y;  ///< of its centre, from that of the bright one
  double radius;
};

/// The intensity of a bright disc at distance ρ from its centre, relative to the centre: 1 − a (1 − μ) − b (1 − μ)², where μ = √(1 − ρ²).
/// Kopal 1950, Harvard College Observatory Circular 454.
struct LimbDarkening {
  double linear = 0, quadratic = 0;
};

/// The part of the light of a disc that is not covered by others, which may cover each other: 0 to 1. Relative error about 1e-9 of
/// what is covered, about 1e-6 where discs overlap. Circles about the centre of the bright disc are covered along arcs, whose
/// union is integrated over their radius; for one dark disc it is the light curve of Mandel & Agol 2002, ApJ 580, L171.
double visible_light(std::span<const Disc> discs, const LimbDarkening& limb = {});

}  // namespace orrery::sim
