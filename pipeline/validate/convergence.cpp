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

Convergence converge(int order, std::int64_t most_evaluations, const std::function<Point(std::int64_t steps)>& run,
                     const std::function<double(std::int64_t steps)>& rounding) {
  const double ratio = std::min(1.6, std::pow(10.0, 0.6 / order));
  Convergence found;
  const auto above_rounding = [](const Point& point) { return point.error > 30 * point.rounding; };
  for (std::int64_t steps = 8;;) {
    Point point = run(steps);
    if (point.error < 1e-8) point.rounding = rounding(steps);
    found.points.push_back(point);
    steps = std::max(steps + 1, static_cast<std::int64_t>(std::round(static_cast<double>(steps) * ratio)));
    const auto next = static_cast<double>(point.evaluations) * static_cast<double>(steps) / static_cast<double>(point.steps);
    const std::size_t n = found.points.size();
    const bool stuck = n > wanted && point.error < 1 && point.error > 0.9 * found.points[n - 1 - wanted].error;
    if (!above_rounding(point) || stuck || next > static_cast<double>(most_evaluations)) break;
  }
  std::vector<const Point*> line;
  for (const Point& point : found.points) {
    if (above_rounding(point)) line.push_back(&point);
  }
  if (line.size() > wanted) line.erase(line.begin(), line.end() - wanted);
  found.fitted = static_cast<int>(line.size());
  found.floor = rounding(found.points.back().steps);
  found.slope = found.fitted >= least ? slope_of(line) : std::numeric_limits<double>::quiet_NaN();
  if (!line.empty()) found.first = line.front()->dt, found.last = line.back()->dt;
  return found;
}

}  // namespace orrery::pipeline
