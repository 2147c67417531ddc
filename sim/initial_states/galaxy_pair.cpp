// SPDX-License-Identifier: MIT
// Two disk galaxies on their way to an encounter, as Toomre & Toomre 1972 (ApJ 178, 623) arranged them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sim/initial_states/galaxy_bodies.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"
#include "sim/orbit.hpp"
#include "sim/rotation.hpp"

namespace orrery::sim {
namespace {

/// An encounter; lengths are in scale lengths of the first disk. Angles in degrees, of the first galaxy and of the second.
struct Encounter {
  std::string_view name;
  double mass_ratio, pericentre, eccentricity, separation;
  std::array<double, 2> inclinations, arguments;
};

/// The Antennae have the disks of Toomre & Toomre and the parabola of Barnes 1988; a bridge is drawn by a small galaxy that passes
/// in the sense of rotation; a ring spreads if one comes down the axis (Lynds & Toomre 1976).
constexpr Encounter encounters[] = {{"antennae", 1, 2.5, 1, 16, {60, 60}, {-30, -30}},
                                    {"bridge", 0.25, 4, 1, 16, {10, 60}, {0, 0}},
                                    {"ring", 0.4, 0.02, 1, 12, {90, 60}, {90, 0}}};

constexpr std::string_view presets[] = {"antennae", "bridge", "ring"};

constexpr Parameter parameters[] = {
    {.name = "preset",
     .kind = Kind::text,
     .fallback = "\"antennae\"",
     .meaning = "a known encounter, whose orbit and angles are those of the keys below that are not given",
     .choices = presets},
    {.name = "mass_ratio",
     .example = "1.0",
     .meaning = "mass of the second galaxy over that of the first; lengths are as its root",
     .range = positive,
     .optional = true},
    {.name = "pericentre",
     .example = "2.5",
     .meaning = "distance of the centres at closest approach if they were points",
     .unit = "length",
     .range = positive,
     .optional = true},
    {.name = "eccentricity",
     .example = "1.0",
     .meaning = "of this orbit: 1 is a parabola",
     .range = positive,
     .optional = true},
    {.name = "separation",
     .example = "16.0",
     .meaning = "at the start, before pericentre",
     .unit = "length",
     .range = positive,
     .optional = true},
    {.name = "inclinations",
     .kind = Kind::numbers,
     .example = "[60.0, 60.0]",
     .meaning = "of the orbit to each disk: 0 passes in the sense of its rotation, 180 against it",
     .unit = "degrees",
     .range = {.low = -180, .high = 180},
     .count = 2,
     .optional = true},
    {.name = "arguments",
     .kind = Kind::numbers,
     .example = "[-30.0, -30.0]",
     .meaning = "of pericentre, from where the other galaxy rises through each disk",
     .unit = "degrees",
     .range = {.low = -360, .high = 360},
     .count = 2,
     .optional = true},
    count_key("16384", "number of bodies of both disks and bulges"),
    {.name = "n_halo",
     .kind = Kind::integer,
     .fallback = "16384",
     .meaning = "number of bodies of both halos; 0: no halos",
     .range = {.low = 0, .high = 1e8}},
    {.name = "mass", .fallback = "1.0", .meaning = "of disk and bulge of the first", .unit = "mass", .range = positive},
    {.name = "bulge_fraction",
     .fallback = "0.2",
     .meaning = "mass fraction of the bulge in that",
     .range = {.low = 0, .high = 1}},
    length_key("scale_length", "1.0", "of the disk of the first, which ends at five of them"),
    length_key("height", "0.1", "of this disk, whose density is ∝ sech²(z/height)"),
    length_key("bulge_length", "0.2", "scale length of Hernquist's bulge of the first"),
    {.name = "toomre_q", .fallback = "1.5", .meaning = "Toomre's Q of the disks", .range = not_negative},
    {.name = "halo_mass",
     .fallback = "4.0",
     .meaning = "of the halo of the first",
     .unit = "mass",
     .range = not_negative},
    length_key("halo_length", "4.0", "scale length of Hernquist's halo of the first"),
};

/// The values of an encounter, with those keys that are given.
Encounter encounter_of(const Arguments& arguments) {
  Encounter chosen = *std::ranges::find(encounters, arguments.text("preset"), &Encounter::name);
  const double scale = arguments.number("scale_length");
  chosen.pericentre *= scale, chosen.separation *= scale;
  for (const auto& [key, value] : {std::pair{"mass_ratio", &chosen.mass_ratio},
                                   {"pericentre", &chosen.pericentre},
                                   {"eccentricity", &chosen.eccentricity},
                                   {"separation", &chosen.separation}}) {
    if (arguments.has(key)) *value = arguments.number(key);
  }
  for (const auto& [key, angles] :
       {std::pair{"inclinations", &chosen.inclinations}, {"arguments", &chosen.arguments}}) {
    if (arguments.has(key)) std::ranges::copy(arguments.numbers(key), angles->begin());
  }
  return chosen;
}

/// Position and velocity of the second relative to the first, in the plane z = 0 with pericentre on the axis x.
RelativeState start_of(const Encounter& encounter, double mu) {
  const double p = encounter.pericentre * (1 + encounter.eccentricity);
  const double cosine = (p / encounter.separation - 1) / encounter.eccentricity;
  if (!(cosine <= 1 && cosine >= -1)) {
    throw ArgumentError(
        "separation",
        "the galaxies are never so far from each other on this orbit: choose at least `pericentre` and, for "
        "an ellipse, at most pericentre·(1 + eccentricity)/(1 − eccentricity)");
  }
  const double sine = -std::sqrt(1 - cosine * cosine), speed = std::sqrt(mu / p);
  return {{encounter.separation * cosine, encounter.separation * sine, 0},
          {-speed * sine, speed * (encounter.eccentricity + cosine), 0}};
}

/// One galaxy at rest in its own axes.
struct Galaxy {
  Bodies bodies;
  std::size_t in_disk, in_bulge, in_halo;
  double rotation = 0;  ///< time of one at two scale lengths; 0 without forces
};

/// `share` of the bodies; `ratio` is its mass over that of the first.
Galaxy galaxy_of(const Arguments& arguments, const Environment& environment, double ratio, std::size_t n,
                 std::size_t in_halo, std::size_t first) {
  const double length = std::sqrt(ratio), mass = ratio * arguments.number("mass"),
               share = arguments.number("bulge_fraction");
  const double scale = length * arguments.number("scale_length");
  const GalaxyShape shape{.disk_mass = mass * (1 - share),
                          .scale_length = scale,
                          .height = length * arguments.number("height"),
                          .edge = 5 * scale,
                          .bulge_mass = mass * share,
                          .bulge_length = length * arguments.number("bulge_length"),
                          .toomre_q = arguments.number("toomre_q")};
  const double halo_mass = ratio * arguments.number("halo_mass");
  const SphericalDensity halo = hernquist_density(halo_mass, length * arguments.number("halo_length"));
  Environment alone{.G = environment.G, .softening = environment.softening};
  if (in_halo > 0) alone.companions = {MassTable(halo)};
  const GalaxyModel model(shape, alone);
  const auto in_bulge = static_cast<std::size_t>(static_cast<double>(n) * share + 0.5);
  Galaxy made{.bodies = {}, .in_disk = n - in_bulge, .in_bulge = in_bulge, .in_halo = in_halo};
  add_galaxy(model, made.in_disk, made.in_bulge, environment.random, first, made.bodies);
  made.bodies.mass.assign(n, mass / static_cast<double>(n));
  if (in_halo > 0) {
    const Surroundings around{
        .G = environment.G, .softening = environment.softening, .others = GalaxyModel::enclosed_mass(shape)};
    add_sphere(SphericalModel(halo, around, std::numeric_limits<double>::infinity(), {.length = "halo_length"}),
               in_halo, environment.random, first + n, made.bodies);
    made.bodies.mass.insert(made.bodies.mass.end(), in_halo, halo_mass / static_cast<double>(in_halo));
  }
  recentre(made.bodies);
  made.rotation = model.rotation();
  return made;
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const Encounter encounter = encounter_of(arguments);
  const double ratio = encounter.mass_ratio;
  const std::int64_t n = arguments.integer("n"),
                     n_halo = arguments.number("halo_mass") > 0 ? arguments.integer("n_halo") : 0;
  if (n < 2) throw ArgumentError("n", "two galaxies have at least two bodies");
  if (n_halo == 1) throw ArgumentError("n_halo", "two halos have at least two bodies, or none");
  const double whole = arguments.number("mass") + (n_halo > 0 ? arguments.number("halo_mass") : 0);
  const double mu = environment.G * whole * (1 + ratio);
  require_attraction(mu, "mass");
  const RelativeState start = start_of(encounter, mu);
  // Bodies of the first by its share of the mass, and at least one of each.
  const auto part = [&](std::int64_t all) {
    const auto first = static_cast<std::int64_t>(static_cast<double>(all) / (1 + ratio) + 0.5);
    return static_cast<std::size_t>(all == 0 ? 0 : std::clamp<std::int64_t>(first, 1, all - 1));
  };
  const std::size_t bodies[] = {part(n), static_cast<std::size_t>(n) - part(n)};
  const std::size_t halos[] = {part(n_halo), static_cast<std::size_t>(n_halo) - part(n_halo)};
  constexpr std::string_view names[2][3] = {{"first disk", "first bulge", "first halo"},
                                            {"second disk", "second bulge", "second halo"}};
  InitialConditions made;
  for (std::size_t k = 0; k < 2; ++k) {
    Galaxy galaxy = galaxy_of(arguments, environment, k == 0 ? 1 : ratio, bodies[k], halos[k], made.bodies.size());
    // The orbit has these elements in the axes of the disk, so the disk has the reverse ones in the axes of the orbit; that of
    // the second is to the first galaxy, on the other side.
    const Rotation turn = rotation_of((k == 0 ? 0 : 180) - encounter.arguments[k], -encounter.inclinations[k], 0);
    rotate(turn, galaxy.bodies.position);
    rotate(turn, galaxy.bodies.velocity);
    const double along = (k == 0 ? -ratio : 1) / (1 + ratio);
    const auto append = [&](Vectors& to, const Vectors& from, const Vec3& by) {
      for (std::size_t i = 0; i < from.size(); ++i)
        to.push_back(from.x[i] + along * by.x, from.y[i] + along * by.y, from.z[i] + along * by.z);
    };
    append(made.bodies.position, galaxy.bodies.position, start.position);
    append(made.bodies.velocity, galaxy.bodies.velocity, start.velocity);
    made.bodies.mass.insert(made.bodies.mass.end(), galaxy.bodies.mass.begin(), galaxy.bodies.mass.end());
    const std::size_t parts[] = {galaxy.in_disk, galaxy.in_bulge, galaxy.in_halo};
    for (std::size_t c = 0; c < 3; ++c) {
      if (parts[c] == 0) continue;
      made.bodies.species.insert(made.bodies.species.end(), parts[c],
                                 static_cast<std::int32_t>(made.components.size()));
      made.components.push_back(names[k][c]);
    }
    if (k == 0 && galaxy.rotation > 0) made.timescale = galaxy.rotation, made.timescale_name = "rotation";
  }
  return made;
}

}  // namespace

const InitialState galaxy_pair{.name = "galaxy-pair",
                               .meaning =
                                   "two disk galaxies with bulges and live halos that meet: the Antennae, a bridge, a "
                                   "ring, or any other encounter",
                               .references = {literature::toomre1972, literature::lynds1976, literature::barnes1988},
                               .parameters = parameters,
                               .random = true,
                               .make = make};

}  // namespace orrery::sim
