// SPDX-License-Identifier: MIT
#include "sim/orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/angles.hpp"
#include "sim/stumpff.hpp"

namespace orrery::sim {
namespace {

using Precise = TwoDoubles;

struct PreciseVector {
  Precise x = 0.0, y = 0.0, z = 0.0;
};

PreciseVector precise(const Vec3& v) {
  return {v.x, v.y, v.z};
}
Vec3 rounded(const PreciseVector& v) {
  return {v.x.high, v.y.high, v.z.high};
}
Precise inner(const PreciseVector& a, const PreciseVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
PreciseVector outer(const PreciseVector& a, const PreciseVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PreciseVector scaled(const PreciseVector& v, Precise by) {
  return {v.x * by, v.y * by, v.z * by};
}
PreciseVector sum(const PreciseVector& a, const PreciseVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

bool given(double x) {
  return !std::isnan(x);
}

/// A conic by its pericentre distance, eccentricity and 1/a = (1 − e)/q, each to full precision.
struct Conic {
  Precise q = 0.0, e = 0.0, inverse_a = 0.0;
  Precise mu = 0.0;
};

/// In the plane of the orbit, with pericentre on the x axis.
struct PlaneState {
  Precise x, y, vx, vy;
};

/// ∛x for x > 0.
Precise cube_root(Precise x) {
  const Precise y = root(x.high, 3);
  return y - (y * y * y - x) / (Precise(3.0) * y * y);
}

Conic conic_of(const OrbitalElements& of, double mu) {
  const bool sized = given(of.semi_major_axis) || given(of.period);
  Precise a = of.semi_major_axis;
  if (!given(of.semi_major_axis) && given(of.period)) {
    const Precise n = precise_pi * 2.0 / of.period;
    a = cube_root(Precise(mu) / (n * n));
  }
  const Precise Q = of.apocentre;
  Precise q = of.pericentre, e = given(of.eccentricity) ? of.eccentricity : 0.0;
  // Of two distances e is known better than it can be given, if it is nearly 1.
  if (sized && given(of.pericentre)) return {q, Precise(1.0) - q / a, Precise(1.0) / a, mu};
  if (sized && given(of.apocentre)) return {a * 2.0 - Q, Q / a - 1.0, Precise(1.0) / a, mu};
  if (sized) return {a * (Precise(1.0) - e), e, Precise(1.0) / a, mu};
  if (given(of.pericentre) && given(of.apocentre)) return {q, (Q - q) / (Q + q), Precise(2.0) / (q + Q), mu};
  if (!given(of.pericentre)) q = Q * (Precise(1.0) - e) / (e + 1.0);
  return {q, e, (Precise(1.0) - e) / q, mu};
}

/// √µ (t − T) at a universal anomaly s from pericentre, where r = q + e s² c₂.
template <class Real>
Real kepler(Real q, Real e, Real s, const Stumpff<Real>& c) {
  return q * s + e * s * s * s * c.c3;
}

/// The anomaly s at √µ (t − T), by Newton's method: the left side is convex for s > 0.
Precise universal_anomaly(const Conic& conic, Precise time) {
  const double q = conic.q.high, e = conic.e.high, alpha = conic.inverse_a.high;
  const double sign = time.high < 0 ? -1 : 1, target = sign * time.high;
  // Bounds of the root from one term each with c₃(0), for an ellipse only near them.
  double s = target / q;
  if (e > 1e-10) s = std::min(s, root(6 * target / e + std::numeric_limits<double>::min(), 3));
  const double size = std::sqrt(std::abs(alpha));
  if (alpha > 0) s = std::min(s, precise_pi.high / size);
  if (alpha < 0) {
    const double mean = target * size * size * size;  // M = e sinh H − H
    s = std::min(s, natural_log(2 * mean / e + 1.8) / size);
  }
  for (int k = 0; k < 60; ++k) {
    const auto c = stumpff(alpha * s * s);
    const double step = (kepler(q, e, s, c) - target) / (q + e * s * s * c.c2);
    s -= step;
    if (alpha > 0) s = std::clamp(s, 0.0, precise_pi.high / size);
    if (std::abs(step) <= 1e-14 * s) break;
  }
  Precise exact = s;
  for (int k = 0; k < 2; ++k) {
    const auto c = stumpff(conic.inverse_a * exact * exact);
    exact = exact - (kepler(conic.q, conic.e, exact, c) - time * sign) / (conic.q + conic.e * exact * exact * c.c2);
  }
  return exact * sign;
}

PlaneState at_anomaly(const Conic& conic, Precise s) {
  const auto [c0, c1, c2, c3] = stumpff(conic.inverse_a * s * s);
  const Precise s2c2 = s * s * c2, r = conic.q + conic.e * s2c2, root_mu = square_root(conic.mu);
  const Precise breadth = square_root(conic.q * (conic.e + 1.0));
  return {conic.q - s2c2, breadth * s * c1, -(root_mu * s * c1 / r), root_mu * breadth * c0 / r};
}

PlaneState at_true_anomaly(const Conic& conic, double f) {
  const auto [cosine, sine] = precise_direction_of_degrees(f);
  const Precise p = conic.q * (conic.e + 1.0), r = p / (conic.e * cosine + 1.0), v = square_root(conic.mu / p);
  return {r * cosine, r * sine, -(v * sine), v * (conic.e + cosine)};
}

Precise radians_of(double degrees) {
  return Precise(degrees) * (precise_pi / 180.0);
}

double degrees_of(Precise radians) {
  return (radians * (Precise(180.0) / precise_pi)).high;
}
/// In [0, 360).
double positive_degrees(Precise radians) {
  const double degrees = degrees_of(radians.high < 0 ? radians + precise_pi * 2.0 : radians);
  return degrees >= 360 ? degrees - 360 : degrees;
}

/// A point of the orbit as s and √µ (t − T).
struct Anomaly {
  Precise s, time;
};

/// From s c₁ = y/√(q (1 + e)) and c₀ = 1 − (q − x)/a.
Anomaly anomaly_of(const Conic& conic, Precise x, Precise y) {
  const Precise target = y / square_root(conic.q * (conic.e + 1.0));
  const Precise cosine = Precise(1.0) - conic.inverse_a * (conic.q - x);
  const double alpha = conic.inverse_a.high, size = std::sqrt(std::abs(alpha)), sine = size * target.high;
  double s = target.high;
  if (alpha > 0 && !(std::abs(sine) < 1e-8 && cosine.high > 0)) s = arc_tangent(sine, cosine.high) / size;
  if (alpha < 0 && std::abs(sine) > 1e-3)
    s = std::copysign(natural_log(std::abs(sine) + std::sqrt(sine * sine + 1)), sine) / size;
  Precise exact = s;
  for (int k = 0; k < 3; ++k) {
    const auto c = stumpff(conic.inverse_a * exact * exact);
    // The left side is sin(E − E_k)/√α on an ellipse, where Newton's method would fail at E = 90°.
    exact = exact + (alpha > 0 ? target * c.c0 - exact * c.c1 * cosine : (target - exact * c.c1) / c.c0);
  }
  return {exact, kepler(conic.q, conic.e, exact, stumpff(conic.inverse_a * exact * exact))};
}

/// Fills in the size, anomalies and the time of pericentre, in the plane of the orbit.
void fill_plane(OrbitalElements& of, const Conic& conic, Precise x, Precise y, double t) {
  const double alpha = conic.inverse_a.high;
  const bool ellipse = alpha > 0;
  of.inverse_semi_major_axis = alpha;
  of.semi_major_axis = (Precise(1.0) / conic.inverse_a).high;
  if (alpha == 0) of.semi_major_axis = std::numeric_limits<double>::infinity();
  of.pericentre = conic.q.high;
  of.eccentricity = conic.e.high;
  const Precise size = square_root(ellipse ? conic.inverse_a : -conic.inverse_a), root_mu = square_root(conic.mu);
  if (ellipse) {
    of.apocentre = (Precise(2.0) / conic.inverse_a - conic.q).high;
    of.period = (precise_pi * 2.0 / (root_mu * size * size * size)).high;
  }
  const auto in_range = [&](Precise radians) { return ellipse ? positive_degrees(radians) : degrees_of(radians); };
  const auto [s, time] = anomaly_of(conic, x, y);
  of.time_of_pericentre = (Precise(t) - time / root_mu).high;
  of.true_anomaly = in_range(arc_tangent(y, x));
  if (alpha == 0) return;
  of.mean_anomaly = in_range(size * size * size * time);
  of.eccentric_anomaly = in_range(size * s);
}

double or_zero(double x) {
  return given(x) ? x : 0;
}

/// ω and ϖ in degrees, each from the other if only that is given.
Precise argument_of(const OrbitalElements& of) {
  if (given(of.argument_of_pericentre) || !given(of.longitude_of_pericentre)) return or_zero(of.argument_of_pericentre);
  return Precise::sum(std::remainder(of.longitude_of_pericentre, 360.0),
                      -std::remainder(or_zero(of.ascending_node), 360.0));
}
Precise longitude_of(const OrbitalElements& of) {
  if (given(of.longitude_of_pericentre) && !given(of.argument_of_pericentre)) return of.longitude_of_pericentre;
  return Precise::sum(or_zero(of.ascending_node), or_zero(of.argument_of_pericentre));
}

PlaneState plane_state_of(const Conic& conic, const OrbitalElements& of, double t) {
  if (given(of.true_anomaly)) return at_true_anomaly(conic, of.true_anomaly);
  const bool ellipse = conic.inverse_a.high > 0;
  const Precise size = square_root(ellipse ? conic.inverse_a : -conic.inverse_a);  // 1/√|a|
  if (given(of.eccentric_anomaly)) {
    const double within = ellipse ? std::remainder(of.eccentric_anomaly, 360.0) : of.eccentric_anomaly;
    return at_anomaly(conic, radians_of(within) / size);
  }
  const auto at_mean = [&](Precise mean) {
    return at_anomaly(conic, universal_anomaly(conic, mean / (size * size * size)));
  };
  const auto within = [&](double degrees) { return ellipse ? std::remainder(degrees, 360.0) : degrees; };
  if (given(of.mean_anomaly)) return at_mean(radians_of(within(of.mean_anomaly)));
  if (given(of.mean_longitude)) {
    const Precise mean = Precise(within(of.mean_longitude)) - longitude_of(of);
    const double turns = ellipse ? std::floor(mean.high / 360 + 0.5) : 0;
    return at_mean((mean - 360 * turns) * (precise_pi / 180.0));
  }
  if (!given(of.time_of_pericentre)) return at_anomaly(conic, 0.0);
  Precise since = Precise::sum(t, -of.time_of_pericentre);
  const Precise root_mu = square_root(conic.mu);
  if (ellipse) {
    const Precise period = precise_pi * 2.0 / (size * size * size * root_mu);
    since = since - period * std::floor((since / period).high + 0.5);
  }
  return at_anomaly(conic, universal_anomaly(conic, since * root_mu));
}

/// What is wrong with the size and shape, one sentence each.
void check_size(const OrbitalElements& of, std::vector<std::string>& faults) {
  const double a = of.semi_major_axis, q = of.pericentre, Q = of.apocentre, e = of.eccentricity;
  const auto must_be_positive = [&](double value, const char* name) {
    if (value <= 0) faults.push_back(fmt::format("`{}` = {} must be positive", name, value));
  };
  must_be_positive(of.period, "period");
  must_be_positive(q, "pericentre");
  must_be_positive(Q, "apocentre");
  if (a == 0) faults.emplace_back("`semi_major_axis` must not be 0");
  if (e < 0) faults.push_back(fmt::format("`eccentricity` = {} must be at least 0", e));
  if (!given(a) && !given(of.period) && !given(q) && !given(Q)) {
    faults.emplace_back("its size is missing: give `semi_major_axis`, `period`, `pericentre` or `apocentre`");
  }
  if (a < 0 && !given(e) && !given(q)) {
    faults.push_back(fmt::format("`semi_major_axis` = {} is a hyperbola's: give `eccentricity` or `pericentre`", a));
  }
  if (a < 0 && e <= 1)
    faults.push_back(fmt::format("`semi_major_axis` = {} is a hyperbola's, and `eccentricity` = {} is not", a, e));
  if (a > 0 && e == 1)
    faults.emplace_back("a parabola, `eccentricity` = 1, has no `semi_major_axis`: give `pericentre`");
  if (a > 0 && e > 1)
    faults.push_back(fmt::format("`semi_major_axis` = {} must be negative on a hyperbola, `eccentricity` = {}", a, e));
  if ((e >= 1 || a < 0) && given(of.period)) faults.emplace_back("only an ellipse, `eccentricity` < 1, has a `period`");
  if ((e >= 1 || a < 0) && given(Q)) faults.emplace_back("only an ellipse, `eccentricity` < 1, has an `apocentre`");
  if (q > Q) faults.push_back(fmt::format("`pericentre` = {} is above `apocentre` = {}", q, Q));
  if (a > 0 && q > a) faults.push_back(fmt::format("`pericentre` = {} is above `semi_major_axis` = {}", q, a));
  if (a > 0 && Q < a) faults.push_back(fmt::format("`apocentre` = {} is below `semi_major_axis` = {}", Q, a));
  if (a > 0 && Q >= 2 * a)
    faults.push_back(fmt::format("`apocentre` = {} is not below twice `semi_major_axis` = {}", Q, a));
}

/// The true anomaly of the asymptotes in degrees.
double asymptote(const Conic& conic) {
  const Precise cosine = Precise(-1.0) / conic.e;
  return degrees_of(arc_tangent(square_root(Precise(1.0) - cosine * cosine), cosine));
}

/// What is wrong with the place on a conic.
void check_place(const OrbitalElements& of, const Conic& conic, std::vector<std::string>& faults) {
  if (conic.inverse_a.high == 0) {
    for (const OrbitalElement& element : orbital_element_list) {
      const bool mean = element.symbol == "M" || element.symbol == "E" || element.symbol == "l";
      if (mean && given(of.*element.value))
        faults.push_back(
            fmt::format("a parabola has no `{}`: give `true_anomaly` or `time_of_pericentre`", element.name));
    }
  }
  if (given(of.true_anomaly) && !((conic.e * precise_direction_of_degrees(of.true_anomaly).cosine + 1.0).high > 0)) {
    faults.push_back(
        fmt::format("`true_anomaly` = {} is beyond the asymptote of `eccentricity` = {}: between -{}° and {}°",
                    of.true_anomaly, conic.e.high, asymptote(conic), asymptote(conic)));
  }
}

/// Which of the given elements are not those of the orbit that follows from the others.
void check_agreement(const OrbitalElements& of, const OrbitalElements& found, std::vector<std::string>& faults) {
  constexpr double tolerance = 1e-6;
  for (const OrbitalElement& element : orbital_element_list) {
    const double one = of.*element.value, other = found.*element.value;
    if (!given(one) || !given(other)) continue;
    double apart = std::abs(one - other), scale = std::max(std::abs(one), std::abs(other));
    if (element.unit == "angle") {
      if (found.eccentricity < 1 || element.symbol == "f") apart = std::abs(std::remainder(one - other, 360.0));
      scale = std::max(scale, 360.0);
    } else if (element.symbol == "T") {
      if (given(found.period)) apart = std::abs(std::remainder(one - other, found.period));
      scale = given(found.period) ? found.period : std::max(scale, 1e-300);
    } else if (element.symbol == "e") {
      scale = std::max(scale, 1.0);
    }
    if (apart > tolerance * scale)
      faults.push_back(
          fmt::format("`{}` = {} contradicts the other elements, which give {}", element.name, one, other));
  }
}

/// All elements that do not depend on the state but on how the orbit lies.
void fill_longitudes(OrbitalElements& of, Precise node, Precise argument) {
  of.ascending_node = node.high;
  of.argument_of_pericentre = argument.high;
  const auto within = [](Precise degrees) {
    const double turns = std::floor(degrees.high / 360);
    const double x = (degrees - 360 * turns).high;
    return x >= 360 ? x - 360 : x < 0 ? x + 360 : x;
  };
  of.longitude_of_pericentre = within(node + argument);
  if (given(of.mean_anomaly)) of.mean_longitude = within(node + argument + of.mean_anomaly);
}

PreciseVector turned_about_x(const PreciseVector& v, const PreciseDirection& by) {
  return {v.x, by.cosine * v.y - by.sine * v.z, by.sine * v.y + by.cosine * v.z};
}
PreciseVector turned_about_z(const PreciseVector& v, const PreciseDirection& by) {
  return {by.cosine * v.x - by.sine * v.y, by.sine * v.x + by.cosine * v.y, v.z};
}

PreciseDirection obliquity() {
  return precise_direction(Precise(obliquity_arcseconds) / 3600.0 * (precise_pi / 180.0));
}

}  // namespace

std::vector<std::string> faults_of(const OrbitalElements& elements, double mu, double t) {
  std::vector<std::string> faults;
  check_size(elements, faults);
  const bool sized = faults.empty();
  if (elements.inclination < 0 || elements.inclination > 180)
    faults.push_back(fmt::format("`inclination` = {} must be from 0 to 180 degrees", elements.inclination));
  if (!sized) return faults;
  const Conic conic = conic_of(elements, mu);
  check_place(elements, conic, faults);
  if (!faults.empty()) return faults;
  OrbitalElements found;
  const PlaneState at = plane_state_of(conic, elements, t);
  fill_plane(found, conic, at.x, at.y, t);
  fill_longitudes(found, or_zero(elements.ascending_node), argument_of(elements));
  check_agreement(elements, found, faults);
  return faults;
}

RelativeState state_of(const OrbitalElements& elements, double mu, double t) {
  const Conic conic = conic_of(elements, mu);
  const PlaneState at = plane_state_of(conic, elements, t);
  const Precise argument = argument_of(elements);
  const PreciseDirection in_plane = argument.low == 0 ? precise_direction_of_degrees(argument.high)
                                                      : precise_direction(argument * (precise_pi / 180.0));
  const auto inclination = precise_direction_of_degrees(or_zero(elements.inclination));
  const auto node = precise_direction_of_degrees(or_zero(elements.ascending_node));
  const auto in_space = [&](Precise x, Precise y) {
    return rounded(turned_about_z(turned_about_x(turned_about_z({x, y, 0.0}, in_plane), inclination), node));
  };
  return {in_space(at.x, at.y), in_space(at.vx, at.vy)};
}

OrbitalElements elements_of(double mu, const Vec3& position, const Vec3& velocity, double t) {
  const PreciseVector r = precise(position), v = precise(velocity), h = outer(r, v);
  const Precise distance = square_root(inner(r, r)), h2 = inner(h, h);
  Conic conic{.inverse_a = Precise(2.0) / distance - inner(v, v) / mu, .mu = mu};
  OrbitalElements found;
  if (!(h2.high > 0)) {  // a straight line
    conic.e = 1.0;
    found.eccentricity = 1;
    found.pericentre = 0;
    found.inverse_semi_major_axis = conic.inverse_a.high;
    found.semi_major_axis = (Precise(1.0) / conic.inverse_a).high;
    return found;
  }
  const PreciseVector laplace = sum(scaled(outer(v, h), Precise(1.0) / mu), scaled(r, Precise(-1.0) / distance));
  conic.e = square_root(inner(laplace, laplace));
  conic.q = h2 / (Precise(mu) * (conic.e + 1.0));

  const PreciseVector pole = scaled(h, Precise(1.0) / square_root(h2));
  const Precise tilt = square_root(pole.x * pole.x + pole.y * pole.y);
  const PreciseVector node =
      tilt.high > 0 ? PreciseVector{-(pole.y / tilt), pole.x / tilt, 0.0} : PreciseVector{1.0, 0.0, 0.0};
  const PreciseVector to_pericentre = conic.e.high > 0 ? scaled(laplace, Precise(1.0) / conic.e) : node;
  fill_plane(found, conic, inner(r, to_pericentre), inner(r, outer(pole, to_pericentre)), t);
  found.inclination = degrees_of(arc_tangent(tilt, pole.z));
  const auto degrees = [](Precise y, Precise x) { return positive_degrees(arc_tangent(y, x)); };
  fill_longitudes(found, degrees(node.y, node.x),
                  degrees(inner(to_pericentre, outer(pole, node)), inner(to_pericentre, node)));
  return found;
}

Vec3 ecliptic_of_equatorial(const Vec3& v) {
  const auto [cosine, sine] = obliquity();
  return rounded(turned_about_x(precise(v), {cosine, -sine}));
}

Vec3 equatorial_of_ecliptic(const Vec3& v) {
  return rounded(turned_about_x(precise(v), obliquity()));
}

}  // namespace orrery::sim
