// SPDX-License-Identifier: MIT
#pragma once

#include "sim/initial_states/galaxy_model.hpp"
#include "sim/random.hpp"

namespace orrery::sim {

/// Adds positions and velocities of bodies of the disk and then of the bulge, with stratified radii to reduce initial noise. `first` is
/// the number of the first of them, by which their random numbers differ from those of other bodies.
void add_galaxy(const GalaxyModel& model, std::size_t in_disk, std::size_t in_bulge, const Random& random,
                std::size_t first, Bodies& bodies);

/// Adds those of a sphere in equilibrium, likewise.
void add_sphere(const SphericalModel& model, std::size_t n, const Random& random, std::size_t first, Bodies& bodies);

}  // namespace orrery::sim
