// SPDX-License-Identifier: MIT
// The smooth model that the bodies of a galaxy are drawn from.
#pragma once

#include <array>
#include <optional>

#include "sim/initial_state.hpp"
#include "sim/models/spherical_model.hpp"
#include "sim/sampler.hpp"

namespace orrery::sim {

/// Hernquist's sphere of that mass and scale length a: ρ ∝ sech(r/10 a)/(r (r + a)³).
SphericalDensity hernquist_density(double mass, double a);

/// An exponential disk, Σ ∝ exp(−R/scale_length) out to `edge`, ρ ∝ sech²(z/height); and
/// Hernquist's bulge of the scale length bulge_length.
struct GalaxyShape {
  double disk_mass, scale_length, height, edge;
  double bulge_mass, bulge_length;
  double toomre_q;
};

/// Velocities of the disk at some radius: mean speed around the centre, and dispersions.
struct DiskMotion {
  double mean, sigma_R, sigma_phi, sigma_z;
};

class GalaxyModel {
 public:
  static constexpr int layers = 8;  ///< of equal mass on either side of the plane, by which the disk has its thickness

  /// In equilibrium in the fields of the environment and among its companions. Throws ArgumentError if there is none.
  GalaxyModel(const GalaxyShape& shape, const Environment& environment);

  /// The mass within a radius, that of the disk averaged over the sphere.
  static MassProfile enclosed_mass(const GalaxyShape& shape);

  /// The radius that contains the fraction u of the disk's mass, 0 ≤ u ≤ 1.
  [[nodiscard]] double disk_radius(double u) const;
  /// The height below which lies the fraction u of the disk's mass at any radius; limited to ±5 `height`.
  [[nodiscard]] double disk_height(double u) const;

  [[nodiscard]] double surface_density(double R) const;
  /// v² of a circular orbit for the inward pull averaged over the disk's height, and its squared epicyclic frequency.
  [[nodiscard]] double circular_speed2(double R) const;
  [[nodiscard]] double epicyclic_frequency2(double R) const;
  /// The time of a rotation at two scale lengths; 0 without forces.
  [[nodiscard]] double rotation() const;

  [[nodiscard]] DiskMotion disk_motion(double R) const;
  /// The bulge, in equilibrium in the whole potential, averaged over the sphere. Only if it has a share of the mass.
  [[nodiscard]] const SphericalModel& bulge() const { return *bulge_; }

 private:
  static constexpr std::size_t points = 201;  ///< of a table, from 0 to the edge
  using Table = std::array<double, points>;

  [[nodiscard]] double disk_pull(double R) const;
  [[nodiscard]] double sphere_pull(double r) const;
  [[nodiscard]] Vec3 field_pull(double R, double z) const;
  void tabulate_speeds();

  GalaxyShape shape_;
  Environment environment_;
  double within_edge_;                     ///< mass fraction of the infinite disk within `edge`
  std::optional<SphericalModel> bulge_{};  ///< none without mass
  double reach_;                           ///< of the next table
  Table sphere_pull_{};  ///< inward acceleration by bulge and companions at r = k·reach/(points − 1)
  Table speed2_{};       ///< at R = k·edge/(points − 1)
  std::array<double, layers> separations_{};  ///< along z, of pairs of bodies in the disk, in groups of equal size
  double thin_ = 1;                           ///< reduction of the disk's own vertical force by softening
};

}  // namespace orrery::sim
