// SPDX-License-Identifier: MIT
#include "pipeline/power_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "common/power_law.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_points = 5;
constexpr double max_deviation = 1.15;

/// A point at h = x or 1/x, so that smaller h is finer.
struct FitPoint {
  double h, error, rounding, most;
  std::size_t place;  ///< index in the argument
  double floor = 0;   ///< relative to the error: what may be rounding

  [[nodiscard]] double weight() const { return 1 / (1 + std::pow(floor / typical, 2)); }
  static constexpr double typical = 0.03;  ///< deviation of points without rounding from a power law
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

bool can_be_fitted(const std::vector<FitPoint>& points, std::size_t k) {
  const FitPoint& p = points[k];
  if (!is_error(p.error) || p.error <= 30 * p.rounding || p.error >= p.most) return false;
  return std::all_of(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(k), [&](const FitPoint& finer) {
    return finer.error <= 0 || std::log(p.error / finer.error) >= 0.5 * std::log(p.h / finer.h);
  });
}

/// Returns the points to fit, finest first.
std::vector<FitPoint> chosen(const std::vector<FitPoint>& points) {
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
  std::vector<FitPoint> stretch(points.begin() + static_cast<std::ptrdiff_t>(first),
                                points.begin() + static_cast<std::ptrdiff_t>(first + count));
  std::erase_if(stretch, [&](const FitPoint& p) { return p.error < 5 * floor; });
  for (FitPoint& p : stretch) p.floor = floor / p.error;
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
  [[nodiscard]] double at(const FitPoint& point) const { return std::exp(constant + shape(p, finest, point.h)); }
  /// Whether no error differs from the line by more than is allowed, in either direction.
  [[nodiscard]] bool passes(std::span<const FitPoint> points) const {
    return std::ranges::all_of(points, [&](const FitPoint& point) {
      const double ratio = std::max(point.error / at(point), at(point) / point.error);
      return ratio <= max_deviation + 1.5 * point.floor;
    });
  }
  /// Returns the standard error of p: of a straight line in logarithms of the points, with the derivative of the shape.
  [[nodiscard]] double uncertainty(std::span<const FitPoint> points) const {
    constexpr double step = 1e-4;
    double weights = 0, mean = 0, squares = 0, residuals = 0;
    const auto along = [&](const FitPoint& point) {
      return (shape(p + step, finest, point.h) - shape(p - step, finest, point.h)) / (2 * step);
    };
    for (const FitPoint& point : points) weights += point.weight(), mean += point.weight() * along(point);
    mean /= weights;
    for (const FitPoint& point : points) {
      squares += point.weight() * std::pow(along(point) - mean, 2);
      residuals += point.weight() * std::pow(std::log(point.error / at(point)), 2);
    }
    return points.size() < 3 ? std::nan("") : std::sqrt(residuals / static_cast<double>(points.size() - 2) / squares);
  }
};

Line line_through(std::span<const FitPoint> points, double finest) {
  const auto constant = [&](double p) {
    double sum = 0, weights = 0;
    for (const FitPoint& point : points) {
      sum += point.weight() * (std::log(point.error) - Line::shape(p, finest, point.h));
      weights += point.weight();
    }
    return sum / weights;
  };
  if (finest > 0) {
    // Choose p such that the constant varies least between the points.
    const auto spread = [&](double p) {
      const double mean = constant(p);
      double sum = 0;
      for (const FitPoint& point : points)
        sum += point.weight() * std::pow(std::log(point.error) - Line::shape(p, finest, point.h) - mean, 2);
      return sum;
    };
    const double p = argmin(spread, 0.05, 24.05);
    return {p, constant(p), finest};
  }
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const FitPoint& point : points) {
    const double w = point.weight();
    weights += w, x += w * std::log(point.h), y += w * std::log(point.error);
  }
  for (const FitPoint& point : points) {
    const double off = std::log(point.h) - x / weights;
    xx += point.weight() * off * off, xy += point.weight() * off * (std::log(point.error) - y / weights);
  }
  return {xy / xx, constant(xy / xx), finest};
}

/// A line and the points that it was fitted to.
struct Fitted {
  Line line;
  std::vector<FitPoint> points;
};

/// Returns the fit to the most of the finest points of `all`, finest first, that a line passes.
std::optional<Fitted> fitted(std::span<const FitPoint> all, double finest, std::size_t least) {
  for (std::size_t count = std::min(all.size(), max_points); count >= least; --count) {
    const auto points = all.first(count);
    const Line line = line_through(points, finest);
    if (line.passes(points)) return Fitted{line, {points.begin(), points.end()}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<PowerFit> power_fit(const std::vector<ErrorAt>& all, std::optional<double> reference) {
  const bool turned = falls(all);
  const auto fineness = [&](double x) { return turned ? 1 / x : x; };
  std::vector<FitPoint> points;
  for (std::size_t k = 0; k < all.size(); ++k)
    points.push_back({fineness(all[k].x), all[k].error, all[k].rounding, all[k].most, k});
  std::ranges::sort(points, {}, &FitPoint::h);
  const std::vector<FitPoint> stretch = chosen(points);
  const double finest = reference ? fineness(*reference) : 0;
  if (stretch.empty() || finest >= stretch.front().h) return std::nullopt;
  const std::size_t least = reference ? 2 : 3;
  std::optional<Fitted> best;
  for (std::size_t left_out = 0; left_out + least <= stretch.size(); ++left_out) {
    // Two points define a line that proves nothing about a third.
    auto fit = fitted(std::span(stretch).subspan(left_out), finest, left_out == 0 ? least : 3);
    const bool is_rounding =
        fit && std::all_of(stretch.begin(), stretch.begin() + static_cast<std::ptrdiff_t>(left_out),
                           [&](const FitPoint& p) { return p.error > fit->line.at(p); });
    if (is_rounding && (!best || fit->points.size() > best->points.size())) best = std::move(fit);
  }
  if (!best) return std::nullopt;
  const Line& line = best->line;
  std::vector<FitPoint>& used = best->points;
  if (turned) std::ranges::reverse(used);  // ascending in x again
  PowerFit fit{.slope = turned ? -line.p : line.p, .uncertainty = line.uncertainty(used), .points = {}, .errors = {}};
  for (const FitPoint& point : used) {
    fit.points.push_back(point.place);
    fit.errors.push_back(line.at(point));
  }
  return fit;
}

}  // namespace orrery::pipeline
