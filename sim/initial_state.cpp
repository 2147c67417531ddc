// SPDX-License-Identifier: MIT
#include "sim/initial_state.hpp"

#include "sim/initial_states/list.hpp"

namespace orrery::sim {

std::span<const InitialState* const> initial_states() {
  static const auto list = [] {
    std::vector<const InitialState*> all{&two_body, &lagrange_triangle};
    for (const InitialState& orbit : collinear_orbits) all.push_back(&orbit);
    for (const InitialState* other :
         {&pythagorean, &arenstorf, &outer_solar_system, &solar_system, &random_cube, &uniform_sphere, &plummer, &king,
          &isochrone, &hernquist, &dehnen, &nfw, &galaxy, &galaxy_pair, &short_range_box, &lattice, &table}) {
      all.push_back(other);
    }
    return all;
  }();
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
