// SPDX-License-Identifier: MIT
// Figure "rotation-curve": rotation speed against the distance from the axis, for each component.
#include <algorithm>
#include <array>

#include "pipeline/pictures/charts.hpp"
#include "render/chart/marks.hpp"
#include "render/figures/shared.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    render::choice_key("plane", "\"xy\"", render::planes, "plane of the rotation, perpendicular to the axis"),
    about_parameter,
    render::bodies_parameter,
};

/// The `bodies` of one component.
std::vector<std::size_t> members_of(const render::RunInfo& info, std::int32_t species,
                                    const std::vector<std::size_t>& bodies) {
  std::vector<std::size_t> members;
  for (const std::size_t i : bodies) {
    if (i >= info.species.size() || info.species[i] == species) members.push_back(i);
  }
  return members;
}

/// The rings of each curve at a moment.
struct Moment {
  double time;
  std::vector<std::vector<sim::Ring>> rings;
};

/// Limits that hold 0 and a value of all rings.
Interval limits_of(const std::vector<Moment>& moments, double sim::Ring::*of) {
  render::ValueRange range{0, 0};
  for (const Moment& moment : moments) {
    for (const auto& rings : moment.rings) {
      for (const sim::Ring& ring : rings) range.add(ring.*of);
    }
  }
  if (range.low == range.high) return {0, 1};
  const double air = 0.06 * (range.high - range.low);
  return {range.low < 0 ? range.low - air : range.low, range.high + air};
}

std::vector<Chart> make(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const std::string& plane = request.keys->text("plane");
  const int axis = plane == "xy" ? 2 : plane == "xz" ? 1 : 0;
  const bool apart = info.components.size() > 1 && info.components.size() <= render::different_marks;
  const std::vector<std::string> names = apart ? info.components : std::vector<std::string>{""};
  const std::vector<std::size_t> bodies = selected_bodies(request, info.mass.size());
  std::vector<Moment> moments;
  const auto add = [&](const sim::Snapshot& at) {
    const sim::ParticleState whole{info.mass, at.position, at.velocity};
    const sim::Vec3 center = center_of(request, at);
    const sim::Vec3 drift = request.keys->text("about") == "origin" ? sim::Vec3{} : sim::mean_velocity(whole);
    Moment& moment = moments.emplace_back(Moment{at.time, {}});
    for (std::size_t k = 0; k < names.size(); ++k) {
      const SomeBodies part(request, at, apart ? members_of(info, static_cast<std::int32_t>(k), bodies) : bodies);
      moment.rings.push_back(sim::rotation_curve(part.state(), center, drift, axis));
    }
  };
  if (request.trajectory != nullptr) each_moment(request, add);
  if (moments.empty()) moments.push_back({0, std::vector<std::vector<sim::Ring>>(names.size())});
  std::vector<std::size_t> most(names.size());  // rings at any moment
  for (const Moment& moment : moments) {
    for (std::size_t k = 0; k < names.size(); ++k) most[k] = std::max(most[k], moment.rings[k].size());
  }
  const ChartAxis radius{.name = "R",
                         .unit = shown_length(info).name,
                         .unit_length = shown_length(info).length,
                         .limits = limits_of(moments, &sim::Ring::radius)};
  const ChartAxis speed{.name = "mean speed", .unit = info.speed_unit, .limits = limits_of(moments, &sim::Ring::speed)};
  const ChartAxis dispersion{
      .name = "dispersion", .unit = info.speed_unit, .limits = limits_of(moments, &sim::Ring::dispersion)};
  const auto chart = [&](const Moment& moment, const ChartAxis& y, double sim::Ring::*of) {
    Chart now{.x = radius, .y = y, .empty = "no body goes round"};
    for (std::size_t k = 0; k < names.size(); ++k) {
      Curve& curve = now.curves.emplace_back(Curve{.name = names[k]});
      for (const sim::Ring& ring : moment.rings[k]) {
        curve.x.push_back(ring.radius);
        curve.y.push_back(ring.*of);
      }
      if (most[k] <= 16) curve.stroke = Curve::Stroke::both;
    }
    return now;
  };
  return charts_at(request, moments, [&](const Moment& moment) {
    std::vector<Chart> now{chart(moment, speed, &sim::Ring::speed), chart(moment, dispersion, &sim::Ring::dispersion)};
    // There is no dispersion if each ring holds one body.
    const auto is_still = [](const auto& rings) {
      return std::ranges::all_of(rings, [](const sim::Ring& ring) { return !(ring.dispersion > 0); });
    };
    if (std::ranges::all_of(moment.rings, is_still)) now.pop_back();
    return now;
  });
}

}  // namespace

extern const ChartKind rotation_curve_chart{
    .figure = render::chart_figure(
        "rotation-curve", "mean rotation speed and its dispersion over the distance from an axis; bodies count equally",
        parameters),
    .make = make,
    .velocities = true};

}  // namespace orrery::pipeline
