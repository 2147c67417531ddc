// SPDX-License-Identifier: MIT
// Figure "sky": paths of bodies across the sky of another one.
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/seen_from.hpp"
#include "render/chart/marks.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 2> coordinates{"ecliptic", "equatorial"};

constexpr std::array parameters{
    from_parameter,
    render::bodies_key(
        "bodies that are shown, by name, number from 0 or range, \"0:9\", at most 13; default: all others"),
    render::choice_key(
        "coordinates", "\"ecliptic\"", coordinates,
        "longitude and latitude to the xy plane; equatorial: right ascension and declination of J2000, if "
        "that is the plane of the ecliptic"),
    others_parameter,
};

/// Degrees: longitude in [0, 360), or [−180, 180); latitude.
struct Direction {
  double longitude, latitude;
};

Direction direction_of(const render::Place& r) {
  const double degrees = 180 / sim::pi, longitude = std::atan2(r[1], r[0]) * degrees;
  return {longitude < 0 ? longitude + 360 : longitude, std::atan2(r[2], std::hypot(r[0], r[1])) * degrees};
}

/// Appends a point; where a path crosses the edge of the chart, from 360° to 0° or back, it ends and begins again.
void add_direction(Curve& curve, double time, const Direction& to) {
  if (!curve.x.empty() && std::abs(curve.x.back() - to.longitude) > 180) {
    curve.x.push_back(std::nan(""));
    add_point(curve, time, std::nan(""));
  }
  curve.x.push_back(to.longitude);
  add_point(curve, time, to.latitude);
}

std::vector<Chart> make(const ChartRequest& request) {
  const std::size_t from = observer(request);
  const std::vector<std::size_t> bodies = seen_from(request, from, render::different_marks);
  if (bodies.empty()) request.keys.complain("bodies", "there is no body except the one they are seen from");
  const bool equatorial = request.keys->text("coordinates") == "equatorial";
  Chart chart{.curves = curves_of_bodies(request.info, bodies)};
  const std::string whose = bodies.size() > 1 ? "" : " of " + std::exchange(chart.curves.front().name, "");
  chart.x = {.name = (equatorial ? "right ascension" : "longitude") + whose, .unit = "°"};
  chart.y = {.name = equatorial ? "declination" : "latitude", .unit = "°"};
  chart.title = "seen from " + name_of(request.info, from);
  if (request.trajectory == nullptr) return {chart};
  std::vector<render::Way> ways(bodies.size());
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          Sight seen = sight(request.info, at, from, bodies[k]);
          add_moment(ways[k], {}, at.time, seen.r, at.velocity.x.empty() ? nullptr : &seen.v);
          if (equatorial) {
            const sim::Vec3 v = sim::equatorial_of_ecliptic({seen.r[0], seen.r[1], seen.r[2]});
            seen.r = {v.x, v.y, v.z};
          }
          add_direction(chart.curves[k], at.time, direction_of(seen.r));
        }
      },
      request.max_rows);
  chart.remark = separate(chart.curves, ways, {}, 0.05);
  return {chart};
}

}  // namespace

extern const ChartKind sky_chart{
    .figure = render::chart_figure("sky", "paths of bodies across the sky of another one, in longitude and latitude",
                                   parameters),
    .make = make,
    .joined = true};

}  // namespace orrery::pipeline
