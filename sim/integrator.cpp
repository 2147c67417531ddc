// SPDX-License-Identifier: MIT
// The list of integrators: one include and one entry each.
#include "sim/integrator.hpp"

#include "sim/integrators/leapfrog.hpp"
#include "sim/integrators/leapfrog_dkd.hpp"
#include "sim/integrators/symplectic_euler.hpp"
#include "sim/integrators/yoshida4.hpp"

namespace orrery::sim {

std::span<const Integrator* const> integrators() {
  static constexpr const Integrator* list[] = {
      &symplectic_euler,
      &leapfrog,
      &leapfrog_dkd,
      &yoshida4,
  };
  return list;
}

}  // namespace orrery::sim
