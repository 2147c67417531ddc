// SPDX-License-Identifier: MIT
// The list of initial states: one include and one entry each.
#include "sim/initial_state.hpp"

#include "sim/initial_states/figure_eight.hpp"
#include "sim/initial_states/galaxy.hpp"
#include "sim/initial_states/lagrange_triangle.hpp"
#include "sim/initial_states/random_cube.hpp"
#include "sim/initial_states/table.hpp"
#include "sim/initial_states/two_body.hpp"

namespace orrery::sim {

std::span<const InitialState* const> initial_states() {
  static constexpr const InitialState* list[] = {
      &two_body, &lagrange_triangle, &figure_eight, &random_cube, &galaxy, &table,
  };
  return list;
}

void recentre(Bodies& bodies) {
  double total = 0;
  for (const double m : bodies.mass) total += m;
  if (!(total > 0)) return;
  for (Vectors* v : {&bodies.position, &bodies.velocity}) {
    for (auto* axis : {&v->x, &v->y, &v->z}) {
      double moment = 0;
      for (std::size_t i = 0; i < bodies.size(); ++i) moment += bodies.mass[i] * (*axis)[i];
      for (double& value : *axis) value -= moment / total;
    }
  }
}

}  // namespace orrery::sim
