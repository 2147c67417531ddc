// SPDX-License-Identifier: MIT
// What integrators made of kicks and drifts, or of leapfrogs, have in common.
#pragma once

#include <cstddef>

#include "sim/integrators/leapfrog.hpp"

namespace orrery::sim {

/// Leapfrogs of these parts of a step, first to last and, but for the last, back again: order by symmetry.
template <std::size_t n>
void take_leapfrogs(Backend& bodies, const Step& step, const double (&parts)[n]) {
  for (std::size_t k = 0; k < n; ++k) leapfrog.step(bodies, step.part(parts[k]));
  for (std::size_t k = n - 1; k-- > 0;) leapfrog.step(bodies, step.part(parts[k]));
}

/// A kick with the forces at the present positions.
inline void kick_here(Backend& bodies, double dt) {
  bodies.accelerate();
  bodies.kick(dt);
}

}  // namespace orrery::sim
