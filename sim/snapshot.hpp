// SPDX-License-Identifier: MIT
// One moment of a run, the whole truth of it: enough to go on from here and get the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/bodies.hpp"
#include "sim/extremes.hpp"

namespace orrery::sim {

/// What is measured of the whole system. Momentum is Σ m v, angular momentum Σ m x × v about the origin. The virial is that of
/// the pair forces, Σ over pairs of F_ij·(x_i − x_j) by nearest images, where they have a cutoff; else 0.
struct Observables {
  double kinetic_energy = 0;
  double potential_energy = 0;
  Vec3 momentum, angular_momentum, center_of_mass;
  double virial = 0;

  [[nodiscard]] double total_energy() const { return kinetic_energy + potential_energy; }
  friend bool operator==(const Observables&, const Observables&) = default;
};

/// (E − E₀)/|E₀|, or E where E₀ is 0.
inline double energy_error(double energy, double first) {
  return first == 0 ? energy : (energy - first) / (first < 0 ? -first : first);
}

/// A total energy, or 0 where it is little more than the rounding of its two parts, as of bodies that just escape: no error is to
/// be judged in proportion to it.
inline double unless_rounding(double kinetic, double potential) {
  const double total = kinetic + potential, parts = kinetic + (potential < 0 ? -potential : potential);
  return (total < 0 ? -total : total) > 1e-12 * parts ? total : 0;
}

/// Where an integrator that chooses its steps itself stands: the step that it took last begins at `begin` + `rest`, which
/// is at or before what is shown, and ends beyond. The beginning is a sum of two so that no rounding adds up.
struct Clock {
  double begin = 0, rest = 0;
  double length = 0;             ///< of that step, falling with time where time falls; 0 before the first
  double next = 0;               ///< the length to try after it; 0 before the first
  std::int64_t steps = 0;        ///< taken so far,
  std::int64_t refused = 0;      ///< tried in vain, and
  std::int64_t evaluations = 0;  ///< of the forces in all of them; those for what is shown between steps do not count

  /// Where the last step ends.
  [[nodiscard]] double end() const { return begin + (rest + length); }
  friend bool operator==(const Clock&, const Clock&) = default;
};

/// The state after `step` steps of the scenario's dt. `columns` are those an integrator keeps between steps, in the order
/// it declares them.
struct Snapshot {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity;
  std::vector<Vectors> columns;
  /// How many lengths of the domain each body was moved down, as whole numbers: x + image·length is where it would be had it gone
  /// straight on. No entries where no axis is joined.
  Vectors image{};
  Clock clock;
  Observables observables;
  Extremes extremes{};  ///< of the states since the last row that were drawn to be met; none where they are not watched
  Excursion excursion{};  ///< of the energy, so far

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

}  // namespace orrery::sim
