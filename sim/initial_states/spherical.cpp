// SPDX-License-Identifier: MIT
#include "sim/initial_states/spherical.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/models/king.hpp"
#include "sim/power.hpp"

namespace orrery::sim {

SphericalDensity sphere_of(const DensityProfile& profile, const Arguments& arguments) {
  using Form = DensityProfile::Form;
  constexpr double end = 25;  // where sech is 3·10⁻¹¹
  const double cusp = profile.form == Form::dehnen ? profile.parameter : profile.form == Form::nfw ? 1 : 0;
  const double inner = to_power(1e-9, 1 / (3 - cusp)) * profile.length;  // M ∝ r^(3 − cusp)
  const bool king = profile.form == Form::king;
  return {.shape = density_of(profile),
          .mass = arguments.number("mass"),
          .inner = king ? inner : std::min(inner, 1e-4 * profile.edge),
          .outer = king ? KingModel(profile.parameter).tidal_radius() * profile.length : end * profile.edge};
}

DensityProfile with_mass(const DensityProfile& profile, const Arguments& arguments) {
  DensityProfile all = profile;
  all.mass = arguments.number("mass") * MassTable(sphere_of(profile, arguments)).normalised(1);
  return all;
}

InitialConditions make_sphere(const DensityProfile& profile, const Arguments& arguments,
                              const Environment& environment) {
  const double mass = arguments.number("mass"),
               ratio = arguments.has("virial_ratio") ? arguments.number("virial_ratio") : 0.5;
  const SphericalModel model(sphere_of(profile, arguments), surroundings_of(environment),
                             arguments.has("anisotropy_radius") ? arguments.number("anisotropy_radius")
                                                                : std::numeric_limits<double>::infinity());
  const double radius = model.virial_radius(), speed = std::sqrt(2 * ratio);
  InitialConditions made;
  made.bodies = make_stars(arguments, environment, radius, [&](Sampler& sampler) -> PhasePoint {
    const Vec3 x = sampler.on_sphere(model.radius_of(sampler.uniform())), v = model.velocity_at(x, sampler);
    return {x, {speed * v.x, speed * v.y, speed * v.z}};
  });
  if (const double mu = environment.G * mass; mu > 0) {
    made.timescale = std::sqrt(8 * radius * radius * radius / mu);
    made.timescale_name = "crossing time";
  }
  made.equilibrium = ratio == 0.5;
  return made;
}

}  // namespace orrery::sim
