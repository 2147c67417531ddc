// SPDX-License-Identifier: MIT
// The outer solar system of Hairer, Lubich & Wanner, Geometric Numerical Integration, I.2.4, after Ahnerts
// Kalender für Sternfreunde 1994: September 5, 1994, 0h; au, days, and masses of the Sun, to which those of the inner
// planets are added. Axes are those of the mean equator and equinox J2000, as the inclinations and nodes of the orbits show.
#include "sim/initial_states/astronomical.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

struct Planet {
  const char* name;
  double mass;
  double x, y, z, vx, vy, vz;
};

constexpr Planet all[] = {
    {"Sun", 1.00000597682, 0, 0, 0, 0, 0, 0},
    {"Jupiter", .000954786104043, -3.5023653, -3.8169847, -1.5507963, .00565429, -.00412490, -.00190589},
    {"Saturn", .000285583733151, 9.0755314, -3.0458353, -1.6483708, .00168318, .00483525, .00192462},
    {"Uranus", .0000437273164546, 8.3101420, -16.2901086, -7.2521278, .00354178, .00137102, .00055029},
    {"Neptune", .0000517759138449, 11.4707666, -25.7294829, -10.8169456, .00288930, .00114527, .00039677},
    {"Pluto", 1 / 1.3e8, -15.5387357, -25.2225594, -3.1902382, .00276725, -.00170702, -.00136504},
};
/// Cosine and sine of the obliquity of the ecliptic J2000, 84381.448″ (IAU 1976).
constexpr double cosine = 0.91748206206918181, sine = 0.39777715593191371;
constexpr double their_G = 2.95912208286e-4;  // au³/(M☉ d²)

constexpr std::string_view frames[] = {"equatorial", "ecliptic"};
constexpr Parameter parameters[] = {
    {.name = "frame",
     .kind = Kind::text,
     .fallback = "\"equatorial\"",
     .meaning = "of x, y and z: equatorial J2000, as published, or ecliptic J2000, as orbital elements usually are",
     .choices = frames},
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const bool ecliptic = arguments.text("frame") == "ecliptic";
  const AstronomicalScale to(environment, their_G);
  InitialConditions made;
  Bodies& bodies = made.bodies;
  const auto add = [&](Vectors& of_all, double scale, double x, double y, double z) {
    ecliptic ? of_all.push_back(scale * x, scale * (cosine * y + sine * z), scale * (cosine * z - sine * y))
             : of_all.push_back(scale * x, scale * y, scale * z);
  };
  for (const Planet& p : all) {
    bodies.names.emplace_back(p.name);
    bodies.mass.push_back(to.mass * p.mass);
    add(bodies.position, to.length, p.x, p.y, p.z);
    add(bodies.velocity, to.speed, p.vx, p.vy, p.vz);
  }
  if (to.speed > 0) {
    const Planet& p = all[1];  // Jupiter, on its initial osculating ellipse about the Sun
    const double mu = their_G * (all[0].mass + p.mass), r = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    const double a = 1 / (2 / r - (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz) / mu);
    made.timescale = 2 * pi * std::sqrt(a * a * a / mu) * to.length / to.speed;
    made.timescale_name = "period";
  }
  return made;
}

}  // namespace

const InitialState outer_solar_system{
    .name = "outer-solar-system",
    .meaning =
        "Sun, Jupiter, Saturn, Uranus, Neptune and Pluto on September 5, 1994, in the units of the scenario; without "
        "`units` in au, M☉ and, with G = 2.95912208286e-4, days; a period is Jupiter's",
    .references = {{literature::hairer2006, "I.2.4"}},
    .parameters = parameters,
    .make = make};

}  // namespace orrery::sim
