// SPDX-License-Identifier: MIT
// Of the figure "separation": the distance of every pair of some bodies, at frames and where it is least between two.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "pipeline/pictures/series.hpp"
#include "render/hermite.hpp"

namespace orrery::pipeline {
namespace {

using sim::Snapshot;
using Pair = std::pair<std::size_t, std::size_t>;

/// How two bodies lie to each other, and how that changes.
struct Relative {
  std::array<double, 3> r, v;
};

/// From the first to the nearest image of the second.
std::array<double, 3> between(const Snapshot& at, Pair pair, const render::Bounds& bounds) {
  const auto [i, j] = pair;
  const sim::Vectors& p = at.position;
  return {render::nearest(p.x[j] - p.x[i], bounds.period(0)), render::nearest(p.y[j] - p.y[i], bounds.period(1)),
          render::nearest(p.z[j] - p.z[i], bounds.period(2))};
}

Relative relative(const Snapshot& at, Pair pair, const render::Bounds& bounds) {
  const auto [i, j] = pair;
  const sim::Vectors& v = at.velocity;
  return {between(at, pair, bounds), {v.x[j] - v.x[i], v.y[j] - v.y[i], v.z[j] - v.z[i]}};
}

double length(const std::array<double, 3>& a) {
  return std::hypot(a[0], a[1], a[2]);
}

/// The cubic Hermite curve between two moments, a time h apart, at s in [0, 1]; v is d/ds.
Relative on_curve(const Relative& a, const Relative& b, double h, double s) {
  Relative at{};
  for (std::size_t k = 0; k < 3; ++k) {
    at.r[k] = render::hermite(s, a.r[k], h * a.v[k], b.r[k], h * b.v[k]);
    at.v[k] = render::hermite_slope(s, a.r[k], h * a.v[k], b.r[k], h * b.v[k]);
  }
  return at;
}

/// Where two bodies come closest between two moments: s, nothing where they do not, or where the curve is not to be trusted.
/// Where the chord differs from what the mean velocity gives by less than a tenth the closest distance of a Kepler orbit
/// comes out within a hundredth, for eccentricities up to 0.9.
std::optional<double> closest(const Relative& a, const Relative& b, double h) {
  const auto approach = [](const Relative& at) { return at.r[0] * at.v[0] + at.r[1] * at.v[1] + at.r[2] * at.v[2]; };
  if (!(approach(a) * h < 0 && approach(b) * h > 0)) return std::nullopt;
  std::array<double, 3> chord{}, miss{};
  for (std::size_t k = 0; k < 3; ++k) {
    chord[k] = b.r[k] - a.r[k];
    miss[k] = chord[k] - h * (a.v[k] + b.v[k]) / 2;
  }
  if (!(length(miss) < 0.1 * length(chord))) return std::nullopt;
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (approach(on_curve(a, b, h, middle)) < 0 ? low : high) = middle;
  }
  const double s = (low + high) / 2;
  return s > 1e-6 && s < 1 - 1e-6 ? std::optional(s) : std::nullopt;  // else a frame has it
}

std::vector<render::Series> make(const SeriesRequest& request) {
  // Five bodies are ten pairs, as many as an eye can follow.
  const std::vector<std::size_t> bodies = bodies_meant(request, 5);
  if (bodies.size() < 2) {
    const bool twice = request.keys->has("bodies") && request.keys->texts("bodies").size() > 1;
    request.keys.complain("bodies", twice ? "these are one body: name two" : "a distance takes two bodies");
  }
  std::vector<Pair> pairs;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      pairs.emplace_back(bodies[i], bodies[j]);
      names.push_back(fmt::format("{} – {}", name_of(request.info, bodies[i]), name_of(request.info, bodies[j])));
    }
  }
  std::vector<render::Series> all = empty_series(names, 1);
  for (std::size_t k = 0; k < pairs.size(); ++k) all[k].bodies = {pairs[k].first, pairs[k].second};
  if (request.trajectory == nullptr) return all;
  const render::Bounds& bounds = request.info.bounds;
  std::optional<Snapshot> before;
  each_snapshot(*request.trajectory, [&](const Snapshot& at) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto add = [&](double time, double distance) {
        all[k].time.push_back(time);
        all[k].values[0].push_back(distance);
      };
      if (at.velocity.x.empty()) {  // no curves without velocities
        add(at.time, length(between(at, pairs[k], bounds)));
        continue;
      }
      const Relative now = relative(at, pairs[k], bounds);
      if (before) {
        const Relative then = relative(*before, pairs[k], bounds);
        const double h = at.time - before->time;
        if (const auto s = closest(then, now, h)) add(before->time + *s * h, length(on_curve(then, now, h, *s).r));
      }
      add(at.time, length(now.r));
    }
    before = at;
  });
  return all;
}

}  // namespace

extern const SeriesKind separation_series{"separation", make};

}  // namespace orrery::pipeline
