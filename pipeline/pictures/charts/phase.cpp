// SPDX-License-Identifier: MIT
// Figure "phase": two columns of bodies against each other, by default a coordinate and its rate of change.
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 4> coordinates{"x", "y", "z", "r"};

/// What an axis can show; "v" is the speed.
constexpr std::array<std::string_view, 9> columns{"x", "y", "z", "r", "vx", "vy", "vz", "vr", "v"};

constexpr std::array parameters{
    render::optional_key("body", Kind::number_or_text, "\"0\"",
                         "body, by name, number from 0 or range, \"0:9\"; default: body 0"),
    render::bodies_key("several bodies, by name or number from 0, at most 13; replaces `body`"),
    render::choice_key("coordinate", "\"x\"", coordinates,
                       "coordinate, whose rate of change is the other axis; r is the distance from the origin"),
    render::choice_key("x", "", columns,
                       "horizontal axis: a coordinate, its rate of change, or the speed v; default: `coordinate`"),
    render::choice_key("y", "", columns, "vertical axis; default: the rate of change of `coordinate`"),
    others_parameter,
};

std::vector<std::size_t> bodies_of(const ChartRequest& request) {
  const Value* body = request.keys->find("body");
  if (!render::chooses_bodies(request.keys.values()))
    return {body != nullptr ? body_named(request, "body", text_of(*body)) : std::size_t{0}};
  if (body != nullptr && text_of(*body) != "0")  // the default, which may be written out
    request.keys.complain("body", "`body` and `bodies` exclude each other: remove one");
  return selected_bodies(request, render::different_marks);
}

/// The value of a column for a body at this position and velocity.
double value_of(std::string_view column, const render::Place& x, const render::Place& v) {
  if (column == "v") return render::length(v);
  const bool rate = column.size() == 2;
  const char axis = column.back();
  if (axis != 'r') return (rate ? v : x)[static_cast<std::size_t>(axis - 'x')];
  const double r = render::length(x);
  if (!rate) return r;
  return r > 0 ? render::dot(x, v) / r : render::length(v);  // at the origin any motion is outwards
}

/// Its name on an axis: "dx/dt" is how mechanics writes vx.
ChartAxis axis_of(const render::RunInfo& info, std::string_view column, const std::string& whose) {
  const bool length = column.size() == 1 && column != "v";
  const std::string name = column.size() == 2 ? fmt::format("d{}/dt", column.back()) : std::string(column);
  if (!length) return {.name = name + whose, .unit = info.speed_unit};
  const render::ShownUnit unit = shown_length(info);
  return {.name = name + whose, .unit = unit.name, .unit_length = unit.length};
}

std::vector<Chart> make(const ChartRequest& request) {
  const std::vector<std::size_t> bodies = bodies_of(request);
  const std::string& coordinate = request.keys->text("coordinate");
  const auto column = [&](const char* key, const std::string& usual) {
    return request.keys->has(key) ? request.keys->text(key) : usual;
  };
  const std::string across = column("x", coordinate), up = column("y", "v" + coordinate);
  Chart chart{.curves = curves_of_bodies(request.info, bodies)};
  const std::string whose = bodies.size() > 1 ? "" : " of " + std::exchange(chart.curves.front().name, "");
  chart.x = axis_of(request.info, across, whose);
  chart.y = axis_of(request.info, up, "");
  if (request.trajectory == nullptr) return {chart};
  std::vector<render::Way> ways(bodies.size());
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          const std::size_t i = bodies[k];
          const render::Place x{at.position.x[i], at.position.y[i], at.position.z[i]};
          const render::Place v{at.velocity.x[i], at.velocity.y[i], at.velocity.z[i]};
          add_moment(ways[k], request.info.bounds, at.time, x, &v);
          chart.curves[k].x.push_back(value_of(across, x, v));
          add_point(chart.curves[k], at.time, value_of(up, x, v));
        }
      },
      request.max_rows);
  chart.remark = separate(chart.curves, ways, request.info.bounds);
  return {chart};
}

}  // namespace

extern const ChartKind phase_chart{
    .figure = render::chart_figure(
        "phase", "rate of change of a coordinate over that coordinate, or any two columns, body by body", parameters),
    .make = make,
    .velocities = true,
    .joined = true};

}  // namespace orrery::pipeline
