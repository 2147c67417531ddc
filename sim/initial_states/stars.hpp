// SPDX-License-Identifier: MIT
// Masses, pairs and energies of bodies that are drawn one by one from a model.
#pragma once

#include <array>
#include <functional>

#include "sim/initial_states/list.hpp"
#include "sim/sampler.hpp"

namespace orrery::sim {

inline constexpr std::string_view mass_functions[] = {"equal", "salpeter", "kroupa"};

/// Keys of all such kinds, besides `n`, `mass` and `virial_ratio`.
inline constexpr Parameter star_keys[] = {
    {.name = "mass_function",
     .kind = Kind::text,
     .example = "\"kroupa\"",
     .meaning =
         "equal masses (default), Salpeter's or Kroupa's mass function; all are scaled so that their sum is `mass`",
     .choices = mass_functions,
     .optional = true},
    {.name = "mass_range",
     .kind = Kind::numbers,
     .example = "[0.08, 100.0]",
     .meaning = "of a mass function, in solar masses; default: from 0.1 (Salpeter) or 0.08 (Kroupa) to 100",
     .range = positive,
     .count = 2,
     .optional = true},
    {.name = "masses",
     .kind = Kind::numbers,
     .example = "[1.0, 10.0]",
     .meaning = "instead of a mass function: masses to draw from, relative to each other",
     .range = positive,
     .optional = true},
    {.name = "fractions",
     .kind = Kind::numbers,
     .example = "[0.9, 0.1]",
     .meaning = "of the bodies that have each of `masses`; default: as many of each",
     .range = not_negative,
     .optional = true},
    {.name = "binaries",
     .example = "0.1",
     .meaning = "fraction of binary stars, whose centres of mass follow the model; `n` counts both stars; default: 0",
     .range = {.low = 0, .high = 1},
     .optional = true},
    {.name = "binary_axis",
     .kind = Kind::numbers,
     .example = "[1e-4, 1e-2]",
     .meaning = "smallest and largest semi-major axis of binaries, whose logarithm is uniform",
     .unit = "length",
     .range = positive,
     .count = 2,
     .optional = true},
    {.name = "binary_period",
     .kind = Kind::numbers,
     .example = "[1e-3, 0.1]",
     .meaning = "instead of it the shortest and longest period, whose logarithm is uniform",
     .unit = "time",
     .range = positive,
     .count = 2,
     .optional = true},
    {.name = "binary_eccentricity",
     .kind = Kind::number_or_text,
     .example = "\"thermal\"",
     .meaning = "of all binaries, or \"thermal\" (default): distributed as 2e",
     .range = {.low = 0, .high = 1, .high_open = true},
     .optional = true},
    {.name = "rescale",
     .kind = Kind::boolean,
     .example = "true",
     .meaning =
         "scale positions and velocities so that the sample has exactly the energy and the virial ratio of the model; "
         "default: false",
     .optional = true},
};

/// Keys of a kind, followed by star_keys.
template <std::size_t own>
constexpr auto with_star_keys(const Parameter (&keys)[own]) {
  std::array<Parameter, own + std::size(star_keys)> all{};
  for (std::size_t k = 0; k < own; ++k) all[k] = keys[k];
  for (std::size_t k = 0; k < std::size(star_keys); ++k) all[own + k] = star_keys[k];
  return all;
}

/// Where a body is, and how it moves.
struct PhasePoint {
  Vec3 position, velocity;
};

/// `n` bodies with the total mass `mass` as the keys say. `draw` places a single star or the centre of mass of a binary, with a
/// stream of random numbers of its own. A model by itself has the potential energy −G mass²/2 virial_radius. Throws
/// ArgumentError.
Bodies make_stars(const Arguments& arguments, const Environment& environment, double virial_radius,
                  const std::function<PhasePoint(Sampler&)>& draw);

}  // namespace orrery::sim
