// SPDX-License-Identifier: MIT
// Figure "phase": a coordinate of bodies and its rate of change.
#include <cmath>

#include "pipeline/pictures/series.hpp"
#include "render/chart/marks.hpp"
#include "render/chosen.hpp"

namespace orrery::pipeline {
namespace {

std::vector<std::size_t> bodies_of(const SeriesRequest& request) {
  const Value* body = request.keys->find("body");
  if (!render::chooses_bodies(request.keys.values()))
    return {body != nullptr ? body_named(request, "body", text_of(*body)) : std::size_t{0}};
  if (body != nullptr && text_of(*body) != "0")  // the default, which may be written out
    request.keys.complain("body", "`body` and `bodies` exclude each other: remove one");
  return selected_bodies(request, render::different_marks);
}

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::vector<std::size_t> bodies = bodies_of(request);
  const std::string& coordinate = request.keys->text("coordinate");
  std::vector<render::Series> all = series_of_bodies(request.info, bodies, 2);
  if (request.trajectory == nullptr) return all;
  std::vector<render::Way> ways(bodies.size());
  each_snapshot(
      *request.trajectory,
      [&](const sim::Snapshot& at) {
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          const std::size_t body = bodies[k];
          const double x = at.position.x[body], y = at.position.y[body], z = at.position.z[body];
          const double u = at.velocity.x[body], v = at.velocity.y[body], w = at.velocity.z[body];
          const render::Place velocity{u, v, w};
          add_moment(ways[k], request.info.bounds, at.time, {x, y, z}, &velocity);
          // At the origin any motion is outwards.
          const double r = std::hypot(x, y, z), outwards = r > 0 ? (x * u + y * v + z * w) / r : std::hypot(u, v, w);
          add_row(all[k], at.time,
                  {coordinate == "x"   ? x
                   : coordinate == "y" ? y
                   : coordinate == "z" ? z
                                       : r,
                   coordinate == "x"   ? u
                   : coordinate == "y" ? v
                   : coordinate == "z" ? w
                                       : outwards});
        }
      },
      request.most_rows);
  for (std::size_t k = 0; k < bodies.size(); ++k) separate(all[k], ways[k], request.info.bounds);
  return all;
}

}  // namespace

extern const SeriesKind phase_series{.figure = "phase", .make = make, .velocities = true, .joined = true};

}  // namespace orrery::pipeline
