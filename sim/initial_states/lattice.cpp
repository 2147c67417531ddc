// SPDX-License-Identifier: MIT
// Bodies on lattice sites, in a box or in a ball, with thermal velocities.
#include "sim/initial_states/list.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "sim/elementary.hpp"
#include "sim/sampler.hpp"

namespace orrery::sim {
namespace {

/// Sites are points of a square or cubic grid: all of them, or those whose indices have an even sum.
struct Lattice {
  std::string_view name;
  int dimensions;
  std::int64_t sites;  ///< per cell
  std::int64_t steps;  ///< of the grid per cell length; 2: only points with an even sum are sites
};
constexpr Lattice lattices[] = {{"square", 2, 1, 1}, {"cubic", 3, 1, 1}, {"fcc", 3, 4, 2}};
constexpr std::string_view names[] = {lattices[0].name, lattices[1].name, lattices[2].name};

constexpr double max_bodies = 1e8;
constexpr Parameter parameters[] = {
    {.name = "lattice",
     .kind = Kind::text,
     .fallback = "\"cubic\"",
     .meaning = "square: in the plane z = 0; cubic: simple; fcc: four bodies per cell",
     .choices = names},
    {.name = "n",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "k² of square, k³ of cubic, 4·k³ of fcc, in a box from 0 to (n/density)^(1/d) along each axis; "
                "default: k = 10",
     .range = {.low = 1, .high = max_bodies},
     .optional = true},
    {.name = "radius",
     .example = "5.0",
     .meaning = "instead of `n`: the sites in a ball, or disc, around one at the origin",
     .unit = "length",
     .range = positive,
     .optional = true},
    {.name = "density",
     .fallback = "1.0",
     .meaning = "number of bodies per volume, or per area",
     .unit = "1/length³, or 1/length²",
     .range = {.low = 1e-100, .high = 1e100}},
    {.name = "mass", .fallback = "1.0", .meaning = "of each body", .unit = "mass", .range = positive},
    {.name = "temperature",
     .fallback = "1.0",
     .meaning = "2K/(d(n − 1)) of normal velocities with zero sum; d = 2 for square, else 3, and k_B = 1",
     .unit = "mass·length²/time²",
     .range = not_negative},
};

std::int64_t bodies_of(const Lattice& kind, std::int64_t cells) {
  return kind.sites * cells * cells * (kind.dimensions == 3 ? cells : 1);
}

/// Cells along each axis of a box of n bodies.
std::int64_t cells_of(const Lattice& kind, std::int64_t n) {
  std::int64_t cells = 0;
  while (bodies_of(kind, cells + 1) <= n) ++cells;
  const std::int64_t fewer = bodies_of(kind, cells), more = bodies_of(kind, cells + 1);
  if (fewer != n)
    throw ArgumentError("n", "a whole box of " + std::string(kind.name) + " cells has " +
                                 (fewer > 0 ? std::to_string(fewer) + " or " + std::to_string(more) + " bodies, not "
                                            : "at least " + std::to_string(more) + " bodies, not ") +
                                 std::to_string(n));
  return cells;
}

/// Sites with indices first … end − 1 and a sum of squares of at most `most`, at step·(index + shift).
Vectors sites(const Lattice& kind, double step, std::int64_t first, std::int64_t end, double shift, double most) {
  const bool flat = kind.dimensions == 2;
  const auto at = [&](std::int64_t index) { return step * (static_cast<double>(index) + shift); };
  Vectors all;
  for (std::int64_t k = flat ? 0 : first; k < (flat ? 1 : end); ++k) {
    for (std::int64_t j = first; j < end; ++j) {
      for (std::int64_t i = first; i < end; ++i) {
        if ((kind.steps == 2 && (i + j + k) % 2 != 0) || static_cast<double>(i * i + j * j + k * k) > most) continue;
        all.push_back(at(i), at(j), flat ? 0 : at(k));
      }
    }
  }
  return all;
}

Vectors places(const Lattice& kind, const Arguments& arguments) {
  const double density = arguments.number("density");
  const double room = static_cast<double>(kind.sites) / density;  // of a cell
  const double step = (kind.dimensions == 2 ? std::sqrt(room) : root(room, 3)) / static_cast<double>(kind.steps);
  if (!arguments.has("radius")) {
    const std::int64_t cells = arguments.has("n") ? cells_of(kind, arguments.integer("n")) : 10;
    return sites(kind, step, 0, cells * kind.steps, 0.5, std::numeric_limits<double>::infinity());
  }
  if (arguments.has("n"))
    throw ArgumentError("n", "`radius` and `density` already determine the number of bodies: omit `n` or `radius`");
  const double reach = arguments.number("radius") / step;
  const double volume = kind.dimensions == 2 ? pi * reach * reach : 4 * pi / 3 * reach * reach * reach;
  if (volume > max_bodies * static_cast<double>(kind.steps))
    throw ArgumentError("radius", "there would be more than " + std::to_string(static_cast<std::int64_t>(max_bodies)) +
                                      " bodies: choose a smaller `radius` or `density`");
  const auto furthest = static_cast<std::int64_t>(reach);
  return sites(kind, step, -furthest, furthest + 1, 0, reach * reach);
}

/// Normal velocities, shifted to zero sum and scaled to 2K = mass·Σv².
Vectors thermal(std::size_t n, int dimensions, double mass, double doubled_energy, const Random& random) {
  Vectors v;
  for (std::size_t i = 0; i < n; ++i) {
    Sampler sampler(random, 4 * std::uint64_t{i});
    const Direction flat = sampler.normal(), upright = sampler.normal();
    v.push_back(flat.cosine, flat.sine, dimensions == 3 ? upright.cosine : 0);
  }
  double squares = 0;
  for (auto* axis : {&v.x, &v.y, &v.z}) {
    double sum = 0;
    for (const double u : *axis) sum += u;
    for (double& u : *axis) u -= sum / static_cast<double>(n);
    for (const double u : *axis) squares += u * u;
  }
  const double scale = std::sqrt(doubled_energy / (mass * squares));
  if (!std::isfinite(scale))
    throw ArgumentError("temperature", "bodies of that mass would be infinitely fast: choose a lower one");
  for (auto* axis : {&v.x, &v.y, &v.z}) {
    for (double& u : *axis) u *= scale;
  }
  return v;
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const Lattice& kind = *std::ranges::find(lattices, arguments.text("lattice"), &Lattice::name);
  const double mass = arguments.number("mass"), temperature = arguments.number("temperature");
  InitialConditions made;
  Bodies& bodies = made.bodies;
  bodies.position = places(kind, arguments);
  const std::size_t n = bodies.position.size();
  bodies.mass.assign(n, mass);
  if (temperature == 0) {
    bodies.velocity = Vectors(n);
    return made;
  }
  if (n == 1)
    throw ArgumentError(
        "temperature",
        "a single body has no temperature, as velocities sum to 0: choose a temperature of 0, or more bodies");
  const double freedoms = kind.dimensions * static_cast<double>(n - 1);
  bodies.velocity = thermal(n, kind.dimensions, mass, freedoms * temperature, environment.random);
  return made;
}

}  // namespace

const InitialState lattice{.name = "lattice",
                           .meaning =
                               "bodies on a square, cubic or fcc lattice at a temperature: a box that begins at the "
                               "origin, or a ball around it",
                           .parameters = parameters,
                           .make = make};

}  // namespace orrery::sim
