// SPDX-License-Identifier: MIT
// Figure "escapers": the share of the mass that is not bound.
#include <array>

#include "pipeline/pictures/charts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{about_parameter, others_parameter};

std::vector<Chart> make(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  if (!(request.physics.G > 0))
    request.keys.complain("kind", "bodies that do not attract each other by mass are not bound");
  if (request.stored.bodies != info.mass.size())
    request.keys.complain("kind",
                          "frames store only some bodies, and all of them bind: the run must be without "
                          "`bodies`, `bodies_every` and `components` in [trajectory]");
  Curve curve;
  const auto add = [&](const sim::Snapshot& at) {
    const sim::ParticleState state{info.mass, at.position, at.velocity};
    const double share =
        sim::unbound_share(state, center_of(request, at), sim::mean_velocity(state), request.physics.G);
    add_point(curve, at.time, 100 * share);
  };
  if (request.trajectory != nullptr) each_snapshot(request, add, max_sorted_frames(request));
  return {chart_over_time(info, {.name = "unbound mass", .unit = "%"}, {std::move(curve)})};
}

}  // namespace

extern const ChartKind escapers_chart{
    .figure = render::chart_figure("escapers",
                                   "share of the mass that is not bound in the potential of all bodies, averaged over "
                                   "directions, over time; without external fields",
                                   parameters),
    .make = make,
    .velocities = true};

}  // namespace orrery::pipeline
