// SPDX-License-Identifier: MIT
// Bodies of equal mass, uniform in a sphere; velocities are uniform in a sphere too.
#include "sim/initial_states/list.hpp"

#include <algorithm>
#include <cmath>

#include "sim/sampler.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    count_key("1024", "number of bodies, of equal mass"),
    {.name = "mass", .fallback = "1.0", .meaning = "total mass", .unit = "mass", .range = not_negative},
    length_key("radius", "1.0", "of the sphere"),
    {.name = "virial_ratio",
     .fallback = "0.0",
     .meaning = "T/|U| on average, half of the 2T/|W| of `check`; 0: at rest, so that the sphere collapses",
     .range = not_negative},
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto n = static_cast<std::size_t>(arguments.integer("n"));
  const double mass = arguments.number("mass"), radius = arguments.number("radius");
  const double mu = std::max(environment.G, 0.0) * mass;
  // |U| = 3/5 G M²/R, and velocities uniform in a sphere of radius V have T = 3/10 M V².
  const double fastest = std::sqrt(2 * arguments.number("virial_ratio") * mu / radius);
  InitialConditions made;
  Bodies& bodies = made.bodies;
  for (std::size_t i = 0; i < n; ++i) {
    Sampler sampler(environment.random, 16 * std::uint64_t{i});
    const double r = radius * sampler.ball_radius(), speed = fastest * sampler.ball_radius();
    const Vec3 x = sampler.on_sphere(r), v = sampler.on_sphere(speed);
    bodies.position.push_back(x.x, x.y, x.z);
    bodies.velocity.push_back(v.x, v.y, v.z);
  }
  bodies.mass.assign(n, mass / static_cast<double>(n));
  if (mu > 0) {
    made.timescale = pi / 2 * std::sqrt(radius * radius * radius / (2 * mu));
    made.timescale_name = "free-fall time";
  }
  return made;
}

DensityProfile density(const Arguments& arguments) {
  return {DensityProfile::Form::uniform, arguments.number("mass"), arguments.number("radius")};
}

MassProfile enclosed_mass(const Arguments& arguments, const Environment&) {
  const double mass = arguments.number("mass"), radius = arguments.number("radius");
  return [=](double r) {
    const double s = std::min(r / radius, 1.0);
    return mass * s * s * s;
  };
}

}  // namespace

const InitialState uniform_sphere{
    .name = "uniform-sphere",
    .meaning = "bodies uniform in a sphere, by default at rest: it collapses in a free-fall time",
    .parameters = parameters,
    .random = true,
    .make = make,
    .density = density,
    .enclosed_mass = enclosed_mass};

}  // namespace orrery::sim
