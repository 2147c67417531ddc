// SPDX-License-Identifier: MIT
// Figure "transit": light of bodies that others pass before.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/seen_from.hpp"
#include "render/view/place.hpp"
#include "sim/analysis/occultation.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    render::bodies_key("bodies that shine, by name, number from 0 or range; default: the heaviest"),
    line_of_sight_key("[x, y, z] from the observer to the bodies"),
    Parameter{.name = "brightness",
              .kind = Kind::numbers,
              .example = "[1.0, 0.3]",
              .meaning = "light per area of each body that shines, relative to each other; default: all the same",
              .range = positive,
              .optional = true},
    Parameter{
        .name = "limb_darkening",
        .kind = Kind::numbers,
        .fallback = "[0.0, 0.0]",
        .meaning = "a and b of the intensity 1 − a (1 − μ) − b (1 − μ)², where μ is 1 at the centre and 0 at the edge",
        .range = {.low = -1, .high = 1},
        .count = 2},
    others_parameter,
};

/// A body that shines, and the ways of others relative to it: two coordinates on the sky and the distance behind it.
struct Star {
  std::size_t body;
  double radius, light;  ///< light: relative to all
  std::vector<std::size_t> others;
  std::vector<render::Way> ways;
};

/// None if one has no radius, or nothing can pass before them.
std::vector<Star> stars_of(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const std::vector<std::size_t> bodies = chosen_or_heaviest(request, 5);
  const std::vector<double> given =
      request.keys->has("brightness") ? request.keys->numbers("brightness") : std::vector<double>(bodies.size(), 1);
  if (given.size() != bodies.size())
    request.keys.complain("brightness", "has another number of entries than there are bodies that shine");
  std::vector<Star> stars;
  double sum = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const double radius = info.radius.empty() ? 0 : info.radius[bodies[k]];
    if (!(radius > 0)) return {};
    stars.push_back(
        {.body = bodies[k], .radius = radius, .light = given[k] * radius * radius, .others = {}, .ways = {}});
    sum += stars.back().light;
  }
  for (Star& star : stars) {
    star.light /= sum;
    for (std::size_t i = 0; i < info.radius.size(); ++i)
      if (i != star.body && info.radius[i] > 0) star.others.push_back(i);
    star.ways.resize(star.others.size());
  }
  if (std::ranges::all_of(stars, [](const Star& star) { return star.others.empty(); })) stars.clear();
  return stars;
}

/// Two directions of the sky and that of sight.
struct Sky {
  render::Place across, up, away;

  /// `sight` has the length 1.
  explicit Sky(const render::Place& sight) : away(sight) {
    const render::Place pole =
        std::abs(away[2]) < 0.9 ? render::Place{0, 0, 1} : render::Place{0, 1, 0};  // not along the line of sight
    across = render::cross(away, pole);
    across = render::plus({}, 1 / render::length(across), across);
    up = render::cross(across, away);
  }
  [[nodiscard]] render::Place seen(const render::Place& r) const {
    return {render::dot(r, across), render::dot(r, up), render::dot(r, away)};
  }
};

/// The number of frames whose ways fit in some 500 MB.
std::size_t most_frames(const std::vector<Star>& stars, std::size_t most) {
  std::size_t ways = 1;
  for (const Star& star : stars) ways += star.ways.size();
  return std::clamp<std::size_t>(10'000'000 / ways, 100, most);
}

void add_frame(const Sky& sky, const sim::Snapshot& at, std::vector<Star>& stars) {
  for (Star& star : stars) {
    for (std::size_t k = 0; k < star.others.size(); ++k) {
      const auto between = [&](const sim::Vectors& of) {
        const std::size_t i = star.others[k], j = star.body;
        return sky.seen({of.x[i] - of.x[j], of.y[i] - of.y[j], of.z[i] - of.z[j]});
      };
      const render::Place v = at.velocity.x.empty() ? render::Place{} : between(at.velocity);
      add_moment(star.ways[k], {}, at.time, between(at.position), at.velocity.x.empty() ? nullptr : &v);
    }
  }
}

/// Where a body is on its way between two frames, at s from 0 to 1.
render::Place place_at(const render::Way& way, std::size_t frame, double s) {
  render::Place r{};
  const double h = way.time[frame + 1] - way.time[frame];
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = way.place[frame][k], b = way.place[frame + 1][k];
    r[k] = way.velocity.empty() ? a + s * (b - a)
                                : render::hermite(s, a, h * way.velocity[frame][k], b, h * way.velocity[frame + 1][k]);
  }
  return r;
}

/// What passes before a star, or may, between two frames.
struct Passage {
  double shortest =
      std::numeric_limits<double>::infinity();  ///< time in which a quarter of the smaller radius is passed
  bool known = true;
};

class LightCurve {
 public:
  LightCurve(const std::vector<Star>& stars, const std::vector<double>& radius, const sim::LimbDarkening& limb)
      : stars_(stars), radius_(radius), limb_(limb) {
    for (const Star& star : stars_) {
      for (const render::Way& way : star.ways) errors_.push_back(render::errors_between(way));
    }
  }

  /// All light between two frames, at s from 0 to 1: 1 if nothing is covered.
  [[nodiscard]] double at(std::size_t frame, double s) const {
    double light = 0;
    for (const Star& star : stars_) {
      std::vector<sim::Disc> discs;
      for (std::size_t k = 0; k < star.ways.size(); ++k) {
        const render::Place r = place_at(star.ways[k], frame, s);
        if (r[2] < 0) discs.push_back({r[0] / star.radius, r[1] / star.radius, radius_[star.others[k]] / star.radius});
      }
      light += star.light * sim::visible_light(discs, limb_);
    }
    return light;
  }

  /// A passage is looked for along the chord between the frames, with its bulge to both sides.
  [[nodiscard]] Passage between(std::size_t frame) const {
    Passage passage;
    std::size_t n = 0;
    for (const Star& star : stars_) {
      for (std::size_t k = 0; k < star.ways.size(); ++k, ++n) {
        const render::Way& way = star.ways[k];
        const double reach = star.radius + radius_[star.others[k]], h = std::abs(way.time[frame + 1] - way.time[frame]);
        const auto [nearest, longest] = approach(way, frame);
        const double unsure = errors_[n].empty() ? 0 : errors_[n][frame];
        if (nearest > reach + unsure) continue;
        const double smaller = std::min(star.radius, radius_[star.others[k]]);
        passage.shortest = std::min(passage.shortest, 0.25 * h * std::max(smaller, 0.1 * star.radius) / longest);
        passage.known = passage.known && unsure < 0.1 * star.radius;
      }
    }
    return passage;
  }

 private:
  /// Of some points of the way the least distance on the sky, less half of the distance between points, and the length of the way there.
  static std::array<double, 2> approach(const render::Way& way, std::size_t frame) {
    constexpr int parts = 8;
    double length = 0, widest = 0, least = std::numeric_limits<double>::infinity();
    render::Place last{};
    for (int i = 0; i <= parts; ++i) {
      const render::Place r = place_at(way, frame, static_cast<double>(i) / parts);
      const double step = i == 0 ? 0 : std::hypot(r[0] - last[0], r[1] - last[1]);
      length += step, widest = std::max(widest, step), least = std::min(least, std::hypot(r[0], r[1]));
      last = r;
    }
    return {least - widest, std::max(length, std::numeric_limits<double>::min())};
  }

  const std::vector<Star>& stars_;
  const std::vector<double>& radius_;
  sim::LimbDarkening limb_;
  std::vector<std::vector<double>> errors_;  ///< of the ways of all stars
};

std::vector<Chart> make(const ChartRequest& request) {
  const Sky sky(line_of_sight(request));
  std::vector<Star> stars = stars_of(request);
  Curve curve;
  std::string unseen;
  if (request.trajectory != nullptr && !stars.empty()) {
    std::vector<double> times;
    each_snapshot(
        request,
        [&](const sim::Snapshot& at) {
          add_frame(sky, at, stars);
          times.push_back(at.time);
        },
        most_frames(stars, request.max_rows));
    const auto& limb = request.keys->numbers("limb_darkening");
    const LightCurve light(stars, request.info.radius, {limb[0], limb[1]});
    constexpr double most_parts = 1000;
    for (std::size_t i = 0; i + 1 < times.size() && !request.stopped(); ++i) {
      const double h = times[i + 1] - times[i];
      add_point(curve, times[i], light.at(i, 0));
      const Passage passage = light.between(i);
      if (!passage.known) {
        add_point(curve, times[i] + h / 2, std::nan(""));
        unseen = "gaps: frames are too far apart to follow a passage";
        continue;
      }
      const double parts = std::clamp(std::ceil(std::abs(h) / passage.shortest), 1.0, most_parts);
      for (double k = 1; k < parts; ++k) add_point(curve, times[i] + h * (k / parts), light.at(i, k / parts));
    }
    if (times.size() > 1) add_point(curve, times.back(), light.at(times.size() - 2, 1));
  }
  Chart chart = chart_over_time(request.info, {.name = "relative flux", .unit = ""}, {std::move(curve)},
                                "bodies that shine, and others that pass, need a `radius`");
  chart.remark = unseen;
  return {chart};
}

}  // namespace

extern const ChartKind transit_chart{
    .figure = render::chart_figure("transit", "light of bodies that others, as solid spheres, pass before, over time",
                                   parameters),
    .make = make,
    .joined = true};

}  // namespace orrery::pipeline
