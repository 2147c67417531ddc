// SPDX-License-Identifier: MIT
// Structure of clusters and galaxies: centres, radial distribution of mass, and rotation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// Bodies, [N] each. The functions below weight bodies by mass, or all alike if none has mass, and ignore bodies whose
/// position is not finite.
struct ParticleState {
  std::span<const double> mass;
  const Vectors &position, &velocity;  ///< velocities may be empty, except for mean_velocity and rotation_curve
};

Vec3 center_of_mass(const ParticleState& state);
/// The velocity of the centre of mass.
Vec3 mean_velocity(const ParticleState& state);

/// The virial of all forces, Σ m (x − center)·a (Clausius): in equilibrium −2T of the motion about that centre.
double virial(std::span<const double> mass, const Vectors& position, const Vectors& acceleration, const Vec3& center);

/// The position of the highest density: the centre of mass of all bodies, then of the nearest four fifths of them,
/// repeatedly, until a tenth of them or twelve are left, whichever is more.
Vec3 center_of_density(const ParticleState& state);

/// For each share (0 … 1) the smallest distance from `center` within which that share of the mass lies; 0 if there are
/// no bodies.
std::vector<double> lagrangian_radii(const ParticleState& state, const Vec3& center, std::span<const double> shares);

/// A spherical shell: the geometric mean of its radii (of the innermost, the median distance of its bodies) and its
/// density. A body with more mass than all others in the shell together (at least six), not counting up to three others
/// with at least half its mass, is `apart` and excluded from the density, because its mass is not spread over the
/// shell.
struct Shell {
  double radius, density;
  std::size_t bodies;                ///< included in the density
  std::vector<std::size_t> apart{};  ///< indices, by decreasing mass
};

/// √N shells, but 12 … 40, of equally many bodies; in sparse regions down to a quarter as many, so that the outer
/// radius of a shell is at most 1.5 times the inner one. Empty if all bodies are in one place. O(N log N).
std::vector<Shell> radial_profile(const ParticleState& state, const Vec3& center);

/// A spherical shell of bodies, which count equally: their median distance, and the dispersion of their velocities along the radius and
/// across it, for one of two directions: σ_t² = (⟨v²⟩ − ⟨v_r²⟩)/2, in which rotation is included.
struct Dispersion {
  double radius, radial, tangential;
  std::size_t bodies;

  /// β = 1 − σ_t²/σ_r² (Binney & Tremaine 2008, eq. 4.61): 1 for radial orbits, 0 for isotropic ones, −∞ for circles.
  [[nodiscard]] double anisotropy() const { return 1 - tangential * tangential / (radial * radial); }
};

/// Shells of about 64 bodies each, but 8 … 40 shells, none if there are fewer than 16 bodies; velocities are relative to `drift`. O(N log N).
std::vector<Dispersion> dispersion_profile(const ParticleState& state, const Vec3& center, const Vec3& drift);

/// The share of the mass that could leave: bodies whose kinetic energy relative to `drift` exceeds −φ in the potential of all, averaged
/// over directions about `center`: φ(r) = −G (M(<r)/r + ∫ dM/r beyond r). O(N log N).
double unbound_share(const ParticleState& state, const Vec3& center, const Vec3& drift, double G);

/// A ring about an axis: the median distance of its bodies, the mean of their velocities along the ring, and the
/// standard deviation of these. Bodies have equal weight, as tracers of the rotation.
struct Ring {
  double radius, speed, dispersion;
  std::size_t bodies;
};

/// Rings of about 64 bodies each, but 12 … 40 rings; up to 16 bodies, one ring per body. The axis goes through `center`
/// along coordinate `axis` (0 x, 1 y, 2 z); velocities are relative to `drift`, and positive if counter-clockwise.
/// Bodies on the axis are left out. O(N log N).
std::vector<Ring> rotation_curve(const ParticleState& state, const Vec3& center, const Vec3& drift, int axis);

}  // namespace orrery::sim
