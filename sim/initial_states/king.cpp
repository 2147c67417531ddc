// SPDX-License-Identifier: MIT
// King's models of globular clusters, which end at a tidal radius: King 1966, AJ 71, 64.
#include "sim/models/king.hpp"
#include "sim/initial_states/spherical.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter radius_key(std::string_view name, std::string_view meaning) {
  return {.name = name, .example = "1.0", .meaning = meaning, .unit = "length", .range = positive, .optional = true};
}

constexpr Parameter own_keys[] = {
    count_key("1024", "number of bodies"),
    total_mass_key,
    {.name = "w0",
     .fallback = "6.0",
     .meaning = "W₀, the depth of the potential at the centre in σ²: 3 is a loose cluster, 9 a concentrated one",
     .range = {.low = 0.1, .high = 16}},
    length_key("half_mass_radius", "1.0",
               "half of the mass lies within it, unless one of the following radii is given"),
    radius_key("core_radius", "instead of it: King's core radius 3σ/√(4πGρ₀)"),
    radius_key("tidal_radius", "instead of both: where the cluster ends"),
    anisotropy_key,
    virial_ratio_key,
};
constexpr auto parameters = with_star_keys(own_keys);

/// The core radius that follows from whichever radius is given.
double core_radius(const Arguments& arguments, double W0) {
  const bool core = arguments.has("core_radius"), tidal = arguments.has("tidal_radius");
  if (core && tidal)
    throw ArgumentError("tidal_radius", "leave out `core_radius` or `tidal_radius`: one says how large the model is");
  if (core) return arguments.number("core_radius");
  if (tidal) return arguments.number("tidal_radius") / KingModel(W0).tidal_radius();
  const DensityProfile in_core_radii{DensityProfile::Form::king, 1, 1, W0};
  return arguments.number("half_mass_radius") / MassTable(sphere_of(in_core_radii, {{"mass", 1.0}})).radius_of(0.5);
}

DensityProfile profile(const Arguments& arguments) {
  const double W0 = arguments.number("w0");
  return {DensityProfile::Form::king, 1, core_radius(arguments, W0), W0};
}

}  // namespace

const InitialState king = sphere_in_equilibrium<profile>(
    "king", "King's sphere, a globular cluster that ends at its tidal radius, in equilibrium",
    {literature::king1966, {literature::binney2008, "4.3"}}, parameters);

}  // namespace orrery::sim
