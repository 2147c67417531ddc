// SPDX-License-Identifier: MIT
// Of the figure "phase": a coordinate of one body, and how fast it changes.
#include <cmath>

#include "pipeline/pictures/series.hpp"

namespace orrery::pipeline {
namespace {

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::size_t body = body_meant(request, "body", text_of(*request.keys->find("body")));
  const std::string& coordinate = request.keys->text("coordinate");
  std::vector<render::Series> all = empty_series({name_of(request.cast, body)}, 2);
  if (request.trajectory == nullptr) return all;
  ask_for_velocities(request);
  each_snapshot(*request.trajectory, [&](const sim::Snapshot& at) {
    const double x = at.position.x[body], y = at.position.y[body], z = at.position.z[body];
    const double u = at.velocity.x[body], v = at.velocity.y[body], w = at.velocity.z[body];
    // From the origin itself whatever moves goes outwards.
    const double r = std::hypot(x, y, z), outwards = r > 0 ? (x * u + y * v + z * w) / r : std::hypot(u, v, w);
    all[0].time.push_back(at.time);
    all[0].values[0].push_back(coordinate == "x" ? x : coordinate == "y" ? y : coordinate == "z" ? z : r);
    all[0].values[1].push_back(coordinate == "x" ? u : coordinate == "y" ? v : coordinate == "z" ? w : outwards);
  });
  return all;
}

}  // namespace

extern const SeriesKind phase_series{"phase", make};

}  // namespace orrery::pipeline
