// SPDX-License-Identifier: MIT
// Figure "mass-segregation": how far light and heavy bodies are from the centre.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/pictures/charts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    Parameter{.name = "groups",
              .kind = Kind::integer,
              .fallback = "3",
              .meaning = "number of groups with equally many bodies, by mass",
              .range = {.low = 2, .high = 8}},
    about_parameter,
    render::bodies_parameter,
    others_parameter,
};

/// The bodies of each group, from the heaviest on; none if all masses are the same.
std::vector<std::vector<std::size_t>> groups_of(const ChartRequest& request) {
  const std::vector<double>& mass = request.info.mass;
  std::vector<std::size_t> bodies = selected_bodies(request, mass.size());
  std::ranges::stable_sort(bodies, std::greater{}, [&](std::size_t i) { return mass[i]; });
  if (mass[bodies.front()] == mass[bodies.back()]) return {};
  const auto count = std::min(static_cast<std::size_t>(request.keys->integer("groups")), bodies.size());
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < count; ++k) {
    groups.emplace_back(bodies.begin() + static_cast<std::ptrdiff_t>(k * bodies.size() / count),
                        bodies.begin() + static_cast<std::ptrdiff_t>((k + 1) * bodies.size() / count));
  }
  return groups;
}

std::vector<Chart> make(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const auto groups = groups_of(request);
  const render::ShownUnit mass = shown_mass(info), length = shown_length(info);
  std::vector<Curve> curves;
  for (const auto& group : groups) {
    const double high = info.mass[group.front()] / mass.length, low = info.mass[group.back()] / mass.length;
    curves.push_back({.name = fmt::format("{:.3g} to {:.3g}{}{}", low, high, mass.name.empty() ? "" : " ", mass.name)});
  }
  constexpr double half[]{0.5};
  const auto add = [&](const sim::Snapshot& at) {
    const sim::Vec3 center = center_of(request, at);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const SomeBodies some(request, at, groups[k]);
      add_point(curves[k], at.time, sim::lagrangian_radii(some.state(), center, half).front());
    }
  };
  if (request.trajectory != nullptr) each_snapshot(request, add, max_sorted_frames(request));
  return {chart_over_time(
      info, {.name = "half-mass radius", .unit = length.name, .logarithmic = true, .unit_length = length.length},
      std::move(curves), "all bodies have the same mass")};
}

}  // namespace

extern const ChartKind segregation_chart{
    .figure = render::chart_figure("mass-segregation",
                                   "half-mass radii of groups of bodies, from the heaviest to the lightest, over time",
                                   parameters),
    .make = make};

}  // namespace orrery::pipeline
