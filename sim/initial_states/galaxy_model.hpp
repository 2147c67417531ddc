// SPDX-License-Identifier: MIT
// The smooth galaxy that bodies are drawn from: where its mass is, how it pulls, and how its bodies move.
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

/// How bodies of the disk move at some radius: mean speed around the centre, and dispersions.
struct DiskMotion {
  double mean, sigma_R, sigma_phi, sigma_z;
};

/// How bodies of the bulge move at some radius: the dispersion of each component, and the v² that would carry
/// one to the bulge's edge.
struct BulgeMotion {
  double sigma, limit2;
};

class GalaxyModel {
 public:
  GalaxyModel(const GalaxyShape& shape, const Environment& environment);

  /// Within these radii lies the share u of the component's mass, 0 ≤ u ≤ 1.
  [[nodiscard]] double disk_radius(double u) const;
  [[nodiscard]] double bulge_radius(double u) const;
  /// Below this height lies the share u of the disk's mass at any radius; heights end at ±5 `height`.
  [[nodiscard]] double disk_height(double u) const;

  /// Surface density of the disk.
  [[nodiscard]] double surface_density(double R) const;
  /// v² of a circular orbit in the plane, and the square of its epicyclic frequency.
  [[nodiscard]] double circular_speed2(double R) const;
  [[nodiscard]] double epicyclic_frequency2(double R) const;

  [[nodiscard]] DiskMotion disk_motion(double R) const;
  [[nodiscard]] BulgeMotion bulge_motion(double r) const;

 private:
  static constexpr std::size_t points = 201;  ///< of a table: from 0 to the edge
  using Table = std::array<double, points>;

  [[nodiscard]] double disk_pull(double R) const;
  [[nodiscard]] double bulge_pull(double r) const;
  [[nodiscard]] Vec3 field_pull(double R, double z) const;
  [[nodiscard]] double disk_share(double R) const;
  void tabulate_speeds();
  void tabulate_bulge();

  GalaxyShape shape_;
  Environment environment_;
  Table speed2_{};                         ///< at R = k·edge/(points − 1)
  Table bulge_sigma2_{}, bulge_limit2_{};  ///< at r = bulge edge · (k/(points − 1))²
  double thin_ = 1;                        ///< by how much softening weakens the disk's pull on itself along z
};

}  // namespace orrery::sim
