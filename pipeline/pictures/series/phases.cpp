// SPDX-License-Identifier: MIT
// Of the figure "phase": a coordinate of one body, and how fast it changes.
#include <cmath>

#include "pipeline/pictures/series.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t most_bodies = 13;

std::vector<std::size_t> bodies_of(const SeriesRequest& request) {
  const Value* body = request.keys->find("body");
  if (!request.keys->has("bodies"))
    return {body != nullptr ? body_meant(request, "body", text_of(*body)) : std::size_t{0}};
  if (body != nullptr && text_of(*body) != "0")  // which was once written out where nothing was said
    request.keys.complain("body", "`bodies` say whose phases are drawn: leave one of them out");
  return bodies_meant(request, most_bodies);
}

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::vector<std::size_t> bodies = bodies_of(request);
  const std::string& coordinate = request.keys->text("coordinate");
  std::vector<std::string> names;
  for (const std::size_t body : bodies) names.push_back(name_of(request.info, body));
  std::vector<render::Series> all = empty_series(names, 2);
  for (std::size_t k = 0; k < bodies.size(); ++k) all[k].bodies = {bodies[k]};
  if (request.trajectory == nullptr) return all;
  each_snapshot(*request.trajectory, [&](const sim::Snapshot& at) {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const std::size_t body = bodies[k];
      const double x = at.position.x[body], y = at.position.y[body], z = at.position.z[body];
      const double u = at.velocity.x[body], v = at.velocity.y[body], w = at.velocity.z[body];
      // From the origin itself whatever moves goes outwards.
      const double r = std::hypot(x, y, z), outwards = r > 0 ? (x * u + y * v + z * w) / r : std::hypot(u, v, w);
      all[k].time.push_back(at.time);
      all[k].values[0].push_back(coordinate == "x" ? x : coordinate == "y" ? y : coordinate == "z" ? z : r);
      all[k].values[1].push_back(coordinate == "x" ? u : coordinate == "y" ? v : coordinate == "z" ? w : outwards);
    }
  });
  return all;
}

}  // namespace

extern const SeriesKind phase_series{.figure = "phase", .make = make, .velocities = true};

}  // namespace orrery::pipeline
