// SPDX-License-Identifier: MIT
// Figure "elements": elements of orbits about one body, and resonant angles of several.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/resonant_angle.hpp"
#include "render/chart/marks.hpp"
#include "render/figures/shared.hpp"
#include "render/statistics.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 3> scales{"auto", "linear", "log"};
constexpr std::array<std::string_view, 3> reference_planes{"ecliptic", "equatorial", "invariable"};

enum class Unit { none, length, inverse_length, time, angle };

/// What a panel can show.
struct Quantity {
  std::string_view key, name;
  Unit unit;
  double sim::OrbitalElements::*value;
};
using OE = sim::OrbitalElements;
constexpr Quantity quantities[] = {
    {"a", "a", Unit::length, &OE::semi_major_axis},
    {"1/a", "1/a", Unit::inverse_length, &OE::inverse_semi_major_axis},
    {"P", "P", Unit::time, &OE::period},
    {"q", "q", Unit::length, &OE::pericentre},
    {"Q", "Q", Unit::length, &OE::apocentre},
    {"e", "e", Unit::none, &OE::eccentricity},
    {"i", "i", Unit::angle, &OE::inclination},
    {"Omega", "Ω", Unit::angle, &OE::ascending_node},
    {"omega", "ω", Unit::angle, &OE::argument_of_pericentre},
    {"pomega", "ϖ", Unit::angle, &OE::longitude_of_pericentre},
    {"M", "M", Unit::angle, &OE::mean_anomaly},
    {"E", "E", Unit::angle, &OE::eccentric_anomaly},
    {"f", "f", Unit::angle, &OE::true_anomaly},
    {"l", "λ", Unit::angle, &OE::mean_longitude},
};
constexpr auto shown_keys = [] {
  std::array<std::string_view, std::size(quantities)> keys{};
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = quantities[k].key;
  return keys;
}();

constexpr std::array parameters{
    render::optional_key("around", Kind::number_or_text, "\"0\"",
                         "central body, by name or number from 0; default: the heaviest"),
    render::bodies_key(
        "bodies whose elements are shown, by name, number from 0 or range, \"0:9\", at most 13; default: all"),
    Parameter{.name = "show",
              .kind = Kind::texts,
              .fallback = "[\"a\", \"e\", \"i\"]",
              .meaning =
                  "elements, a panel each: a, 1/a, P, q (pericentre), Q (apocentre), e, i, Omega, omega, pomega, M, "
                  "E, f, l (mean longitude)",
              .choices = shown_keys},
    Parameter{
        .name = "resonant_angles",
        .kind = Kind::texts,
        .example = "[\"l[1] - pomega[1]\"]",
        .meaning = "sums of angles, shown in a panel of their own, as \"3 l[Neptune] - 2 l[Pluto] - pomega[Pluto]\"",
        .optional = true},
    render::choice_key(
        "plane", "\"ecliptic\"", reference_planes,
        "to which angles refer: the plane x-y; the equator of J2000, if x-y is the ecliptic; or the plane "
        "across the total angular momentum at the start"),
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
    render::interval_key("i_limits", "[0.0, 90.0]", "[from, to] of the inclination; default: all values", "degrees"),
    others_parameter,
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

using Turn = std::function<sim::Vec3(const sim::Vec3&)>;

/// Into axes with z along the angular momentum about the centre of mass and x where the plane ascends through x-y.
Turn to_invariable_plane(const sim::Snapshot& at, const std::vector<double>& mass) {
  sim::Vec3 x, v;
  double total = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const double m = mass[i];
    total += m;
    x.x += m * at.position.x[i], x.y += m * at.position.y[i], x.z += m * at.position.z[i];
    v.x += m * at.velocity.x[i], v.y += m * at.velocity.y[i], v.z += m * at.velocity.z[i];
  }
  sim::Vec3 l;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const double m = mass[i];
    const double rx = at.position.x[i] - x.x / total, ry = at.position.y[i] - x.y / total,
                 rz = at.position.z[i] - x.z / total;
    const double vx = at.velocity.x[i] - v.x / total, vy = at.velocity.y[i] - v.y / total,
                 vz = at.velocity.z[i] - v.z / total;
    l.x += m * (ry * vz - rz * vy), l.y += m * (rz * vx - rx * vz), l.z += m * (rx * vy - ry * vx);
  }
  const double length = std::sqrt(l.x * l.x + l.y * l.y + l.z * l.z), flat = std::hypot(l.x, l.y);
  if (!(length > 0)) return [](const sim::Vec3& u) { return u; };
  const double ux = flat > 0 ? -l.y / flat : 1, uy = flat > 0 ? l.x / flat : 0;
  const sim::Vec3 z{l.x / length, l.y / length, l.z / length}, y{-z.z * uy, z.z * ux, z.x * uy - z.y * ux};
  return [=](const sim::Vec3& u) {
    return sim::Vec3{ux * u.x + uy * u.y, y.x * u.x + y.y * u.y + y.z * u.z, z.x * u.x + z.y * u.y + z.z * u.z};
  };
}

/// Breaks an angle where it passes 360°.
void break_at_turns(Curve& curve) {
  Curve broken;
  for (std::size_t k = 0; k < curve.y.size(); ++k) {
    if (k > 0 && std::abs(curve.y[k] - curve.y[k - 1]) > 180)
      add_point(broken, (curve.time[k] + curve.time[k - 1]) / 2, NAN);
    add_point(broken, curve.time[k], curve.y[k]);
  }
  curve.time = std::move(broken.time), curve.y = std::move(broken.y);
}

/// The panels over time.
struct Panels {
  std::vector<std::vector<Curve>> elements;  ///< [shown, bodies]
  std::vector<Curve> inverse;                ///< 1/a
  std::vector<Curve> angles;                 ///< resonant
  bool parabolic = false;                    ///< an orbit is nearly a parabola, whose a is infinite but for rounding
  std::string unseen{};                      ///< what to say of gaps
};

/// Key `resonant_angles`. Throws Error at the key.
std::vector<std::vector<AngleTerm>> angles_of(const ChartRequest& request, std::size_t center) {
  std::vector<std::vector<AngleTerm>> all;
  if (!request.keys->has("resonant_angles")) return all;
  for (const std::string& text : request.keys->texts("resonant_angles")) {
    try {
      all.push_back(resonant_angle(text, [&](const std::string& name) {
        const std::size_t body = body_named(request, "resonant_angles", name);
        if (body == center)
          throw std::invalid_argument(fmt::format("\"{}\": {} is the centre of the orbits", text, name));
        return body;
      }));
    } catch (const std::invalid_argument& error) {
      request.keys.complain("resonant_angles", error.what());
    }
  }
  return all;
}

Panels panels_of(const ChartRequest& request, std::size_t center, const std::vector<std::size_t>& bodies,
                 const std::vector<const Quantity*>& shown) {
  const std::vector<Curve> none = curves_of_bodies(request.info, bodies);
  Panels all{.elements = std::vector(shown.size(), none), .inverse = none, .angles = {}};
  const auto angles = angles_of(request, center);
  for (std::size_t k = 0; k < angles.size(); ++k)
    all.angles.push_back({.name = request.keys->texts("resonant_angles")[k]});
  if (request.trajectory == nullptr) return all;
  std::vector<std::size_t> needed = bodies;  // also those of angles
  for (const auto& angle : angles)
    for (const AngleTerm& term : angle)
      if (std::ranges::find(needed, term.body) == needed.end()) needed.push_back(term.body);
  std::vector<render::Way> ways(needed.size());
  std::vector<OE> now(needed.size());
  const auto place_of = [&](std::size_t body) {
    return static_cast<std::size_t>(std::ranges::find(needed, body) - needed.begin());
  };
  const std::string& plane = request.keys->text("plane");
  Turn turn;
  if (plane == "equatorial") turn = sim::equatorial_of_ecliptic;
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        if (plane == "invariable" && !turn) turn = to_invariable_plane(at, request.info.mass);
        const auto from_center = [&](const sim::Vectors& of, std::size_t i) {
          return sim::Vec3{of.x[i] - of.x[center], of.y[i] - of.y[center], of.z[i] - of.z[center]};
        };
        for (std::size_t k = 0; k < needed.size(); ++k) {
          const std::size_t i = needed[k];
          const double mu = request.physics.G * (request.info.mass[center] + request.info.mass[i]);
          const sim::Vec3 r = from_center(at.position, i), v = from_center(at.velocity, i);
          const render::Place velocity{v.x, v.y, v.z};
          add_moment(ways[k], {}, at.time, {r.x, r.y, r.z}, &velocity);
          now[k] = turn ? sim::elements_of(mu, turn(r), turn(v), at.time) : sim::elements_of(mu, r, v, at.time);
          if (k >= bodies.size()) continue;
          // 1/a is the difference of 2/r and v²/µ, which positions and velocities know only to their rounding.
          const double part = 2 / render::length({r.x, r.y, r.z});
          double& energy = now[k].inverse_semi_major_axis;
          all.parabolic = all.parabolic || std::abs(energy) < 1e-9 * part;
          if (std::abs(energy) < 1e-14 * part) energy = 0;
          add_point(all.inverse[k], at.time, energy);
          for (std::size_t panel = 0; panel < shown.size(); ++panel)
            add_point(all.elements[panel][k], at.time, now[k].*shown[panel]->value);
        }
        const auto orbit_of = [&](std::size_t body) -> const OE& { return now[place_of(body)]; };
        for (std::size_t k = 0; k < angles.size(); ++k)
          add_point(all.angles[k], at.time, value_of(angles[k], orbit_of));
      },
      request.max_rows);
  const std::vector<render::Way> of_bodies(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(bodies.size()));
  for (std::size_t panel = 0; panel < shown.size(); ++panel) {
    all.unseen = separate(all.elements[panel], of_bodies, {});
    if (shown[panel]->unit == Unit::angle) std::ranges::for_each(all.elements[panel], break_at_turns);
  }
  all.unseen = separate(all.inverse, of_bodies, {});
  for (std::size_t k = 0; k < angles.size(); ++k) {
    std::vector<Curve> one{std::move(all.angles[k])};
    for (const AngleTerm& term : angles[k]) {
      const std::string unseen = separate(one, {ways[place_of(term.body)]}, {});
      if (all.unseen.empty()) all.unseen = unseen;
    }
    break_at_turns(one.front());
    all.angles[k] = std::move(one.front());
  }
  return all;
}

ChartAxis axis_of(const Quantity& quantity, const ChartRequest& request) {
  const auto [length, size] = shown_length(request.info);
  ChartAxis axis{.name = std::string(quantity.name)};
  if (quantity.unit == Unit::length) axis.unit = length, axis.unit_length = size;
  if (quantity.unit == Unit::inverse_length) {
    axis.unit = length.empty() ? "" : "1/" + length;
    axis.unit_length = 1 / size;
  }
  if (quantity.unit == Unit::angle) axis.unit = "°";
  if (quantity.unit == Unit::time) {
    axis.unit = request.info.time_unit;
    axis.unit_length = request.info.time_unit_length;
  }
  const std::string& plane = request.keys->text("plane");
  if (quantity.key == "i") {
    axis.name += plane == "ecliptic"     ? " to the xy plane"
                 : plane == "equatorial" ? " to the equator"
                                         : " to the invariable plane";
  }
  return axis;
}

std::vector<Chart> make(const ChartRequest& request) {
  const std::size_t center = center_of_orbits(request);
  std::vector<const Quantity*> shown;
  for (const std::string& key : request.keys->texts("show")) {
    const Quantity* quantity = std::ranges::find(quantities, key, &Quantity::key);
    if (std::ranges::find(shown, quantity) == shown.end()) shown.push_back(quantity);
  }
  Panels of = panels_of(request, center, orbiting(request, center), shown);
  if (shown.empty() && of.angles.empty()) request.keys.complain("show", "there is nothing to show: name an element");
  // Of nearly parabolic orbits a is infinite or rounding of any size; 1/a is neither.
  const bool inverse = of.parabolic && !request.keys->has("a_limits");
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const bool replaced = inverse && shown[k]->key == "a";
    charts.push_back(chart_over_time(request.info, axis_of(replaced ? quantities[1] : *shown[k], request),
                                     std::move(replaced ? of.inverse : of.elements[k])));
    Chart& chart = charts.back();
    const auto& curves = chart.curves;
    if (shown[k]->key == "a" && !replaced) {
      // a is negative on a hyperbola, and no number in a gap.
      const auto unbound = [](const Curve& c) { return std::ranges::any_of(c.y, [](double a) { return a <= 0; }); };
      const std::string& scale = request.keys->text("scale");
      const bool decades = std::ranges::none_of(curves, unbound) && spans_decades(curves);
      chart.y.logarithmic = scale == "log" || (scale == "auto" && decades);
    }
    const std::string limits = fmt::format("{}_limits", shown[k]->key);
    const bool has_key = shown[k]->key == "a" || shown[k]->key == "e" || shown[k]->key == "i";
    if (has_key && request.keys->has(limits)) {
      set_limits(chart.y, limits, request.keys.values());
    } else if (shown[k]->unit != Unit::angle && request.keys->text("outliers") == "leave-out") {
      chart.y.limits = robust_limits(curves, chart.y.logarithmic);
    }
  }
  if (!of.angles.empty()) {
    charts.push_back(chart_over_time(request.info, {.name = "resonant angle", .unit = "°"}, std::move(of.angles)));
    charts.back().y.limits = Interval{0, 360};
  }
  charts.front().title = "orbits about " + name_of(request.info, center);
  charts.front().remark = of.unseen;
  return charts;
}

}  // namespace

extern const ChartKind elements_chart{
    .figure = render::chart_figure(
        "elements", "osculating elements over time, by default a (1/a of near-parabolas), e and i; resonant angles",
        parameters),
    .make = make,
    .velocities = true,
    .joined = true};

}  // namespace orrery::pipeline
