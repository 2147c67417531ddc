// SPDX-License-Identifier: MIT
// Figure "lagrangian-radii".
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "pipeline/pictures/series.hpp"
#include "render/chart/marks.hpp"
#include "render/chosen.hpp"

namespace orrery::pipeline {
namespace {

/// In per cent, in descending order, as the curves are. Default shares less than that of the heaviest body are left out.
std::vector<double> shares_of(const SeriesRequest& request, const std::vector<std::size_t>& bodies) {
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

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::vector<std::size_t> bodies = selected_bodies(request, request.info.mass.size());
  std::vector<double> shares = shares_of(request, bodies);
  std::vector<std::string> names;
  for (const double share : shares) names.push_back(fmt::format("{:.4g} %", share));
  for (double& share : shares) share /= 100;
  std::vector<render::Series> all = empty_series(names, 1);
  if (request.trajectory == nullptr) return all;
  each_snapshot(
      *request.trajectory,
      [&](const sim::Snapshot& at) {
        const auto radii = sim::lagrangian_radii(Part(request, at, bodies).state(), center_of(request, at), shares);
        for (std::size_t k = 0; k < all.size(); ++k) add_row(all[k], at.time, {radii[k]});
      },
      max_sorted_frames(request));
  return all;
}

}  // namespace

extern const SeriesKind lagrangian_series{"lagrangian-radii", make};

}  // namespace orrery::pipeline
