// SPDX-License-Identifier: MIT
// Figure "elements": semi-major axis, eccentricity, and inclination to the xy plane, of orbits about one body.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pipeline/pictures/series.hpp"
#include "render/chart/marks.hpp"
#include "sim/analysis/kepler_orbit.hpp"

namespace orrery::pipeline {
namespace {

/// Whether it has at least as much mass as all other bodies, so that they orbit it rather than each other.
bool dominates(const std::vector<double>& mass, std::size_t center) {
  return 2 * mass[center] >= std::accumulate(mass.begin(), mass.end(), 0.0);
}

/// Lists a, e, i and, if an orbit is nearly a parabola, whose a is infinite but for rounding, 1/a.
std::vector<render::Series> make(const SeriesRequest& request) {
  const std::vector<double>& mass = request.info.mass;
  if (!request.physics.unknown.empty()) request.keys.complain("kind", request.physics.unknown);
  if (!(request.physics.G > 0)) request.keys.complain("kind", "elements need gravity between the bodies");
  auto center = static_cast<std::size_t>(std::ranges::max_element(mass) - mass.begin());
  if (const Value* around = request.keys->find("around")) center = body_named(request, "around", text_of(*around));
  if (!(mass[center] > 0)) {
    request.keys.complain(
        "around", fmt::format("{} has no mass: set `around` to a body with mass", name_of(request.info, center)));
  }
  std::vector<std::size_t> bodies = selected_bodies(request, render::different_marks + 1);
  if (!request.keys->has("around") && mass.size() > 2 && !dominates(mass, center)) {
    request.keys.complain("around",
                          fmt::format("no body has as much mass as all others together ({} has the most): choose the "
                                      "centre of the orbits, around = \"{}\", or draw `separation`",
                                      name_of(request.info, center), key_of_body(request.info, center)));
  }
  std::erase(bodies, center);
  if (bodies.empty()) request.keys.complain("bodies", "there is no body except the centre");
  std::vector<render::Series> all = series_of_bodies(request.info, bodies, 3);
  for (render::Series& series : all) series.about = name_of(request.info, center);
  if (request.trajectory == nullptr) return all;
  std::vector<render::Way> ways(bodies.size());
  std::vector<std::vector<double>> inverse(bodies.size());  // 1/a
  bool parabolic = false;
  each_snapshot(
      *request.trajectory,
      [&](const sim::Snapshot& at) {
        const auto from_center = [&](const sim::Vectors& of, std::size_t i) {
          return sim::Vec3{of.x[i] - of.x[center], of.y[i] - of.y[center], of.z[i] - of.z[center]};
        };
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          const std::size_t i = bodies[k];
          const double mu = request.physics.G * (mass[center] + mass[i]);
          const sim::Vec3 r = from_center(at.position, i), v = from_center(at.velocity, i);
          const render::Place velocity{v.x, v.y, v.z};
          add_moment(ways[k], {}, at.time, {r.x, r.y, r.z}, &velocity);
          const auto orbit = sim::orbital_elements(mu, r, v);
          // 1/a is the difference of 2/r and v²/µ, each of which is rounded.
          const double part = 2 / render::length({r.x, r.y, r.z});
          const double energy = 1 / orbit.semi_major_axis;
          inverse[k].push_back(std::abs(energy) < 1e-14 * part ? 0 : energy);
          parabolic = parabolic || std::abs(energy) < 1e-9 * part;
          add_row(all[k], at.time, {orbit.semi_major_axis, orbit.eccentricity, orbit.inclination * 180 / M_PI});
        }
      },
      request.most_rows);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (parabolic) all[k].values.push_back(std::move(inverse[k]));
    separate(all[k], ways[k], {});
  }
  return all;
}

}  // namespace

extern const SeriesKind element_series{.figure = "elements", .make = make, .velocities = true, .joined = true};

}  // namespace orrery::pipeline
