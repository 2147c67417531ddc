// SPDX-License-Identifier: MIT
// Plummer's sphere with isotropic velocities: Aarseth, Hénon & Wielen 1974, Astron. Astrophys. 37, 183.
#include <algorithm>
#include <cmath>

#include "sim/initial_states/spherical.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter own_keys[] = {
    count_key("1024", "number of bodies"),
    total_mass_key,
    length_key("virial_radius", "1.0",
               "G mass²/2|U|, which is 16/3π scale lengths: 1 in Hénon's units, where the energy is −1/4"),
    virial_ratio_key,
};
constexpr auto parameters = with_star_keys(own_keys);

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const double mass = arguments.number("mass"), radius = arguments.number("virial_radius");
  const double a = 3 * pi / 16 * radius, mu = std::max(environment.G, 0.0) * mass;
  const double unit = std::sqrt(2 * arguments.number("virial_ratio") * 2 * mu / a);  // escape speed at the centre
  InitialConditions made;
  made.bodies = make_stars(arguments, environment, radius, [&](Sampler& sampler) -> PhasePoint {
    // The mass fraction within r is s³ for s = r/√(r² + a²), and 1 + (r/a)² = 1/(1 − s²). The outermost thousandth,
    // which extends to infinity, is left out.
    double s = 0;
    do {
      s = sampler.ball_radius();
    } while (s * s * s > 0.999);
    const double depth = std::sqrt(1 - s * s);
    const Vec3 x = sampler.on_sphere(a * (s / depth));
    // The speed is q times the escape speed; q has the density q²(1 − q²)^(7/2), at most 0.0925.
    double q = 0, p = 0;
    do {
      q = sampler.uniform(), p = 1 - q * q;
    } while (0.0925 * sampler.uniform() > q * q * p * p * p * std::sqrt(p));
    return {x, sampler.on_sphere(unit * q * std::sqrt(depth))};
  });
  if (mu > 0) {
    made.timescale = std::sqrt(8 * radius * radius * radius / mu);  // 2√2 in Hénon's units
    made.timescale_name = "crossing time";
  }
  made.equilibrium = arguments.number("virial_ratio") == 0.5;
  return made;
}

DensityProfile density(const Arguments& arguments) {
  return {DensityProfile::Form::plummer, arguments.number("mass"), 3 * pi / 16 * arguments.number("virial_radius")};
}

MassProfile enclosed_mass(const Arguments& arguments, const Environment&) {
  const double mass = arguments.number("mass"), a = 3 * pi / 16 * arguments.number("virial_radius");
  return [=](double r) {
    const double s = r / std::sqrt(r * r + a * a);
    return mass * s * s * s;
  };
}

}  // namespace

const InitialState plummer{.name = "plummer",
                           .meaning = "Plummer's sphere, a star cluster; by itself in Hénon's units",
                           .references = {literature::plummer1911, literature::aarseth1974},
                           .parameters = parameters,
                           .random = true,
                           .make = make,
                           .density = density,
                           .enclosed_mass = enclosed_mass};

}  // namespace orrery::sim
