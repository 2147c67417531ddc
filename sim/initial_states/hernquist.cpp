// SPDX-License-Identifier: MIT
// Hernquist's model of bulges and elliptical galaxies: Hernquist 1990, ApJ 356, 359.
#include "sim/initial_states/spherical.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter own_keys[] = {
    count_key("1024", "number of bodies"),
    total_mass_key,
    length_key("scale_length", "1.0", "a: ρ ∝ 1/(r (r + a)³), with a quarter of the mass within a"),
    edge_key(edge_in_100),
    anisotropy_key,
    virial_ratio_key,
};
constexpr auto parameters = with_star_keys(own_keys);

DensityProfile profile(const Arguments& arguments) {
  return profile_with_edge(DensityProfile::Form::dehnen, arguments, 100, 1);
}

}  // namespace

const InitialState hernquist = sphere_in_equilibrium<profile>(
    "hernquist", "Hernquist's sphere with a cusp ρ ∝ 1/r, a bulge or an elliptical galaxy, in equilibrium",
    {literature::hernquist1990, {literature::mcmillan2007, "the edge"}, {literature::binney2008, "4.3"}}, parameters);

}  // namespace orrery::sim
