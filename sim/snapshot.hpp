// SPDX-License-Identifier: MIT
// One moment of a run, the whole truth of it: enough to go on from here and get the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// What is measured of the whole system. Momentum is Σ m v, angular momentum Σ m x × v about the origin.
struct Observables {
  double kinetic_energy = 0;
  double potential_energy = 0;
  Vec3 momentum, angular_momentum, center_of_mass;

  [[nodiscard]] double total_energy() const { return kinetic_energy + potential_energy; }
  friend bool operator==(const Observables&, const Observables&) = default;
};

/// The state after `step` steps. `columns` are those an integrator keeps between steps, in the order it declares them.
struct Snapshot {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity;
  std::vector<Vectors> columns;
  Observables observables;

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

}  // namespace orrery::sim
