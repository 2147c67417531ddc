// SPDX-License-Identifier: MIT
// The profile of dark halos (Navarro, Frenk & White 1997, ApJ 490, 493), with an edge, since its mass grows without limit.
#include "sim/initial_states/spherical.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter own_keys[] = {
    count_key("1024", "number of bodies"),
    total_mass_key,
    length_key("scale_length", "1.0", "a: ρ ∝ 1/(r (r + a)²)"),
    edge_key(
        "where the density begins to fall exponentially, such as the virial radius: it is multiplied by sech(r/edge); "
        "default: 10 scale lengths"),
    anisotropy_key,
    virial_ratio_key,
};
constexpr auto parameters = with_star_keys(own_keys);

DensityProfile profile(const Arguments& arguments) {
  return profile_with_edge(DensityProfile::Form::nfw, arguments, 10);
}

}  // namespace

const InitialState nfw = sphere_in_equilibrium<profile>(
    "nfw", "Navarro's, Frenk's and White's dark halo with an edge, in equilibrium",
    {literature::navarro1997, {literature::mcmillan2007, "the edge"}, {literature::binney2008, "4.3"}}, parameters);

}  // namespace orrery::sim
