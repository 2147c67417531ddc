// SPDX-License-Identifier: MIT
// Runs of the engine, for the two files that compile it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "render/page/engine/engine.hpp"
#include "tests/page/engine_names.hpp"

namespace orrery::page::testing {
namespace {

EngineState end_of(const EngineRun& run) {
  using namespace ORRERY_ENGINE;
  const sim::System& system = run.system;
  const int n = static_cast<int>(system.bodies.size());
  std::vector<double> memory(static_cast<std::size_t>(Bodies::size(n)));
  Engine engine;
  engine.begin(n, memory.data(), static_cast<Method>(number_of(engine_methods, run.integrator)), run.dt);
  for (const sim::PairForce& force : system.forces) {
    const Law law = static_cast<Law>(number_of(engine_laws, force.law->name));
    const double factor = law == Law::coulomb ? run.coulomb : force.target_factor.front();
    engine.add({law, force.softening2, factor, static_cast<int>(force.parameters.at[0]), {}});
  }
  for (const sim::ExternalField& field : system.fields) {
    const auto& p = field.parameters.at;
    engine.add({static_cast<Law>(number_of(engine_laws, field.law->name)), p[1], p[0], 0, {p[2], p[3], p[4]}});
  }
  std::ranges::copy(system.bodies.mass, engine.bodies().mass());
  std::ranges::copy(system.bodies.charge, engine.bodies().charge());
  const std::array axes{&sim::Vectors::x, &sim::Vectors::y, &sim::Vectors::z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto part = axes[static_cast<std::size_t>(axis)];
    std::ranges::copy(system.bodies.position.*part, engine.bodies()[Kept::position][axis]);
    std::ranges::copy(system.bodies.velocity.*part, engine.bodies()[Kept::velocity][axis]);
  }
  engine.advance(static_cast<int>(run.steps));
  EngineState end{};
  end.kinetic_energy = engine.kinetic_energy();
  end.potential_energy = engine.potential_energy();
  end.hash = engine.hash();
  for (const bool single : {false, true}) {
    for (const bool velocities : {false, true}) end.checksums[single][velocities] = engine.checksum(single, velocities);
  }
  const auto take = [&](Kept column, sim::Vectors& to) {
    for (int axis = 0; axis < 3; ++axis) {
      const double* from = engine.bodies()[column][axis];
      (to.*axes[static_cast<std::size_t>(axis)]).assign(from, from + n);
    }
  };
  take(Kept::position, end.position);
  take(Kept::velocity, end.velocity);
  take(Kept::acceleration, end.acceleration);
  return end;
}

double fma_of_engine(double a, double b, double c) {
  return ORRERY_ENGINE::fma(a, b, c).v[0];
}

double strength_of_engine(double dx, double dy, double dz, double eps2) {
  using namespace ORRERY_ENGINE;
  return Attraction(eps2, Bits{}).strength({dx, dy, dz}).v[0];
}

double attracted_by_engine(double d, double s, double sum) {
  using namespace ORRERY_ENGINE;
  Lanes on[] = {sum, 0.0, 0.0};
  Attraction(0, Bits{}).act({d, 0.0, 0.0}, s, on);
  return on[0].v[0];
}

}  // namespace
}  // namespace orrery::page::testing
