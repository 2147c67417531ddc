// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace orrery::sim {

/// King's model: f ∝ exp(E/σ²) − 1 within a tidal radius (King 1966, AJ 71, 64; Binney & Tremaine 2008, §4.3.3c). The unit of length
/// is King's core radius r₀ = 3σ/√(4πGρ₀), that of density ρ₀ at the centre. Uses no function of the C library but sqrt.
class KingModel {
 public:
  /// W₀ is the depth of the potential at the centre below that at the tidal radius, in σ².
  explicit KingModel(double W0);

  [[nodiscard]] double density(double x) const;
  /// The tidal radius, where the density ends.
  [[nodiscard]] double tidal_radius() const { return tidal_; }
  [[nodiscard]] double mass() const { return mass_; }

 private:
  [[nodiscard]] double depth(double x) const;

  double W0_, tidal_ = 0, mass_ = 0;
  std::vector<double> W_, slope_;  ///< W and dW/d ln x at nodes equidistant in ln x
};

}  // namespace orrery::sim
