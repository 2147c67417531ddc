// SPDX-License-Identifier: MIT
// Figure "phase": a coordinate of bodies and its rate of change.
#include <array>
#include <cmath>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 4> coordinates{"x", "y", "z", "r"};

constexpr std::array parameters{
    render::optional_key("body", Kind::number_or_text, "\"0\"",
                         "body, by name, number from 0 or range, \"0:9\"; default: body 0"),
    render::bodies_key("several bodies, by name or number from 0, at most 13; replaces `body`"),
    render::choice_key("coordinate", "\"x\"", coordinates, "coordinate; r is the distance from the origin"),
};

std::vector<std::size_t> bodies_of(const ChartRequest& request) {
  const Value* body = request.keys->find("body");
  if (!render::chooses_bodies(request.keys.values()))
    return {body != nullptr ? body_named(request, "body", text_of(*body)) : std::size_t{0}};
  if (body != nullptr && text_of(*body) != "0")  // the default, which may be written out
    request.keys.complain("body", "`body` and `bodies` exclude each other: remove one");
  return selected_bodies(request, render::different_marks);
}

std::vector<Chart> make(const ChartRequest& request) {
  const std::vector<std::size_t> bodies = bodies_of(request);
  const std::string& coordinate = request.keys->text("coordinate");
  Chart chart{.curves = curves_of_bodies(request.info, bodies)};
  const std::string whose = bodies.size() > 1 ? "" : " of " + std::exchange(chart.curves.front().name, "");
  const render::ShownUnit length = shown_length(request.info);
  chart.x = {.name = coordinate + whose, .unit = length.name, .unit_length = length.length};
  chart.y = {.name = "d" + coordinate + "/dt", .unit = request.info.speed_unit};
  if (request.trajectory == nullptr) return {chart};
  std::vector<render::Way> ways(bodies.size());
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          const std::size_t body = bodies[k];
          const double x = at.position.x[body], y = at.position.y[body], z = at.position.z[body];
          const double u = at.velocity.x[body], v = at.velocity.y[body], w = at.velocity.z[body];
          const render::Place velocity{u, v, w};
          add_moment(ways[k], request.info.bounds, at.time, {x, y, z}, &velocity);
          // At the origin any motion is outwards.
          const double r = std::hypot(x, y, z), outwards = r > 0 ? (x * u + y * v + z * w) / r : std::hypot(u, v, w);
          const auto [value, rate] = coordinate == "x"   ? std::pair(x, u)
                                     : coordinate == "y" ? std::pair(y, v)
                                     : coordinate == "z" ? std::pair(z, w)
                                                         : std::pair(r, outwards);
          chart.curves[k].x.push_back(value);
          add_point(chart.curves[k], at.time, rate);
        }
      },
      request.max_rows);
  chart.remark = separate(chart.curves, ways, request.info.bounds);
  return {chart};
}

}  // namespace

extern const ChartKind phase_chart{
    .figure =
        render::chart_figure("phase", "rate of change of a coordinate over that coordinate, body by body", parameters),
    .make = make,
    .velocities = true,
    .joined = true};

}  // namespace orrery::pipeline
