// SPDX-License-Identifier: MIT
#include "pipeline/validate/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/power_law.hpp"

namespace orrery::pipeline {
namespace {

constexpr int wanted = 7, least = 6;

/// y minus its linear fit in x.
std::vector<double> residual(std::vector<double> y, const std::vector<double>& x) {
  const double q = slope(x, y);
  for (std::size_t k = 0; k < y.size(); ++k) y[k] -= q * x[k];
  return y;
}

/// p of log error = C + p log h, or of log error = C + p log h + c h².
double slope_of(const std::vector<const Point*>& points, bool with_next_term) {
  std::vector<double> x, y, square;
  for (const Point* p : points) {
    x.push_back(std::log(p->dt));
    y.push_back(std::log(p->error));
    square.push_back(p->dt * p->dt);
  }
  return with_next_term ? slope(residual(x, square), residual(y, square)) : slope(x, y);
}

}  // namespace

Convergence converge(int order, std::int64_t first, std::int64_t max_evaluations,
                     const std::function<Point(std::int64_t steps)>& run,
                     const std::function<double(std::int64_t steps)>& rounding) {
  const double ratio = std::min(1.6, std::pow(10.0, 0.6 / order));
  Convergence found;
  const double margin = order > 8 ? 300 : 30;
  const auto above_rounding = [=](const Point& point) { return point.error > margin * point.rounding; };
  for (std::int64_t steps = first;;) {
    Point point = run(steps);
    // Rounding of a single run is random, but grows with the number of steps on average.
    if (point.error < 1e-8)
      point.rounding = std::max(rounding(steps), found.points.empty() ? 0 : found.points.back().rounding);
    found.points.push_back(point);
    steps = std::max(steps + 1, static_cast<std::int64_t>(std::round(static_cast<double>(steps) * ratio)));
    const auto next =
        static_cast<double>(point.evaluations) * static_cast<double>(steps) / static_cast<double>(point.steps);
    const std::size_t n = found.points.size();
    const bool stuck = n > wanted && point.error > 0.9 * found.points[n - 1 - wanted].error;
    if (!above_rounding(point) || stuck || next > static_cast<double>(max_evaluations)) break;
  }
  std::vector<const Point*> line;
  for (const Point& point : found.points) {
    if (above_rounding(point)) line.push_back(&point);
  }
  if (line.size() > wanted) line.erase(line.begin(), line.end() - wanted);
  found.fitted = static_cast<int>(line.size());
  found.floor = rounding(found.points.back().steps);
  found.slope = found.fitted >= least ? slope_of(line, order > 8) : std::numeric_limits<double>::quiet_NaN();
  if (!line.empty()) found.first = line.front()->dt, found.last = line.back()->dt;
  return found;
}

}  // namespace orrery::pipeline
