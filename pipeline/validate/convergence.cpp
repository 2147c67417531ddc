// SPDX-License-Identifier: MIT
// From coarse steps to fine ones.
#include "pipeline/validate/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::pipeline {
namespace {

constexpr int wanted = 7, least = 6;

double slope_of(const std::vector<const Point*>& points) {
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  const auto n = static_cast<double>(points.size());
  for (const Point* p : points) mean_x += std::log(p->dt) / n, mean_y += std::log(p->error) / n;
  for (const Point* p : points) {
    const double x = std::log(p->dt) - mean_x;
    xy += x * (std::log(p->error) - mean_y), xx += x * x;
  }
  return xy / xx;
}

}  // namespace

Convergence converge(int order, bool to_the_floor, const std::function<Point(std::int64_t steps)>& run,
                     const std::function<double(std::int64_t steps)>& rounding) {
  const double p = order, ratio = std::min(1.6, std::pow(10.0, 0.6 / p));
  const double level = std::max(1e-7, std::pow(10.0, -3 - p));
  // An integrator of that order is long below the level with so many steps: what is not has another order.
  const auto most = static_cast<std::int64_t>(300 * std::pow(level, -1 / p));
  Convergence found;
  const auto above_rounding = [](const Point& point) { return point.error > 10 * point.rounding; };
  int below = 0;
  for (std::int64_t steps = 8; steps <= most || below > 0;) {
    Point point = run(steps);
    if (point.error < 1e-8) point.rounding = rounding(steps);
    found.points.push_back(point);
    below += static_cast<int>(point.error < level);
    if (below > 0 && (!above_rounding(point) || below >= (to_the_floor ? 2 * wanted : wanted))) break;
    steps = std::max(steps + 1, static_cast<std::int64_t>(std::round(static_cast<double>(steps) * ratio)));
  }
  std::vector<const Point*> line;
  for (const Point& point : found.points) {
    if (point.error < level && above_rounding(point) && line.size() < wanted) line.push_back(&point);
  }
  found.fitted = static_cast<int>(line.size());
  found.floor = rounding(found.points.back().steps);
  found.slope = found.fitted >= least ? slope_of(line) : std::numeric_limits<double>::quiet_NaN();
  if (!line.empty()) found.first = line.front()->dt, found.last = line.back()->dt;
  return found;
}

}  // namespace orrery::pipeline
