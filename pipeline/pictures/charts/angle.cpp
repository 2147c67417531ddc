// SPDX-License-Identifier: MIT
// Figure "angle": angles between bodies as seen from another one.
#include <array>
#include <cmath>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/seen_from.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    from_parameter,
    render::bodies_key("bodies between which angles are measured, by name, number from 0 or range, \"0:9\", at most 5; "
                       "default: all others"),
    others_parameter,
};

std::vector<Chart> make(const ChartRequest& request) {
  const std::size_t from = observer(request);
  const std::vector<std::size_t> bodies = seen_from(request, from, 5);
  if (bodies.size() < 2) request.keys.complain("bodies", "an angle needs two bodies besides the one it is seen from");
  const std::vector<BodyPair> pairs = pairs_of(bodies);
  std::vector<Curve> curves = curves_of_pairs(request.info, pairs);
  std::vector<render::Way> first_ways(pairs.size()), second_ways(pairs.size());
  std::string unseen;
  if (request.trajectory != nullptr) {
    each_snapshot(
        request,
        [&](const sim::Snapshot& at) {
          for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [i, j] = pairs[k];
            const Sight a = sight(request.info, at, from, i), b = sight(request.info, at, from, j);
            add_moment(first_ways[k], {}, at.time, a.r, at.velocity.x.empty() ? nullptr : &a.v);
            add_moment(second_ways[k], {}, at.time, b.r, at.velocity.x.empty() ? nullptr : &b.v);
            const double sine = render::length(render::cross(a.r, b.r)), cosine = render::dot(a.r, b.r);
            add_point(curves[k], at.time, std::atan2(sine, cosine) * 180 / sim::pi);
          }
        },
        request.max_rows);
    const std::string of_first = separate(curves, first_ways, {}, 0.05);
    const std::string of_second = separate(curves, second_ways, {}, 0.05);
    unseen = of_first.empty() ? of_second : of_first;
  }
  ChartAxis y{.name = "angle", .unit = "°"};
  if (curves.size() == 1) y.name += " " + std::exchange(curves.front().name, "");
  y.name += " from " + name_of(request.info, from);
  Chart chart = chart_over_time(request.info, std::move(y), std::move(curves));
  chart.remark = unseen;
  return {chart};
}

}  // namespace

extern const ChartKind angle_chart{
    .figure = render::chart_figure("angle", "angle between bodies as seen from another one, over time", parameters),
    .make = make,
    .joined = true};

}  // namespace orrery::pipeline
