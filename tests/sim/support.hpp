// SPDX-License-Identifier: MIT
// What several tests of the sim room need: bodies, backends, and ways to compare.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/backend.hpp"
#include "sim/integrator.hpp"
#include "sim/simulation.hpp"

namespace orrery::sim::testing {

/// n bodies at random in a cube of half width 1 with masses that sum to about 1, every seventh but the first massless.
Bodies cloud(std::size_t n, std::uint64_t seed = 1);

/// n bodies of mass 1/n drawn from Plummer's sphere with scale length 1 and G = 1, isotropic and at rest as a whole up to
/// chance: IEEE operations alone, so that everybody draws the same. Aarseth, Hénon & Wielen 1974, A&A 37, 183.
Bodies plummer_sphere(std::size_t n, std::uint64_t seed = 1);

System system_of(const Bodies& bodies, double softening, double G = 1);

/// Two bodies of masses m at pericentre, and their period.
Bodies kepler(double eccentricity, double* period);

const Integrator& integrator(std::string_view name);
std::unique_ptr<Backend> reference(System system);

/// FNV-1a over every bit of a snapshot's state and observables.
std::uint64_t fingerprint(const Snapshot& snapshot);

/// Runs so many steps and observes.
Snapshot run(Backend& backend, const Integrator& integrator, double dt, std::int64_t steps);

/// The greatest |Δa|/|a| against a sum in long double of gravity's formula, over every body or, of more than a hundred,
/// over at least fifty of them evenly.
double worst_error(const Bodies& bodies, const Vectors& a, double softening, double G);

/// The relative orbit of two bodies at time t after pericentre, in closed form: Kepler's equation in long double.
Vec3 kepler_position(double mu, double semi_major_axis, double eccentricity, double t);

}  // namespace orrery::sim::testing
