// SPDX-License-Identifier: MIT
// How the mass of a state lies about its centre, and how it goes round: what clusters and galaxies are measured by.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// Bodies as the functions below see them, each [N]. Where nothing has mass all bodies count alike; else those without
/// mass count nowhere, and those that are nowhere (not finite) never do.
struct ParticleState {
  std::span<const double> mass;
  const Vectors &position, &velocity;  ///< velocities may be empty, but for a rotation curve
};

Vec3 center_of_mass(const ParticleState& state);
/// Of that centre.
Vec3 drift_of(const ParticleState& state);

/// The virial of all forces, Σ m (x − center)·a, after Clausius: in equilibrium it is −2T of the motion about that
/// centre.
double virial(std::span<const double> mass, const Vectors& position, const Vectors& acceleration, const Vec3& center);

/// Where bodies are densest: the centre of mass of all, then of the nearest four fifths of them to it, again and again,
/// until a tenth of them is left, or twelve if that is more. Up to twelve bodies have their centre of mass.
Vec3 center_of_density(const ParticleState& state);

/// For each share (0 … 1) the distance from `center` of the body with which the mass within comes to that share of all;
/// 0 where there is no body.
std::vector<double> lagrangian_radii(const ParticleState& state, const Vec3& center, std::span<const double> shares);

/// A spherical shell: the geometric mean of its radii, of the innermost the median distance of its bodies; and its mass
/// by its volume. A body that has more mass than all others in the shell together, six at least, but for up to three
/// that have half its mass or more, is `apart` and does not count in the density: its mass is in one place, not spread
/// over the shell.
struct Shell {
  double radius, density;
  std::size_t bodies;                ///< that count
  std::vector<std::size_t> apart{};  ///< the heaviest first
};

/// As many bodies a shell, √N shells but 12 … 40 of them; where they are sparse down to a quarter as many, so that a
/// shell reaches no further out than half as far again as it begins. Bodies all in one place have none.
std::vector<Shell> radial_profile(const ParticleState& state, const Vec3& center);

/// A ring about an axis: the median distance of its bodies from it, the mean of their velocities along the ring, and
/// the root of the mean square about that. Every body counts once, whatever its mass: bodies are tracers of the
/// rotation.
struct Ring {
  double radius, speed, dispersion;
  std::size_t bodies;
};

/// Rings of as many bodies each, 64 or so but 12 … 40 rings, and one a body up to 16; about the axis through `center`
/// along coordinate `axis` (0 x, 1 y, 2 z), as seen by who moves at `drift`; speeds are above 0 where bodies go round
/// it counter-clockwise. Those on the axis are left out.
std::vector<Ring> rotation_curve(const ParticleState& state, const Vec3& center, const Vec3& drift, int axis);

}  // namespace orrery::sim
