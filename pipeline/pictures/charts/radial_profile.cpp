// SPDX-License-Identifier: MIT
// Figure "radial-profile": density against the distance from the centre.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "pipeline/pictures/charts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    about_parameter,
    Parameter{.name = "ratio",
              .kind = Kind::boolean,
              .fallback = "false",
              .meaning = "a second panel with the density over that of the closed form, or else of the start"},
    render::bodies_parameter,
};

/// The shells at a moment.
struct Moment {
  double time;
  std::vector<sim::Shell> shells{};
};

/// The range of the positive values of all shells.
render::ValueRange range_of(const std::vector<Moment>& moments, double sim::Shell::*of) {
  render::ValueRange range;
  for (const Moment& moment : moments) {
    for (const sim::Shell& shell : moment.shells) range.add(shell.*of > 0 ? shell.*of : NAN);
  }
  return range;
}

/// Limits, with a margin, that hold the range; nullopt if it is empty.
std::optional<Interval> around(const render::ValueRange& range) {
  if (range.empty()) return std::nullopt;
  const double air = std::pow(range.high / range.low, 0.05) * 1.1;
  return Interval{range.low / air, range.high * air};
}

render::ShownUnit unit_of(const render::RunInfo& info) {
  const bool massive = std::ranges::any_of(info.mass, [](double m) { return m > 0; });
  return shown_density(info, 3, massive ? "" : "bodies");
}

Curve curve_of(const Moment& moment, const char* name) {
  Curve curve{.name = name};
  for (const sim::Shell& shell : moment.shells) {
    if (!(shell.radius > 0)) continue;
    curve.x.push_back(shell.radius);
    curve.y.push_back(shell.density);
  }
  return curve;
}

/// The analytic density of the initial state over a range of radii.
Curve formula(const sim::DensityProfile& profile, const render::ValueRange& radii) {
  Curve curve{.stroke = Curve::Stroke::dashed, .note = "closed form"};
  constexpr int points = 200;
  const auto density = sim::density_of(profile);
  for (int i = 0; i <= points && radii.low < radii.high; ++i) {
    const double r = radii.low * std::pow(radii.high / radii.low, static_cast<double>(i) / points);
    curve.x.push_back(r);
    curve.y.push_back(density(r));
  }
  return curve;
}

/// The value of a curve over positive x, joined by power laws; NaN outside.
double value_at(const Curve& curve, double x) {
  const auto next = std::ranges::lower_bound(curve.x, x);
  if (next == curve.x.end() || (next == curve.x.begin() && *next != x)) return NAN;
  const auto k = static_cast<std::size_t>(next - curve.x.begin());
  if (*next == x) return curve.y[k];
  const double part = std::log(x / curve.x[k - 1]) / std::log(curve.x[k] / curve.x[k - 1]);
  return curve.y[k - 1] * std::pow(curve.y[k] / curve.y[k - 1], part);
}

/// Each curve of the chart but the reference, which is the first, over it; with a guide at 1.
Chart ratio_of(const Chart& densities) {
  const Curve& reference = densities.curves.front();
  Chart ratio{
      .x = densities.x, .y = {.name = "ratio", .limits = Interval{0, 2}}, .empty = "there is nothing to compare with"};
  for (std::size_t k = 1; k < densities.curves.size(); ++k) {
    Curve& curve = ratio.curves.emplace_back(densities.curves[k]);
    for (std::size_t i = 0; i < curve.x.size(); ++i) curve.y[i] /= value_at(reference, curve.x[i]);
  }
  if (ratio.x.limits)
    ratio.curves.push_back(
        {.x = {ratio.x.limits->low, ratio.x.limits->high}, .y = {1, 1}, .stroke = Curve::Stroke::dashed});
  return ratio;
}

std::vector<Chart> make(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const std::vector<std::size_t> bodies = selected_bodies(request, info.mass.size());
  std::vector<Moment> moments;
  std::set<std::size_t> apart;
  if (request.trajectory == nullptr) {
    const std::vector<double> times = frame_times(request);
    if (times.size() > 1) moments.push_back({times.front()});  // the start has a curve of its own
    moments.push_back({times.back()});
  } else {
    each_moment(request, [&](const sim::Snapshot& at) {
      const SomeBodies part(request, at, bodies);
      moments.push_back({at.time, sim::radial_profile(part.state(), center_of(request, at))});
      for (const sim::Shell& shell : moments.back().shells) {
        for (const std::size_t k : shell.apart) apart.insert(bodies[k]);
      }
    });
  }
  const render::ValueRange radii = range_of(moments, &sim::Shell::radius);
  const render::ShownUnit length = shown_length(info), density = unit_of(info);
  Chart chart{.x = {.name = "r",
                    .unit = length.name,
                    .logarithmic = true,
                    .unit_length = length.length,
                    .limits = around(radii)},
              .y = {.name = "density",
                    .unit = density.name,
                    .logarithmic = true,
                    .unit_length = density.length,
                    .limits = around(range_of(moments, &sim::Shell::density))},
              .empty = info.mass.size() < 2 ? "one body fills no volume" : "all bodies are in one place"};
  if (moments.empty()) return {chart};
  if (!apart.empty()) chart.title = "without " + render::names_of(apart, info);
  if (request.trajectory != nullptr && request.physics.density && bodies.size() == info.mass.size())
    chart.curves.push_back(formula(*request.physics.density, radii));
  const bool changes = moments.size() > 1;
  if (changes) {
    chart.curves.push_back(curve_of(moments.front(), "start"));
    chart.curves.back().stroke = Curve::Stroke::dashed;
  }
  return charts_at(request, moments, [&](const Moment& moment) {
    Chart now = chart;
    now.curves.push_back(curve_of(moment, !changes ? "" : request.moving ? "now" : "end"));
    if (!request.keys->boolean("ratio")) return std::vector{now};
    return std::vector{now, ratio_of(now)};
  });
}

}  // namespace

extern const ChartKind radial_profile_chart{
    .figure = render::chart_figure(
        "radial-profile",
        "mass density over the distance from the centre, now and at the start, without bodies that dominate their "
        "shell",
        parameters),
    .make = make};

}  // namespace orrery::pipeline
