// SPDX-License-Identifier: MIT
#include "pipeline/scenario/turning.hpp"

#include <algorithm>
#include <cmath>

#include "sim/initial_state.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t few = 64;

double squared_distance(const sim::Vectors& p, std::size_t i, std::size_t j) {
  const double x = p.x[j] - p.x[i], y = p.y[j] - p.y[i], z = p.z[j] - p.z[i];
  return x * x + y * y + z * z;
}

/// Returns the angular velocities of the Kepler orbit of two bodies; 0 if they are not bound, fall straight, or are torn apart.
Turning orbit_of(const sim::Bodies& bodies, double G, std::size_t i, std::size_t j) {
  const sim::Vectors &p = bodies.position, &v = bodies.velocity;
  const double x = p.x[j] - p.x[i], y = p.y[j] - p.y[i], z = p.z[j] - p.z[i];
  const double u = v.x[j] - v.x[i], w = v.y[j] - v.y[i], s = v.z[j] - v.z[i];
  const double mu = G * (bodies.mass[i] + bodies.mass[j]), r = std::sqrt(x * x + y * y + z * z);
  const double inverse = 2 / r - (u * u + w * w + s * s) / mu;  // 1/a
  if (!(mu > 0) || !(r > 0) || !(inverse * r > 1e-9)) return {};
  const double hx = y * s - z * w, hy = z * u - x * s, hz = x * w - y * u, h2 = hx * hx + hy * hy + hz * hz;
  const double a = 1 / inverse, e = std::sqrt(std::max(0.0, 1 - h2 / (mu * a)));
  if (!(h2 > 0)) return {};
  const double far = a * (1 + e), near = a * (1 - e), own = (bodies.mass[i] + bodies.mass[j]) / (far * far * far);
  double tides = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (k == i || k == j) continue;
    const double d2 = std::min(squared_distance(p, i, k), squared_distance(p, j, k));
    tides += 2 * bodies.mass[k] / (d2 * std::sqrt(d2));
  }
  if (!(tides < own)) return {};
  return {.mean = std::sqrt(mu * inverse) * inverse, .pericentre = std::sqrt(h2) / (near * near)};
}

}  // namespace

Turning turning_of(const sim::Bodies& bodies, double G, double timescale) {
  Turning fastest;
  if (timescale > 0) fastest.mean = fastest.pericentre = 2 * sim::pi / timescale;
  if (bodies.size() > few) return fastest;
  for (std::size_t i = 0; i < bodies.size() && G > 0; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Turning of = orbit_of(bodies, G, i, j);
      fastest.mean = std::max(fastest.mean, of.mean);
      fastest.pericentre = std::max(fastest.pericentre, of.pericentre);
    }
  }
  return fastest;
}

std::int64_t frames_to_follow(const sim::Model& model, double timescale, double G) {
  if (model.bodies.size() > few) return 0;
  const double turned = std::abs(model.end()) * turning_of(model.bodies, G, timescale).pericentre;
  return turned > 0 && turned < 1e15 ? static_cast<std::int64_t>(std::ceil(turned / followed_angle)) + 1 : 0;
}

}  // namespace orrery::pipeline
