// SPDX-License-Identifier: MIT
// Dehnen's models: a cusp of any strength (Dehnen 1993, MNRAS 265, 250; Tremaine et al. 1994, AJ 107, 634).
#include "sim/initial_states/spherical.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter own_keys[] = {
    count_key("1024", "number of bodies"),
    total_mass_key,
    {.name = "gamma",
     .fallback = "1.5",
     .meaning = "γ of the cusp, ρ ∝ r^−γ at the centre: 0 has a core, 1 is Hernquist's model, 2 Jaffe's",
     .range = {.low = 0, .high = 2.5}},
    length_key("scale_length", "1.0", "a: ρ ∝ 1/(r^γ (r + a)^(4 − γ)), with 2^(γ − 3) of the mass within a"),
    edge_key(edge_in_100),
    anisotropy_key,
    virial_ratio_key,
};
constexpr auto parameters = with_star_keys(own_keys);

DensityProfile profile(const Arguments& arguments) {
  return profile_with_edge(DensityProfile::Form::dehnen, arguments, 100, arguments.number("gamma"));
}

}  // namespace

const InitialState dehnen =
    sphere_in_equilibrium<profile>("dehnen", "Dehnen's sphere with a cusp ρ ∝ r^−γ, a galaxy, in equilibrium",
                                   {literature::dehnen1993,
                                    literature::tremaine1994,
                                    {literature::mcmillan2007, "the edge"},
                                    {literature::binney2008, "4.3"}},
                                   parameters);

}  // namespace orrery::sim
