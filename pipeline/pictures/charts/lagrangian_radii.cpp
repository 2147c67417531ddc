// SPDX-License-Identifier: MIT
// Figure "lagrangian-radii".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "pipeline/pictures/charts.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    Parameter{.name = "shares",
              .kind = Kind::numbers,
              .example = "[10.0, 20.0]",
              .meaning = "mass fractions; default: those of 1, 5, 10, 25, 50, 75 and 90 above the mass fraction of the "
                         "heaviest body",
              .unit = "%",
              .range = {.low = 0, .high = 100, .low_open = true},
              .optional = true},
    about_parameter,
    render::bodies_parameter,
    others_parameter,
};

/// In per cent, in descending order, as the curves are. Default shares less than that of the heaviest body are left out.
std::vector<double> shares_of(const ChartRequest& request, const std::vector<std::size_t>& bodies) {
  const bool given = request.keys->has("shares");
  std::vector<double> shares = given ? request.keys->numbers("shares") : std::vector<double>{1, 5, 10, 25, 50, 75, 90};
  std::ranges::sort(shares, std::greater{});
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  const std::vector<double> mass = render::picked(request.info.mass, bodies);
  const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
  const double least =
      all > 0 ? 100 * std::ranges::max(mass) / all : 100 / std::max(1.0, static_cast<double>(mass.size()));
  if (!given) std::erase_if(shares, [&](double s) { return s < least * (1 - 1e-9); });
  if (shares.size() > render::different_marks)
    request.keys.complain("shares",
                          fmt::format("more than {} curves cannot be distinguished", render::different_marks));
  return shares;
}

std::vector<Chart> make(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const std::vector<std::size_t> bodies = selected_bodies(request, info.mass.size());
  std::vector<double> shares = shares_of(request, bodies);
  std::vector<Curve> curves;
  for (double& share : shares) {
    curves.push_back({.name = fmt::format("{:.4g} %", share)});
    share /= 100;
  }
  const auto add = [&](const sim::Snapshot& at) {
    const auto radii = sim::lagrangian_radii(SomeBodies(request, at, bodies).state(), center_of(request, at), shares);
    for (std::size_t k = 0; k < curves.size(); ++k) add_point(curves[k], at.time, radii[k]);
  };
  if (request.trajectory != nullptr) each_snapshot(request, add, max_sorted_frames(request));
  Chart chart = chart_over_time(info,
                                {.name = "Lagrangian radius",
                                 .unit = shown_length(info).name,
                                 .logarithmic = true,
                                 .unit_length = shown_length(info).length},
                                std::move(curves),
                                info.mass.size() < 2 ? "one body is a point"
                                : shares.empty() ? "one body has 90 % of the mass and more: give `shares` above its own"
                                                 : "all bodies are in one place");
  // Without radii the time axis still covers the run.
  if (shares.empty()) cover(chart.x, {info.start, info.end});
  return {chart};
}

}  // namespace

extern const ChartKind lagrangian_radii_chart{
    .figure = render::chart_figure("lagrangian-radii", "radii that enclose given fractions of the mass, over time",
                                   parameters),
    .make = make};

}  // namespace orrery::pipeline
