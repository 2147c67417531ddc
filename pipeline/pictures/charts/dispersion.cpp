// SPDX-License-Identifier: MIT
// Figures "dispersion" and "anisotropy": how velocities are distributed at each distance from the centre.
#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/pictures/charts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{about_parameter, render::bodies_parameter};

/// The shells at a moment.
struct Moment {
  double time;
  std::vector<sim::Dispersion> shells{};
};

std::vector<Moment> moments_of(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const std::vector<std::size_t> bodies = selected_bodies(request, info.mass.size());
  std::vector<Moment> moments;
  if (request.trajectory == nullptr) {
    const std::vector<double> times = frame_times(request);
    if (times.size() > 1) moments.push_back({times.front()});  // the start has curves of its own
    moments.push_back({times.back()});
    return moments;
  }
  each_moment(request, [&](const sim::Snapshot& at) {
    const sim::ParticleState whole{info.mass, at.position, at.velocity};
    moments.push_back({at.time, sim::dispersion_profile(SomeBodies(request, at, bodies).state(), center_of(request, at),
                                                        sim::mean_velocity(whole))});
  });
  return moments;
}

/// The chart of each moment and, dashed, the first: one curve for each of `values`.
struct Quantity {
  const char* name;  ///< "" if there is one
  double (*of)(const sim::Dispersion&);
};
std::vector<Chart> charts(const ChartRequest& request, ChartAxis y, std::span<const Quantity> quantities) {
  const std::vector<Moment> moments = moments_of(request);
  render::ValueRange radii, values;
  for (const Moment& moment : moments) {
    for (const sim::Dispersion& shell : moment.shells) {
      radii.add(shell.radius);
      for (const Quantity& one : quantities) values.add(one.of(shell));
    }
  }
  Chart chart{.x = {.name = "r",
                    .unit = shown_length(request.info).name,
                    .logarithmic = true,
                    .unit_length = shown_length(request.info).length},
              .y = std::move(y),
              .empty = "a profile needs at least 16 bodies"};
  if (!radii.empty()) {
    chart.x.limits = Interval{radii.low / 1.15, radii.high * 1.15};
    const double air = 0.06 * std::max(values.high - values.low, 1e-3 * std::abs(values.high));
    chart.y.limits =
        Interval{values.low - (values.low > 0 && values.low < 0.5 * values.high ? values.low : air), values.high + air};
  }
  const auto add = [&](Chart& to, const Moment& moment, bool start, bool named) {
    for (const Quantity& one : quantities) {
      const std::string when = !named ? "" : start ? "start" : request.moving ? "now" : "end";
      const std::string name = one.name + std::string(*one.name != '\0' && named ? ", " : "") + when;
      Curve& curve = to.curves.emplace_back(Curve{.name = name});
      if (start) curve.stroke = Curve::Stroke::dashed;
      for (const sim::Dispersion& shell : moment.shells) {
        curve.x.push_back(shell.radius);
        curve.y.push_back(one.of(shell));
      }
    }
  };
  if (moments.empty()) return {chart};
  const bool changes = moments.size() > 1;
  if (changes) add(chart, moments.front(), true, true);
  return charts_at(request, moments, [&](const Moment& moment) {
    Chart now = chart;
    add(now, moment, false, changes);
    return std::vector{now};
  });
}

std::vector<Chart> make_dispersion(const ChartRequest& request) {
  constexpr Quantity quantities[]{{"radial", [](const sim::Dispersion& shell) { return shell.radial; }},
                                  {"tangential", [](const sim::Dispersion& shell) { return shell.tangential; }}};
  return charts(request, {.name = "dispersion of velocities", .unit = request.info.speed_unit}, quantities);
}

std::vector<Chart> make_anisotropy(const ChartRequest& request) {
  constexpr Quantity quantities[]{{"", [](const sim::Dispersion& shell) { return shell.anisotropy(); }}};
  return charts(request, {.name = "anisotropy β"}, quantities);
}

}  // namespace

extern const ChartKind dispersion_chart{
    .figure =
        render::chart_figure("dispersion",
                             "dispersion of velocities along the radius and across it, in one direction, over the "
                             "distance from the centre, now and at the start; bodies count equally",
                             parameters),
    .make = make_dispersion,
    .velocities = true};

extern const ChartKind anisotropy_chart{
    .figure = render::chart_figure("anisotropy",
                                   "β = 1 − σ_t²/σ_r² over the distance from the centre, now and at the start: 1 for "
                                   "radial orbits, 0 for isotropic ones",
                                   parameters),
    .make = make_anisotropy,
    .velocities = true};

}  // namespace orrery::pipeline
