// SPDX-License-Identifier: MIT
// Figure "elements": semi-major axis, eccentricity, and inclination to the xy plane, of orbits about one body.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "pipeline/pictures/charts.hpp"
#include "render/chart/marks.hpp"
#include "render/figures/shared.hpp"
#include "render/statistics.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 3> scales{"auto", "linear", "log"};

constexpr std::array parameters{
    render::optional_key("around", Kind::number_or_text, "\"0\"",
                         "central body, by name or number from 0; default: the heaviest"),
    render::bodies_key(
        "bodies whose elements are shown, by name, number from 0 or range, \"0:9\", at most 13; default: all"),
    render::choice_key(
        "scale", "\"auto\"", scales,
        "scale of a; auto: log if all orbits are bound and a spans two decades; 1/a, which is shown if an orbit is "
        "nearly a parabola, is linear"),
    render::choice_key(
        "outliers", "\"leave-out\"", render::outlier_choices,
        "whether the default limits of a and e include spikes beyond three times the range of the middle 90 %"),
    render::interval_key("a_limits", "[0.5, 2.0]", "[from, to] of the semi-major axis; default: see `outliers`",
                         "length"),
    render::interval_key("e_limits", "[0.0, 1.0]", "[from, to] of the eccentricity; default: see `outliers`"),
    render::interval_key("i_limits", "[0.0, 90.0]",
                         "[from, to] of the inclination to the xy plane; default: all values", "degrees"),
};

/// Whether it has at least as much mass as all other bodies, so that they orbit it rather than each other.
bool dominates(const std::vector<double>& mass, std::size_t center) {
  return 2 * mass[center] >= std::accumulate(mass.begin(), mass.end(), 0.0);
}

/// Returns limits without spikes: a goes through infinity when a body is ejected, and e is arbitrary during an encounter. If
/// all values take more than three times the range of their middle 90 %, the limits are that range with half of its length on
/// either side, as far as there are values; otherwise nullopt. For a logarithmic axis ranges are measured in logarithms.
std::optional<Interval> robust_limits(const std::vector<Curve>& curves, bool logarithmic) {
  std::vector<double> all;
  for (const Curve& curve : curves) {
    for (const double y : curve.y) {
      if (std::isfinite(y) && (y > 0 || !logarithmic)) all.push_back(logarithmic ? std::log10(y) : y);
    }
  }
  if (all.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(all);
  if (render::is_constant({low, high})) return std::nullopt;
  const Interval most = render::robust_range(all, 0.05);
  if (high - low <= 3 * most.length()) return std::nullopt;
  const double air = 0.5 * most.length();
  const Interval limits{std::max(low - 0.1 * air, most.low - air), std::min(high + 0.1 * air, most.high + air)};
  return logarithmic ? Interval{std::pow(10.0, limits.low), std::pow(10.0, limits.high)} : limits;
}

/// The central body. Throws Error if orbits about it have no elements.
std::size_t center_of_orbits(const ChartRequest& request) {
  const std::vector<double>& mass = request.info.mass;
  if (!request.physics.unknown.empty()) request.keys.complain("kind", request.physics.unknown);
  if (!(request.physics.G > 0)) request.keys.complain("kind", "elements need gravity between the bodies");
  auto center = static_cast<std::size_t>(std::ranges::max_element(mass) - mass.begin());
  if (const Value* around = request.keys->find("around")) center = body_named(request, "around", text_of(*around));
  if (!(mass[center] > 0)) {
    request.keys.complain(
        "around", fmt::format("{} has no mass: set `around` to a body with mass", name_of(request.info, center)));
  }
  return center;
}

/// The bodies that orbit it.
std::vector<std::size_t> orbiting(const ChartRequest& request, std::size_t center) {
  const std::vector<double>& mass = request.info.mass;
  std::vector<std::size_t> bodies = selected_bodies(request, render::different_marks + 1);
  if (!request.keys->has("around") && mass.size() > 2 && !dominates(mass, center)) {
    request.keys.complain("around",
                          fmt::format("no body has as much mass as all others together ({} has the most): choose the "
                                      "centre of the orbits, around = \"{}\", or draw `separation`",
                                      name_of(request.info, center), key_of_body(request.info, center)));
  }
  std::erase(bodies, center);
  if (bodies.empty()) request.keys.complain("bodies", "there is no body except the centre");
  return bodies;
}

/// The elements of each body over time.
struct Elements {
  std::vector<Curve> a, e, i;
  std::vector<Curve> inverse;  ///< 1/a
  bool parabolic = false;      ///< an orbit is nearly a parabola, whose a is infinite but for rounding
  std::string unseen{};        ///< what to say of gaps
};

Elements elements_of(const ChartRequest& request, std::size_t center, const std::vector<std::size_t>& bodies) {
  const std::vector<Curve> none = curves_of_bodies(request.info, bodies);
  Elements all{.a = none, .e = none, .i = none, .inverse = none};
  if (request.trajectory == nullptr) return all;
  std::vector<render::Way> ways(bodies.size());
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        const auto from_center = [&](const sim::Vectors& of, std::size_t i) {
          return sim::Vec3{of.x[i] - of.x[center], of.y[i] - of.y[center], of.z[i] - of.z[center]};
        };
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          const std::size_t i = bodies[k];
          const double mu = request.physics.G * (request.info.mass[center] + request.info.mass[i]);
          const sim::Vec3 r = from_center(at.position, i), v = from_center(at.velocity, i);
          const render::Place velocity{v.x, v.y, v.z};
          add_moment(ways[k], {}, at.time, {r.x, r.y, r.z}, &velocity);
          const auto orbit = sim::elements_of(mu, r, v);
          // 1/a is the difference of 2/r and v²/µ, each of which is rounded.
          const double part = 2 / render::length({r.x, r.y, r.z});
          const double energy = orbit.inverse_semi_major_axis;
          all.parabolic = all.parabolic || std::abs(energy) < 1e-9 * part;
          add_point(all.inverse[k], at.time, std::abs(energy) < 1e-14 * part ? 0 : energy);
          add_point(all.a[k], at.time, orbit.semi_major_axis);
          add_point(all.e[k], at.time, orbit.eccentricity);
          add_point(all.i[k], at.time, orbit.inclination);
        }
      },
      request.max_rows);
  for (auto* curves : {&all.a, &all.e, &all.i, &all.inverse}) all.unseen = separate(*curves, ways, {});
  return all;
}

std::vector<Chart> make(const ChartRequest& request) {
  const std::size_t center = center_of_orbits(request);
  Elements of = elements_of(request, center, orbiting(request, center));
  const std::string& unit = request.info.length_unit;
  const auto chart = [&](ChartAxis axis, std::vector<Curve>& curves) {
    return chart_over_time(request.info, std::move(axis), std::move(curves));
  };
  // Of nearly parabolic orbits a is infinite or rounding of any size; 1/a is neither.
  const bool inverse = of.parabolic && !request.keys->has("a_limits");
  std::vector<Chart> charts{inverse ? chart({.name = "1/a", .unit = unit.empty() ? "" : "1/" + unit}, of.inverse)
                                    : chart({.name = "a", .unit = unit}, of.a),
                            chart({.name = "e"}, of.e), chart({.name = "i to the xy plane", .unit = "°"}, of.i)};
  charts.front().title = "orbits about " + name_of(request.info, center);
  charts.front().remark = of.unseen;
  if (!inverse) {
    // a is negative on a hyperbola, and no number in a gap.
    const auto& curves = charts.front().curves;
    const auto unbound = [](const Curve& c) { return std::ranges::any_of(c.y, [](double a) { return a <= 0; }); };
    const std::string& scale = request.keys->text("scale");
    const bool decades = std::ranges::none_of(curves, unbound) && spans_decades(curves);
    charts.front().y.logarithmic = scale == "log" || (scale == "auto" && decades);
  }
  constexpr std::array<std::string_view, 3> limits{"a_limits", "e_limits", "i_limits"};
  for (std::size_t k = 0; k < charts.size(); ++k) {
    if (request.keys->has(limits[k])) {
      set_limits(charts[k].y, limits[k], request.keys.values());
    } else if (k < 2 && request.keys->text("outliers") == "leave-out") {  // i is bounded
      charts[k].y.limits = robust_limits(charts[k].curves, charts[k].y.logarithmic);
    }
  }
  return charts;
}

}  // namespace

extern const ChartKind elements_chart{
    .figure = render::chart_figure(
        "elements",
        "osculating semi-major axis (1/a of near-parabolas), eccentricity, and inclination to the xy plane, over time",
        parameters),
    .make = make,
    .velocities = true,
    .joined = true};

}  // namespace orrery::pipeline
