// SPDX-License-Identifier: MIT
// An integrator is a sentence of a backend's verbs that describes itself; the list of all integrators.
#pragma once

#include <span>
#include <string_view>

#include "sim/backend.hpp"

namespace orrery::sim {

/// A column that an integrator uses besides position, velocity and acceleration.
struct OwnColumn {
  std::string_view name;
  bool persistent;  ///< kept between steps, so part of the state that a run is resumed from
};

struct Integrator {
  std::string_view name;
  std::string_view meaning;
  int order;
  bool symplectic;
  int evaluations;  ///< of the forces in a step
  std::string_view reference;
  std::span<const OwnColumn> columns{};
  bool jerk = false;  ///< uses `accelerate_with_jerk`, which only float64 has
  void (*step)(Backend& bodies, double dt);
};

/// Every integrator, in the order of `orrery list integrator`.
std::span<const Integrator* const> integrators();

}  // namespace orrery::sim
