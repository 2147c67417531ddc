// SPDX-License-Identifier: MIT
// A periodic orbit of the restricted three-body problem, in inertial axes: Arenstorf 1963, Am. J. Math. 85, 27, with
// the μ of Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.0; speed and period were refined in
// 113-bit arithmetic until the orbit closes to 1.2e-24.
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "of Earth and Moon together", .unit = "mass", .range = positive},
    length_key("distance", "1.0", "between Earth and Moon, on a circular orbit"),
};

// For G = mass = distance = 1, in axes that rotate with the Moon, once in 2π.
constexpr double moon = 0.012277471;
constexpr double x = 0.994, vy = -2.00158510637908252240537862224;
constexpr double period = 17.0652165601579625588917206249;

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const double mass = arguments.number("mass"), d = arguments.number("distance");
  const double mu = environment.G * mass;
  require_attraction(mu, "mass");
  const double speed = std::sqrt(mu / d);

  InitialConditions made;
  Bodies& bodies = made.bodies;
  bodies.names = {"Earth", "Moon", "spacecraft"};
  bodies.mass = {(1 - moon) * mass, moon * mass, 0};
  bodies.position = {{-moon * d, 0, 0}, {(1 - moon) * d, 0, 0}, {x * d, 0, 0}};
  // The velocities in axes at rest also contain ω × r.
  bodies.velocity = {{0, -moon * speed, 0}, {0, (1 - moon) * speed, 0}, {0, (vy + x) * speed, 0}};
  made.timescale = period * d / speed;
  made.timescale_name = "period";
  return made;
}

}  // namespace

const InitialState arenstorf{
    .name = "arenstorf",
    .meaning = "Earth, Moon and a massless spacecraft whose orbit is closed in axes that rotate with the Moon",
    .references = {literature::arenstorf1963},
    .parameters = parameters,
    .make = make};

}  // namespace orrery::sim
