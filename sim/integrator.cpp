// SPDX-License-Identifier: MIT
#include "sim/integrator.hpp"

#include <algorithm>

#include "sim/integrators/hermite4.hpp"
#include "sim/integrators/ias15.hpp"
#include "sim/integrators/langevin.hpp"
#include "sim/integrators/rk4.hpp"
#include "sim/integrators/rk45.hpp"
#include "sim/integrators/splitting.hpp"

namespace orrery::sim {

void add_requirements(System& system, const Integrator& integrator) {
  system.scratch_columns = std::max(system.scratch_columns, static_cast<int>(integrator.columns.size()));
  system.jerk = system.jerk || integrator.jerk;
  system.bath = system.bath || integrator.bath;
  system.integrator = integrator.name;
}

std::span<const Integrator* const> integrators() {
  static constexpr const Integrator* list[] = {
      &symplectic_euler, &leapfrog, &leapfrog_dkd, &ruth3, &yoshida4, &forest_ruth, &pefrl,
      &yoshida6,         &yoshida8, &rk4,          &rk45,  &hermite4, &ias15,       &langevin,
  };
  return list;
}

}  // namespace orrery::sim
