// SPDX-License-Identifier: MIT
// The engine of pages, compiled for this machine: as it is where fma is an instruction, and as it is where it is not.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/backend.hpp"

namespace orrery::page::testing {

/// A run that a page may step.
struct EngineRun {
  const sim::System& system;
  std::string_view integrator;
  double dt = 1e-3;
  std::int64_t steps = 0;
  double coulomb = 1;  ///< k, which the forces of a system no longer have
};

/// A state, and what the engine says of it.
struct EngineState {
  sim::Vectors position, velocity, acceleration;
  double kinetic_energy, potential_energy;
  std::uint64_t hash;
  std::uint64_t checksums[2][2];  ///< of a stored frame: [in float32][with velocities]
};

struct EngineKind {
  std::string_view name;
  EngineState (*end_of)(const EngineRun& run);
  double (*fma)(double a, double b, double c);
  double (*strength)(double dx, double dy, double dz, double eps2);  ///< r⁻³ of a pair
  double (*attracted)(double d, double s, double sum);               ///< sum + s·d, as pairs add it
};

extern const EngineKind exact_engine, fused_engine;

}  // namespace orrery::page::testing
