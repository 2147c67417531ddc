// SPDX-License-Identifier: MIT
// A disk galaxy: bodies of equal mass drawn from a smooth model, with stratified radii to reduce initial noise.
#include "sim/initial_states/list.hpp"

#include <cmath>

#include "sim/initial_states/galaxy_model.hpp"
#include "sim/literature.hpp"
#include "sim/sampler.hpp"

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
    length_key("bulge_length", "0.2", "scale length a of Hernquist's bulge, which ends at 10 a"),
    {.name = "toomre_q",
     .fallback = "1.3",
     .meaning = "Toomre's Q of the disk: below 1 it is unstable and clumps, far above 1 it has no structure",
     .range = not_negative},
};

/// Adds a body at the radius that contains the fraction `u` of the disk's mass.
void add_disk_body(const GalaxyModel& model, double u, Sampler sampler, Bodies& bodies) {
  const double R = model.disk_radius(u);
  const Direction at = sampler.direction();
  const DiskMotion motion = model.disk_motion(R);
  const Direction flat = sampler.normal(), upright = sampler.normal();
  const double vR = motion.sigma_R * flat.cosine, vphi = motion.mean + motion.sigma_phi * flat.sine;
  bodies.position.push_back(R * at.cosine, R * at.sine, model.disk_height(sampler.uniform()));
  bodies.velocity.push_back(vR * at.cosine - vphi * at.sine, vR * at.sine + vphi * at.cosine,
                            motion.sigma_z * upright.cosine);
}

/// Adds a body at the radius that contains the fraction `u` of the bulge's mass.
void add_bulge_body(const GalaxyModel& model, double u, Sampler sampler, Bodies& bodies) {
  const double r = model.bulge_radius(u);
  const BulgeMotion motion = model.bulge_motion(r);
  const Vec3 x = sampler.on_sphere(r);
  Vec3 v;
  // Velocities that would leave the bulge are drawn again, rarely more than twice.
  for (int attempt = 0; attempt < 12; ++attempt) {
    const Direction flat = sampler.normal(), upright = sampler.normal();
    v = {motion.sigma * flat.cosine, motion.sigma * flat.sine, motion.sigma * upright.cosine};
    if (v.x * v.x + v.y * v.y + v.z * v.z <= motion.limit2) break;
  }
  bodies.position.push_back(x.x, x.y, x.z);
  bodies.velocity.push_back(v.x, v.y, v.z);
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto n = static_cast<std::size_t>(arguments.integer("n"));
  const double share = arguments.number("bulge_fraction"), mass = arguments.number("mass");
  const double scale = arguments.number("scale_length");
  const auto in_bulge = static_cast<std::size_t>(static_cast<double>(n) * share + 0.5), in_disk = n - in_bulge;
  const GalaxyModel model({.disk_mass = mass * (1 - share),
                           .scale_length = scale,
                           .height = arguments.number("height"),
                           .edge = arguments.number("edge"),
                           .bulge_mass = mass * share,
                           .bulge_length = arguments.number("bulge_length"),
                           .toomre_q = arguments.number("toomre_q")},
                          environment);
  InitialConditions made;
  Bodies& bodies = made.bodies;
  for (std::size_t i = 0; i < n; ++i) {
    Sampler sampler(environment.random, 64 * std::uint64_t{i});
    const bool disk = i < in_disk;
    const std::size_t k = disk ? i : i - in_disk;
    const double u = (static_cast<double>(k) + sampler.uniform()) / static_cast<double>(disk ? in_disk : in_bulge);
    (disk ? add_disk_body : add_bulge_body)(model, u, sampler, bodies);
    bodies.species.push_back(disk || in_disk == 0 ? 0 : 1);
  }
  bodies.mass.assign(n, mass / static_cast<double>(n));
  recentre(bodies);
  made.equilibrium = true;
  if (in_disk > 0) made.components.emplace_back("disk");
  if (in_bulge > 0) made.components.emplace_back("bulge");
  if (const double speed2 = model.circular_speed2(2 * scale); speed2 > 0) {
    made.timescale = 2 * pi * 2 * scale / std::sqrt(speed2);
    made.timescale_name = "rotation";
  }
  return made;
}

}  // namespace

const InitialState galaxy{
    .name = "galaxy",
    .meaning =
        "an exponential disk and a bulge, near equilibrium with each other and with external fields, not with "
        "other bodies: 2T/|W| is about 1 for the disk and 0.9 for a bulge alone, which settles within a few "
        "rotations",
    .references = {literature::hernquist1993, literature::hernquist1990, literature::binney2008},
    .parameters = parameters,
    .random = true,
    .make = make};

}  // namespace orrery::sim
