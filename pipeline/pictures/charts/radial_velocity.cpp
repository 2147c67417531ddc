// SPDX-License-Identifier: MIT
// Figure "radial-velocity": velocities of bodies along a line of sight.
#include <array>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/seen_from.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    render::bodies_key("bodies, by name, number from 0 or range, \"0:9\", at most 13; default: the heaviest"),
    line_of_sight_key("[x, y, z] from the observer to the bodies: what recedes has a positive velocity"),
    others_parameter,
};

std::vector<Chart> make(const ChartRequest& request) {
  const render::Place sight = line_of_sight(request);
  const std::vector<std::size_t> bodies = chosen_or_heaviest(request, render::different_marks);
  std::vector<Curve> curves = curves_of_bodies(request.info, bodies);
  std::vector<render::Way> ways(bodies.size());
  std::string unseen;
  if (request.trajectory != nullptr) {
    each_snapshot(
        request,
        [&](const sim::Snapshot& at) {
          for (std::size_t k = 0; k < bodies.size(); ++k) {
            const std::size_t i = bodies[k];
            const render::Place v{at.velocity.x[i], at.velocity.y[i], at.velocity.z[i]};
            add_moment(ways[k], request.info.bounds, at.time, {at.position.x[i], at.position.y[i], at.position.z[i]},
                       &v);
            add_point(curves[k], at.time, render::dot(v, sight));
          }
        },
        request.max_rows);
    unseen = separate(curves, ways, request.info.bounds);
  }
  ChartAxis y{.name = "radial velocity", .unit = request.info.speed_unit};
  if (curves.size() == 1) y.name += " of " + std::exchange(curves.front().name, "");
  Chart chart = chart_over_time(request.info, std::move(y), std::move(curves));
  chart.remark = unseen;
  return {chart};
}

}  // namespace

extern const ChartKind radial_velocity_chart{
    .figure = render::chart_figure("radial-velocity", "velocity of bodies along a line of sight over time", parameters),
    .make = make,
    .velocities = true,
    .joined = true};

}  // namespace orrery::pipeline
