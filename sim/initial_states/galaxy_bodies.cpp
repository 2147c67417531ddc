// SPDX-License-Identifier: MIT
#include "sim/initial_states/galaxy_bodies.hpp"

#include "sim/sampler.hpp"

namespace orrery::sim {
namespace {

/// The mass fraction within which body k of n lies: in the middle of its share but for a random part of that.
double stratum(std::size_t k, std::size_t n, Sampler& sampler) {
  return (static_cast<double>(k) + sampler.uniform()) / static_cast<double>(n);
}

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

}  // namespace

void add_galaxy(const GalaxyModel& model, std::size_t in_disk, std::size_t in_bulge, const Random& random,
                std::size_t first, Bodies& bodies) {
  for (std::size_t k = 0; k < in_disk; ++k) {
    Sampler sampler(random, 64 * std::uint64_t{first + k});
    const double u = stratum(k, in_disk, sampler);
    add_disk_body(model, u, sampler, bodies);
  }
  if (in_bulge > 0) add_sphere(model.bulge(), in_bulge, random, first + in_disk, bodies);
}

void add_sphere(const SphericalModel& model, std::size_t n, const Random& random, std::size_t first, Bodies& bodies) {
  for (std::size_t k = 0; k < n; ++k) {
    Sampler sampler(random, (std::uint64_t{first + k} + 4) << 32);  // a velocity may need any number of draws
    const double radius = model.radius_of(stratum(k, n, sampler));
    const Vec3 x = sampler.on_sphere(radius), v = model.velocity_at(x, sampler);
    bodies.position.push_back(x.x, x.y, x.z);
    bodies.velocity.push_back(v.x, v.y, v.z);
  }
}

}  // namespace orrery::sim
