// SPDX-License-Identifier: MIT
// Of the figure "separation": the distance of every pair of some bodies.
#include <fmt/format.h>

#include <cmath>

#include "pipeline/series.hpp"

namespace orrery::pipeline {
namespace {

std::vector<render::Series> make(const SeriesRequest& request) {
  // Five bodies are ten pairs, as many as an eye can follow.
  const std::vector<std::size_t> bodies = bodies_meant(request, "bodies", 5);
  if (bodies.size() < 2) request.keys.complain("bodies", "a distance takes two bodies");
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      pairs.emplace_back(bodies[i], bodies[j]);
      names.push_back(fmt::format("{} – {}", name_of(request.cast, bodies[i]), name_of(request.cast, bodies[j])));
    }
  }
  std::vector<render::Series> all = empty_series(names, 1);
  if (request.trajectory == nullptr) return all;
  each_snapshot(*request.trajectory, [&](const sim::Snapshot& at) {
    const sim::Vectors& p = at.position;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [i, j] = pairs[k];
      all[k].time.push_back(at.time);
      all[k].values[0].push_back(std::hypot(p.x[j] - p.x[i], p.y[j] - p.y[i], p.z[j] - p.z[i]));
    }
  });
  return all;
}

}  // namespace

extern const SeriesKind separation_series{"separation", make};

}  // namespace orrery::pipeline
