// SPDX-License-Identifier: MIT
// Sources: Standish, E. M. 1998, JPL Planetary and Lunar Ephemerides, DE405/LE405, JPL IOM 312.F-98-048, for states, masses, and
// radius and J2 of the Earth; IERS Conventions (2010), eq. 10.12, for the Schwarzschild term with β = γ = 1; Gragg 1965 (SIAM
// J. Numer. Anal. 2, 384) for the method.
#include "sim/initial_states/ephemeris.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::sim::ephemeris {
namespace {

constexpr double speed_of_light = 299792458.0 * 86400 / 149597870700;  // au/d
constexpr double earth_radius = 6378.137 / 149597870.7, earth_J2 = 0.001082626;

Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 operator*(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The derivative of all states: velocities and accelerations.
States derivative(const States& at) {
  States rate;
  for (std::size_t i = 0; i < body_count; ++i) rate[i].position = at[i].velocity;
  /// Adds the acceleration of j by i and what it is answered with: mass times acceleration stays 0 in sum.
  const auto pull = [&](std::size_t i, std::size_t j, const Vec3& of_j) {
    rate[j].velocity = rate[j].velocity + of_j;
    rate[i].velocity = rate[i].velocity - (gm[j] / gm[i]) * of_j;
  };
  for (std::size_t i = 0; i < body_count; ++i) {
    for (std::size_t j = i + 1; j < body_count; ++j) {
      const Vec3 d = at[j].position - at[i].position;
      const double r2 = dot(d, d);
      pull(i, j, (-gm[i] / (r2 * std::sqrt(r2))) * d);
    }
  }
  for (std::size_t j = mercury; j < body_count; ++j) {
    const Vec3 d = at[j].position - at[sun].position, v = at[j].velocity - at[sun].velocity;
    const double r2 = dot(d, d), r = std::sqrt(r2);
    const double scale = gm[sun] / (speed_of_light * speed_of_light * r2 * r);
    pull(sun, j, scale * ((4 * gm[sun] / r - dot(v, v)) * d + 4 * dot(d, v) * v));
  }
  const Vec3 d = at[moon].position - at[earth].position;
  const double r2 = dot(d, d), sine2 = d.z * d.z / r2;  // of the declination
  const double scale = 1.5 * gm[earth] * earth_J2 * earth_radius * earth_radius / (r2 * r2 * std::sqrt(r2));
  pull(earth, moon, scale * Vec3{(5 * sine2 - 1) * d.x, (5 * sine2 - 1) * d.y, (5 * sine2 - 3) * d.z});
  return rate;
}

/// a + s·b.
States sum(const States& a, double s, const States& b) {
  States all;
  for (std::size_t i = 0; i < body_count; ++i)
    all[i] = {a[i].position + s * b[i].position, a[i].velocity + s * b[i].velocity};
  return all;
}

/// One step by the modified midpoint rule in `parts` parts, whose error is a series in even powers of their length.
States midpoints(const States& from, const States& rate, double step, int parts) {
  const double part = step / parts;
  States before = from, now = sum(from, part, rate);
  for (int k = 1; k < parts; ++k) {
    const States after = sum(before, 2 * part, derivative(now));
    before = now;
    now = after;
  }
  // (before + now + part · rate of now) / 2
  return sum(before, 0.5, sum(sum(now, part, derivative(now)), -1, before));
}

/// One step by Gragg's extrapolation with 2, 4, … 16 parts, of order 16.
States extrapolated(const States& from, double step) {
  constexpr int columns = 8;
  const States rate = derivative(from);
  std::array<States, columns> row;  // of Neville's scheme
  for (int k = 0; k < columns; ++k) {
    row[k] = midpoints(from, rate, step, 2 * (k + 1));
    for (int m = k - 1; m >= 0; --m) {
      const double ratio = static_cast<double>(k + 1) / (m + 1);
      row[m] = sum(row[m + 1], 1 / (ratio * ratio - 1), sum(row[m + 1], -1, row[m]));
    }
  }
  return row[0];
}

/// The states after `time` days, in steps of at most two: a fourteenth of a month.
States moved(States states, double time) {
  const double steps = std::ceil(std::fabs(time) / 2);
  for (double k = 0; k < steps; ++k) states = extrapolated(states, time / steps);
  return states;
}

}  // namespace

States states_at(double date) {
  const double along = (date - first_date) / between_nodes;
  const int left = std::min(static_cast<int>(along), node_count - 2);
  const double weight = along - left;
  const States forward = moved(nodes[left], weight * between_nodes);
  const States backward = moved(nodes[left + 1], (weight - 1) * between_nodes);
  return sum(forward, weight, sum(backward, -1, forward));
}

}  // namespace orrery::sim::ephemeris
