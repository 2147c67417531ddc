// SPDX-License-Identifier: MIT
// Figure "thermodynamics".
#include "pipeline/pictures/series.hpp"

namespace orrery::pipeline {
namespace {

/// Series that are not stored in rows have no values.
std::vector<render::Series> make(const SeriesRequest& request) {
  std::vector<render::Series> all = empty_series({"temperature", "pressure", "energy"}, 1);
  if (request.trajectory == nullptr) return all;
  const History history = request.trajectory->history();
  std::vector<double> energy = history.total_energy;
  const auto bodies = static_cast<double>(std::max<std::size_t>(request.trajectory->whole(), 1));
  for (double& e : energy) e /= bodies;
  fill(all[0], request, history.time, history.temperature);
  fill(all[1], request, history.time, history.pressure);
  fill(all[2], request, history.time, energy);
  return all;
}

}  // namespace

extern const SeriesKind thermodynamic_series{"thermodynamics", make};

}  // namespace orrery::pipeline
