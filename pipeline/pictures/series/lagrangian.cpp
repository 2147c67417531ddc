// SPDX-License-Identifier: MIT
// Of the figure "lagrangian-radii": how far out shares of the mass reach.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/pictures/series.hpp"

namespace orrery::pipeline {
namespace {

/// Per cent, the greatest first, as curves lie. Of the usual ones those less than one body has, where all have the same, are
/// left out.
std::vector<double> shares_of(const SeriesRequest& request) {
  const bool given = request.keys->has("shares");
  std::vector<double> shares = given ? request.keys->numbers("shares") : std::vector<double>{1, 5, 10, 25, 50, 75, 90};
  std::ranges::sort(shares, std::greater{});
  const auto again = std::ranges::unique(shares);
  shares.erase(again.begin(), again.end());
  const auto massive = std::ranges::count_if(request.cast.mass, [](double m) { return m > 0; });
  const double least =
      100.0 / std::max(1.0, static_cast<double>(massive > 0 ? massive : std::ssize(request.cast.mass)));
  if (!given) std::erase_if(shares, [&](double s) { return s < least * (1 - 1e-9); });
  if (shares.size() > 13) request.keys.complain("shares", "more than 13 curves cannot be told apart");
  return shares;
}

std::vector<render::Series> make(const SeriesRequest& request) {
  std::vector<double> shares = shares_of(request);
  std::vector<std::string> names;
  for (const double share : shares) names.push_back(fmt::format("{:.4g} %", share));
  for (double& share : shares) share /= 100;
  std::vector<render::Series> all = empty_series(names, 1);
  if (request.trajectory == nullptr) return all;
  each_snapshot(
      *request.trajectory,
      [&](const sim::Snapshot& at) {
        const sim::Moment moment{request.cast.mass, at.position, at.velocity};
        const auto radii = sim::lagrangian_radii(moment, center_of(request, moment), shares);
        for (std::size_t k = 0; k < all.size(); ++k) {
          all[k].time.push_back(at.time);
          all[k].values[0].push_back(radii[k]);
        }
      },
      frames_to_sort(request));
  return all;
}

}  // namespace

extern const SeriesKind lagrangian_series{"lagrangian-radii", make};

}  // namespace orrery::pipeline
