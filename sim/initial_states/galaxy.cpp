// SPDX-License-Identifier: MIT
// A disk galaxy: bodies of equal mass drawn from a smooth model, with stratified radii to reduce initial noise.
#include "sim/initial_states/list.hpp"

#include "sim/initial_states/galaxy_bodies.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    count_key("8192", "number of bodies of disk and bulge, of equal mass"),
    {.name = "mass", .fallback = "1.0", .meaning = "of disk and bulge together", .unit = "mass", .range = not_negative},
    {.name = "bulge_fraction",
     .fallback = "0.15",
     .meaning = "mass fraction of the bulge",
     .range = {.low = 0, .high = 1}},
    length_key("scale_length", "1.0", "of the disk, whose surface density is ∝ exp(−R/scale_length)"),
    length_key("edge", "5.0", "outer radius of the disk"),
    length_key("height", "0.1", "of the disk, whose density is ∝ sech²(z/height)"),
    length_key("bulge_length", "0.2", "scale length a of Hernquist's bulge, which fades out beyond 10 a"),
    {.name = "toomre_q",
     .fallback = "1.3",
     .meaning = "Toomre's Q of the disk: below 1 it is unstable and clumps, far above 1 it has no structure",
     .range = not_negative},
};

GalaxyShape shape_of(const Arguments& arguments) {
  const double share = arguments.number("bulge_fraction"), mass = arguments.number("mass");
  return {.disk_mass = mass * (1 - share),
          .scale_length = arguments.number("scale_length"),
          .height = arguments.number("height"),
          .edge = arguments.number("edge"),
          .bulge_mass = mass * share,
          .bulge_length = arguments.number("bulge_length"),
          .toomre_q = arguments.number("toomre_q")};
}

MassProfile enclosed_mass(const Arguments& arguments, const Environment& /*environment*/) {
  return GalaxyModel::enclosed_mass(shape_of(arguments));
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto n = static_cast<std::size_t>(arguments.integer("n"));
  const double share = arguments.number("bulge_fraction"), mass = arguments.number("mass");
  const auto in_bulge = static_cast<std::size_t>(static_cast<double>(n) * share + 0.5), in_disk = n - in_bulge;
  const GalaxyModel model(shape_of(arguments), environment);
  InitialConditions made;
  Bodies& bodies = made.bodies;
  add_galaxy(model, in_disk, in_bulge, environment.random, 0, bodies);
  for (std::size_t i = 0; i < n; ++i) bodies.species.push_back(i < in_disk || in_disk == 0 ? 0 : 1);
  bodies.mass.assign(n, mass / static_cast<double>(n));
  recentre(bodies);
  made.equilibrium = true;
  if (in_disk > 0) made.components.emplace_back("disk");
  if (in_bulge > 0) made.components.emplace_back("bulge");
  if (made.timescale = model.rotation(); made.timescale > 0) made.timescale_name = "rotation";
  return made;
}

}  // namespace

const InitialState galaxy{.name = "galaxy",
                          .meaning =
                              "an exponential disk and a bulge in equilibrium with each other, with external fields, "
                              "and with other components "
                              "about the same centre, such as a live halo",
                          .references = {literature::hernquist1993, literature::hernquist1990, literature::binney2008},
                          .parameters = parameters,
                          .random = true,
                          .make = make,
                          .enclosed_mass = enclosed_mass};

}  // namespace orrery::sim
