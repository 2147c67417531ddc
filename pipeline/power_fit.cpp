// SPDX-License-Identifier: MIT
#include "pipeline/power_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "common/power_law.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_points = 5;
constexpr double max_deviation = 1.15;

/// A point at h = x or 1/x, so that smaller h is finer.
struct Point {
  double h, error, rounding, most;
  std::size_t place;  ///< index in the argument
};

bool is_error(double error) {
  return std::isfinite(error) && error > 0;
}

/// Returns whether errors fall with x, according to a linear fit.
bool falls(const std::vector<ErrorAt>& all) {
  std::vector<double> x, y;
  for (const ErrorAt& at : all) {
    if (is_error(at.error)) x.push_back(std::log(at.x)), y.push_back(std::log(at.error));
  }
  return x.size() > 1 && slope(x, y) < 0;
}

bool can_be_fitted(const std::vector<Point>& points, std::size_t k) {
  const Point& p = points[k];
  if (!is_error(p.error) || p.error <= 30 * p.rounding || p.error >= p.most) return false;
  return std::all_of(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(k), [&](const Point& finer) {
    return finer.error <= 0 || std::log(p.error / finer.error) >= 0.5 * std::log(p.h / finer.h);
  });
}

/// Returns the points to fit, finest first.
std::vector<Point> chosen(const std::vector<Point>& points) {
  std::size_t first = 0, count = 0;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin;
    while (end < points.size() && can_be_fitted(points, end)) ++end;
    if (end - begin > count) first = begin, count = end - begin;
    begin = std::max(end, begin + 1);
  }
  double floor = 0;
  for (std::size_t k = 0; k < first; ++k) {
    if (is_error(points[k].error)) floor = std::max(floor, points[k].error);
  }
  std::vector<Point> stretch(points.begin() + static_cast<std::ptrdiff_t>(first),
                             points.begin() + static_cast<std::ptrdiff_t>(first + count));
  std::erase_if(stretch, [&](const Point& p) { return p.error < 10 * floor; });
  if (stretch.size() > max_points) stretch.resize(max_points);
  return stretch;
}

/// Returns the minimum of a function near that of a coarse scan, by ternary search.
double argmin(const std::function<double(double)>& f, double low, double high) {
  constexpr int coarse = 480;
  const double step = (high - low) / coarse;
  double best = low;
  for (int k = 1; k <= coarse; ++k) {
    if (f(low + k * step) < f(best)) best = low + k * step;
  }
  double a = std::max(low, best - step), b = std::min(high, best + step);
  for (int k = 0; k < 60; ++k) {
    const double third = (b - a) / 3;
    if (f(a + third) < f(b - third)) {
      b -= third;
    } else {
      a += third;
    }
  }
  return (a + b) / 2;
}

/// log error = constant + log(h^p − finest^p), finest first.
struct Line {
  double p, constant;
  double finest;  ///< 0: h^p alone

  [[nodiscard]] static double shape(double p, double finest, double h) {
    return p * std::log(h) + std::log1p(finest > 0 ? -std::pow(finest / h, p) : 0);
  }
  [[nodiscard]] double at(const Point& point) const { return std::exp(constant + shape(p, finest, point.h)); }
  /// Returns the maximum ratio between an error and the line, in either direction.
  [[nodiscard]] double deviation(const std::vector<Point>& points) const {
    double most = 1;
    for (const Point& point : points) most = std::max({most, point.error / at(point), at(point) / point.error});
    return most;
  }
};

Line line_through(const std::vector<Point>& points, double finest) {
  const auto constant = [&](double p) {
    double sum = 0;
    for (const Point& point : points) sum += std::log(point.error) - Line::shape(p, finest, point.h);
    return sum / static_cast<double>(points.size());
  };
  if (finest > 0) {
    // Choose p such that the constant varies least between the points.
    const auto spread = [&](double p) {
      const double mean = constant(p);
      double sum = 0;
      for (const Point& point : points)
        sum += std::pow(std::log(point.error) - Line::shape(p, finest, point.h) - mean, 2);
      return sum;
    };
    const double p = argmin(spread, 0.05, 24.05);
    return {p, constant(p), finest};
  }
  std::vector<double> x, y;
  for (const Point& point : points) x.push_back(std::log(point.h)), y.push_back(std::log(point.error));
  const double p = slope(x, y);
  return {p, constant(p), finest};
}

}  // namespace

std::optional<PowerFit> power_fit(const std::vector<ErrorAt>& all, std::optional<double> reference) {
  const bool turned = falls(all);
  const auto fineness = [&](double x) { return turned ? 1 / x : x; };
  std::vector<Point> points;
  for (std::size_t k = 0; k < all.size(); ++k)
    points.push_back({fineness(all[k].x), all[k].error, all[k].rounding, all[k].most, k});
  std::ranges::sort(points, {}, &Point::h);
  std::vector<Point> fitted = chosen(points);
  const double finest = reference ? fineness(*reference) : 0;
  const std::size_t least = reference ? 2 : 3;
  for (; fitted.size() >= least && finest < fitted.front().h; fitted.pop_back()) {
    const Line line = line_through(fitted, finest);
    if (line.deviation(fitted) > max_deviation) continue;
    if (turned) std::ranges::reverse(fitted);  // ascending in x again
    PowerFit fit{.slope = turned ? -line.p : line.p, .points = {}, .errors = {}};
    for (const Point& point : fitted) {
      fit.points.push_back(point.place);
      fit.errors.push_back(line.at(point));
    }
    return fit;
  }
  return std::nullopt;
}

}  // namespace orrery::pipeline
