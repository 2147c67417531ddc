// SPDX-License-Identifier: MIT
// Figure "radial-profile": density against the distance from the centre.
#include <cmath>
#include <set>

#include "pipeline/pictures/series.hpp"
#include "render/chart/chart.hpp"

namespace orrery::pipeline {
namespace {

/// The analytic density of the initial state over the range of `profile`.
render::Series formula(const SeriesRequest& request, const render::Series& profile) {
  render::ValueRange radii;
  for (std::size_t k = 0; k < profile.values.size(); k += 2) radii.add_positive(profile.values[k]);
  render::Series series{.name = "formula", .time = {0}, .values = {}};
  if (!(radii.low < radii.high)) return series;
  constexpr int points = 200;
  for (int i = 0; i <= points; ++i) {
    const double r = radii.low * std::pow(radii.high / radii.low, static_cast<double>(i) / points);
    series.values.push_back({r});
    series.values.push_back({(*request.physics.density)(r)});
  }
  return series;
}

std::vector<render::Series> make(const SeriesRequest& request) {
  std::vector<render::Series> all = empty_series({"profile"}, 0);
  const std::vector<std::size_t> bodies = selected_bodies(request, request.info.mass.size());
  if (request.trajectory == nullptr) {
    const std::vector<double> times = frame_times(request);
    if (times.size() > 1) add_row(all[0], times.front(), {});  // the start has a curve of its own
    add_row(all[0], times.back(), {});
    return all;
  }
  std::set<std::size_t> apart;
  each_moment(request, [&](const sim::Snapshot& at) {
    const Part part(request, at, bodies);
    std::vector<double> row;
    for (const sim::Shell& shell : sim::radial_profile(part.state(), center_of(request, at))) {
      row.insert(row.end(), {shell.radius, shell.density});
      for (const std::size_t k : shell.apart) apart.insert(bodies[k]);
    }
    add_row(all[0], at.time, row);
  });
  all[0].without = render::names_of(apart, request.info);
  const bool drawn = request.physics.density && bodies.size() == request.info.mass.size();
  if (drawn) all.push_back(formula(request, all[0]));
  return all;
}

}  // namespace

extern const SeriesKind profile_series{"radial-profile", make};

}  // namespace orrery::pipeline
