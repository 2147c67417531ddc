// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
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

/// The energy of a run at its start, to which all its energy errors refer.
struct InitialEnergy {
  double kinetic = 0, potential = 0;

  InitialEnergy() = default;
  InitialEnergy(double kinetic_, double potential_) : kinetic(kinetic_), potential(potential_) {}
  InitialEnergy(const Observables& first) : InitialEnergy(first.kinetic_energy, first.potential_energy) {}

  [[nodiscard]] double total() const { return kinetic + potential; }
  /// Whether E₀ is a small difference of K₀ and |U₀|, as for bodies that just escape. Then its size says nothing about
  /// that of an error, and may be rounding alone.
  [[nodiscard]] bool cancels() const { return magnitude(total()) <= 1e-4 * parts(); }
  /// What errors are relative to: |E₀|, K₀ + |U₀| if E₀ cancels, or 0 if there is no energy.
  [[nodiscard]] double scale() const { return cancels() ? parts() : magnitude(total()); }
  /// (E − E₀)/scale(), or E − E₀ if that is 0.
  [[nodiscard]] double error(double energy) const {
    return scale() > 0 ? (energy - total()) / scale() : energy - total();
  }
  /// The names of that number and of its magnitude.
  [[nodiscard]] std::string_view error_name() const {
    return !(scale() > 0) ? "ΔE" : cancels() ? "ΔE/(K₀+|U₀|)" : "ΔE/|E₀|";
  }
  [[nodiscard]] std::string_view magnitude_name() const {
    return !(scale() > 0) ? "|ΔE|" : cancels() ? "|ΔE|/(K₀+|U₀|)" : "|ΔE|/|E₀|";
  }
  friend bool operator==(const InitialEnergy&, const InitialEnergy&) = default;

 private:
  static double magnitude(double x) { return x < 0 ? -x : x; }
  [[nodiscard]] double parts() const { return kinetic + magnitude(potential); }
};

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
/// persistent scratch columns in their order.
struct Snapshot {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity;
  std::vector<Vectors> columns;
  /// Image counts: x + image·length is the unwrapped coordinate along a periodic axis. Empty if no axis is periodic.
  Vectors image{};
  Clock clock;
  Observables observables;
  Extremes extremes{};                 ///< of the sampled states since the last row
  Approach closest{};                  ///< of this state, if it was read back
  EnergyViolation energy_violation{};  ///< first one so far

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

}  // namespace orrery::sim
