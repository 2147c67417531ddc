// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sim/bodies.hpp"
#include "sim/extremes.hpp"

namespace orrery::sim {

/// Quantities of the whole system. Angular momentum is Σ m x × v about the origin. The virial is that of pair forces
/// with a cutoff, Σ over pairs of F_ij·(x_i − x_j) by nearest images; else 0.
struct Observables {
  double kinetic_energy = 0;
  double potential_energy = 0;
  Vec3 momentum, angular_momentum, center_of_mass;
  double virial = 0;

  [[nodiscard]] double total_energy() const { return kinetic_energy + potential_energy; }
  friend bool operator==(const Observables&, const Observables&) = default;
};

/// (E − E₀)/|E₀|, or E if E₀ = 0.
inline double energy_error(double energy, double first) {
  return first == 0 ? energy : (energy - first) / (first < 0 ? -first : first);
}

/// The total energy, or 0 if it is comparable to the rounding of its parts, as for bodies that just escape, so that
/// relative errors have no meaning.
inline double significant_energy(double kinetic, double potential) {
  const double total = kinetic + potential, parts = kinetic + (potential < 0 ? -potential : potential);
  return (total < 0 ? -total : total) > 1e-12 * parts ? total : 0;
}

/// State of an adaptive integrator: its last step begins at `begin` + `rest` (a compensated sum), at or before the
/// output time, and ends at or after it.
struct Clock {
  double begin = 0, rest = 0;
  double length = 0;             ///< of the last step, negative when integrating backward; 0 before the first
  double next = 0;               ///< length to try next; 0 before the first
  std::int64_t steps = 0;        ///< accepted steps
  std::int64_t refused = 0;      ///< rejected attempts
  std::int64_t evaluations = 0;  ///< of the forces in all of them, without those for output between steps

  [[nodiscard]] double end() const { return begin + (rest + length); }
  friend bool operator==(const Clock&, const Clock&) = default;
};

/// The state after `step` steps of dt, complete enough to continue with the same bits. `columns` are the integrator's
/// persistent work vectors in their order.
struct Snapshot {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity;
  std::vector<Vectors> columns;
  /// Image counts: x + image·length is the unwrapped coordinate along a periodic axis. Empty if no axis is periodic.
  Vectors image{};
  Clock clock;
  Observables observables;
  Extremes extremes{};    ///< of the sampled states since the last row
  Excursion excursion{};  ///< first one so far

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

}  // namespace orrery::sim
