// SPDX-License-Identifier: MIT
// Hénon's isochrone, in whose potential the radial period depends on the energy alone: Hénon 1959, Ann. Astrophys. 22, 126.
#include "sim/initial_states/spherical.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter own_keys[] = {
    count_key("1024", "number of bodies"),
    total_mass_key,
    length_key("scale_length", "1.0", "b: φ = −G mass/(b + √(b² + r²))"),
    edge_key(edge_in_100),
    anisotropy_key,
    virial_ratio_key,
};
constexpr auto parameters = with_star_keys(own_keys);

DensityProfile profile(const Arguments& arguments) {
  return profile_with_edge(DensityProfile::Form::isochrone, arguments, 100);
}

}  // namespace

const InitialState isochrone = sphere_in_equilibrium<profile>(
    "isochrone", "Hénon's isochrone sphere, a cluster with a core and a wide envelope, in equilibrium",
    {literature::henon1959, {literature::mcmillan2007, "the edge"}, {literature::binney2008, "4.3"}}, parameters);

}  // namespace orrery::sim
