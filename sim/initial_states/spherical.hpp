// SPDX-License-Identifier: MIT
// What kinds of spherical models in equilibrium share: keys and the drawing of their bodies.
#pragma once

#include "sim/initial_states/list.hpp"
#include "sim/initial_states/stars.hpp"
#include "sim/models/spherical_model.hpp"

namespace orrery::sim {

constexpr Parameter total_mass_key{
    .name = "mass", .fallback = "1.0", .meaning = "total mass", .unit = "mass", .range = not_negative};

constexpr Parameter anisotropy_key{
    .name = "anisotropy_radius",
    .example = "2.0",
    .meaning =
        "a of Osipkov's and Merritt's orbits, radial outside it: β = r²/(r² + a²); default: isotropic everywhere",
    .unit = "length",
    .range = positive,
    .optional = true};

constexpr Parameter virial_ratio_key{
    .name = "virial_ratio",
    .fallback = "0.5",
    .meaning = "T/|U| on average, half of the 2T/|W| of `check`: 0.5 is equilibrium, 0 is at rest",
    .range = not_negative};

/// The key `edge` of models that have no end.
constexpr Parameter edge_key(std::string_view meaning) {
  return {
      .name = "edge", .example = "100.0", .meaning = meaning, .unit = "length", .range = positive, .optional = true};
}
inline constexpr std::string_view edge_in_100 =
    "where the density begins to fall exponentially: it is multiplied by sech(r/edge); default: 100 scale lengths";

/// A profile of unit mass with the keys `scale_length` and `edge`, by default so many scale lengths.
inline DensityProfile profile_with_edge(DensityProfile::Form form, const Arguments& arguments, double scale_lengths,
                                        double parameter = 0) {
  const double a = arguments.number("scale_length");
  return {form, 1, a, parameter, arguments.has("edge") ? arguments.number("edge") : scale_lengths * a};
}

/// A sphere of the key `mass` with the form of a profile: how it is distributed, and as a profile with the right mass.
SphericalDensity sphere_of(const DensityProfile& profile, const Arguments& arguments);
DensityProfile with_mass(const DensityProfile& profile, const Arguments& arguments);

/// `n` bodies in equilibrium in the potential of everything in `environment`, isotropic or with the given `anisotropy_radius`.
/// Throws ArgumentError.
InitialConditions make_sphere(const DensityProfile& profile, const Arguments& arguments,
                              const Environment& environment);

/// The initial state of a profile, which `profile_of` makes of the keys; see profile_with_edge.
template <DensityProfile (*profile_of)(const Arguments&)>
constexpr InitialState sphere_in_equilibrium(std::string_view name, std::string_view meaning, Citations references,
                                             std::span<const Parameter> parameters) {
  return {
      .name = name,
      .meaning = meaning,
      .references = references,
      .parameters = parameters,
      .random = true,
      .make = [](const Arguments& arguments,
                 const Environment& environment) { return make_sphere(profile_of(arguments), arguments, environment); },
      .density = [](const Arguments& arguments) { return with_mass(profile_of(arguments), arguments); },
      .enclosed_mass = [](const Arguments& arguments, const Environment&) -> MassProfile {
        return MassTable(sphere_of(profile_of(arguments), arguments));
      }};
}

}  // namespace orrery::sim
