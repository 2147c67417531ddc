// SPDX-License-Identifier: MIT
// The smooth model that the bodies of a galaxy are drawn from.
#pragma once

#include <array>

#include "sim/initial_state.hpp"

namespace orrery::sim {

/// An exponential disk, Σ ∝ exp(−R/scale_length) out to `edge`, ρ ∝ sech²(z/height); and Hernquist's bulge,
/// ρ ∝ 1/(r (r + a)³) out to 10 a, where a = bulge_length.
struct GalaxyShape {
  double disk_mass, scale_length, height, edge;
  double bulge_mass, bulge_length;
  double toomre_q;
};

/// Velocities of the disk at some radius: mean speed around the centre, and dispersions.
struct DiskMotion {
  double mean, sigma_R, sigma_phi, sigma_z;
};

/// Velocities of the bulge at some radius: the dispersion of each component, and the v² that reaches the bulge's edge.
struct BulgeMotion {
  double sigma, limit2;
};

class GalaxyModel {
 public:
  GalaxyModel(const GalaxyShape& shape, const Environment& environment);

  /// The radius that contains the fraction u of the component's mass, 0 ≤ u ≤ 1.
  [[nodiscard]] double disk_radius(double u) const;
  [[nodiscard]] double bulge_radius(double u) const;
  /// The height below which lies the fraction u of the disk's mass at any radius; limited to ±5 `height`.
  [[nodiscard]] double disk_height(double u) const;

  [[nodiscard]] double surface_density(double R) const;
  /// v² of a circular orbit in the plane, and its squared epicyclic frequency.
  [[nodiscard]] double circular_speed2(double R) const;
  [[nodiscard]] double epicyclic_frequency2(double R) const;

  [[nodiscard]] DiskMotion disk_motion(double R) const;
  [[nodiscard]] BulgeMotion bulge_motion(double r) const;

 private:
  static constexpr std::size_t points = 201;  ///< of a table, from 0 to the edge
  using Table = std::array<double, points>;
  static constexpr int shells = 100;  ///< of equal mass, whose pull is that of the bulge

  [[nodiscard]] double disk_pull(double R) const;
  [[nodiscard]] double bulge_pull(double r) const;
  [[nodiscard]] Vec3 field_pull(double R, double z) const;
  [[nodiscard]] double disk_share(double R) const;
  void tabulate_speeds();
  void tabulate_bulge();

  GalaxyShape shape_;
  Environment environment_;
  double within_edge_;                     ///< mass fraction of the infinite disk within `edge`
  std::array<double, shells> shells_{};    ///< radii
  Table speed2_{};                         ///< at R = k·edge/(points − 1)
  Table bulge_sigma2_{}, bulge_limit2_{};  ///< at r = bulge edge · (k/(points − 1))²
  double thin_ = 1;                        ///< reduction of the disk's own vertical force by softening
};

}  // namespace orrery::sim
