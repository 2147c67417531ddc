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

System system_of(const Bodies& bodies, double softening, double G = 1);

/// Two bodies of masses m at pericentre, and their period.
Bodies kepler(double eccentricity, double* period);

const Integrator& integrator(std::string_view name);
std::unique_ptr<Backend> reference(System system);

/// FNV-1a over every bit of a snapshot's state and observables.
std::uint64_t fingerprint(const Snapshot& snapshot);

/// Runs so many steps and observes.
Snapshot run(Backend& backend, const Integrator& integrator, double dt, std::int64_t steps);

/// The relative orbit of two bodies at time t after pericentre, in closed form: Kepler's equation in long double.
Vec3 kepler_position(double mu, double semi_major_axis, double eccentricity, double t);

}  // namespace orrery::sim::testing
