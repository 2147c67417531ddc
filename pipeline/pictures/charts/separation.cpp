// SPDX-License-Identifier: MIT
// Figure "separation": distances of all pairs of up to five bodies, in frames and at minima between frames.
#include <array>
#include <optional>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "render/view/place.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 3> scales{"auto", "linear", "log"};

constexpr std::array parameters{
    render::bodies_key(
        "bodies whose distances are shown, by name, number from 0 or range, \"0:9\", at most 5; default: all"),
    render::choice_key("scale", "\"auto\"", scales,
                       "scale of the distance; auto: log if it spans more than two decades"),
    others_parameter,
};

using sim::Snapshot;

/// Relative position and velocity.
struct Relative {
  render::Place r, v;
};

/// The vector from the first body to the nearest image of the second.
render::Place between(const Snapshot& at, BodyPair pair, const render::Bounds& bounds) {
  const auto [i, j] = pair;
  const sim::Vectors& p = at.position;
  return {render::nearest(p.x[j] - p.x[i], bounds.period(0)), render::nearest(p.y[j] - p.y[i], bounds.period(1)),
          render::nearest(p.z[j] - p.z[i], bounds.period(2))};
}

Relative relative(const Snapshot& at, BodyPair pair, const render::Bounds& bounds) {
  const auto [i, j] = pair;
  const sim::Vectors& v = at.velocity;
  return {between(at, pair, bounds), {v.x[j] - v.x[i], v.y[j] - v.y[i], v.z[j] - v.z[i]}};
}

/// The cubic Hermite polynomial between two states, a time h apart, at s in [0, 1]; v is d/ds.
Relative on_curve(const Relative& a, const Relative& b, double h, double s) {
  Relative at{};
  for (std::size_t k = 0; k < 3; ++k) {
    at.r[k] = render::hermite(s, a.r[k], h * a.v[k], b.r[k], h * b.v[k]);
    at.v[k] = render::hermite_slope(s, a.r[k], h * a.v[k], b.r[k], h * b.v[k]);
  }
  return at;
}

/// s in (0, 1) of the minimum distance between two states; nullopt if there is none or the interpolation is inaccurate. If chord
/// and mean velocity · h differ by less than 10 %, the pericentre distance of a Kepler orbit with e ≤ 0.9 is accurate to 1 %.
std::optional<double> closest(const Relative& a, const Relative& b, double h) {
  const auto approach = [](const Relative& at) { return render::dot(at.r, at.v); };
  if (!(approach(a) * h < 0 && approach(b) * h > 0)) return std::nullopt;
  render::Place chord{}, miss{};
  for (std::size_t k = 0; k < 3; ++k) {
    chord[k] = b.r[k] - a.r[k];
    miss[k] = chord[k] - h * (a.v[k] + b.v[k]) / 2;
  }
  if (!(render::length(miss) < 0.1 * render::length(chord))) return std::nullopt;
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (approach(on_curve(a, b, h, middle)) < 0 ? low : high) = middle;
  }
  const double s = (low + high) / 2;
  return s > 1e-6 && s < 1 - 1e-6 ? std::optional(s) : std::nullopt;  // else it is at a frame
}

/// Adds the points of the curves of pairs. Returns what is not seen between frames.
std::string follow(const ChartRequest& request, const std::vector<BodyPair>& pairs, std::vector<Curve>& curves) {
  const render::Bounds& bounds = request.info.bounds;
  std::vector<render::Way> ways(pairs.size());
  std::optional<Snapshot> before;
  each_snapshot(
      request,
      [&](const Snapshot& at) {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
          if (at.velocity.x.empty()) {  // no interpolation without velocities
            const render::Place r = between(at, pairs[k], bounds);
            add_moment(ways[k], bounds, at.time, r, nullptr);
            add_point(curves[k], at.time, render::length(r));
            continue;
          }
          const Relative now = relative(at, pairs[k], bounds);
          add_moment(ways[k], bounds, at.time, now.r, &now.v);
          if (before) {
            const Relative then = relative(*before, pairs[k], bounds);
            const double h = at.time - before->time;
            if (const auto s = closest(then, now, h))
              add_point(curves[k], before->time + *s * h, render::length(on_curve(then, now, h, *s).r));
          }
          add_point(curves[k], at.time, render::length(now.r));
        }
        before = at;
      },
      request.max_rows);
  return separate(curves, ways, bounds, 0.05);  // a twentieth of the distance is visible on both scales
}

std::vector<Chart> make(const ChartRequest& request) {
  // Five bodies have ten pairs.
  const std::vector<std::size_t> bodies = selected_bodies(request, 5);
  if (bodies.size() < 2) {
    const bool twice = request.keys->has("bodies") && request.keys->texts("bodies").size() > 1;
    request.keys.complain("bodies", twice ? "these are the same body: give two" : "a distance needs two bodies");
  }
  const std::vector<BodyPair> pairs = pairs_of(bodies);
  std::vector<Curve> curves = curves_of_pairs(request.info, pairs);
  const std::string unseen = request.trajectory != nullptr ? follow(request, pairs, curves) : "";
  const render::ShownUnit unit = shown_length(request.info);
  ChartAxis y{.name = "distance", .unit = unit.name, .unit_length = unit.length};
  if (curves.size() == 1) y.name += " " + std::exchange(curves.front().name, "");  // and needs no legend
  const std::string& scale = request.keys->text("scale");
  y.logarithmic = scale == "log" || (scale == "auto" && spans_decades(curves));
  Chart chart = chart_over_time(request.info, std::move(y), std::move(curves));
  chart.remark = unseen;
  return {chart};
}

}  // namespace

extern const ChartKind separation_chart{
    .figure = render::chart_figure(
        "separation", "distance between bodies over time, with minima between frames found by Hermite interpolation",
        parameters),
    .make = make,
    .joined = true};

}  // namespace orrery::pipeline
