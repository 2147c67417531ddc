// SPDX-License-Identifier: MIT
// Many bodies with a cutoff: energy to the order of the step, momentum to rounding, pressures of a gas and a fluid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "boxes.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double fluid_spacing = 1.3;  ///< of σ = 1: bodies meet, and none begins deep in another

/// 64 bodies of mass 1 in a periodic box.
System fluid_of(const NumberedLaw& law) {
  Bodies bodies = gas(64, 3, fluid_spacing);
  bodies.mass.assign(64, 1.0);
  return in_box(box_of(Periodic::kind, 3, edge_of_gas(64, 3, fluid_spacing)), system_of(law, bodies, 0));
}

/// The result of a run over a time of 2.
struct Kept {
  double energy = 0;    ///< root of the mean of ((E − E₀)/E₀)²
  double momentum = 0;  ///< lost at the most
  double images = 0;    ///< at the most, along x
};

Kept kept_by(const NumberedLaw& law, double dt) {
  const auto cpu = make_cpu_backend(fluid_of(law), 1, 0);
  const Observables first = cpu->observe();
  Simulation simulation(*cpu, integrator("leapfrog"), dt);
  Kept kept;
  constexpr int looks = 40;
  for (int k = 0; k < looks; ++k) {
    simulation.advance(std::lround(0.05 / dt), true);
    const Snapshot now = simulation.observe();
    const double error = now.observables.total_energy() / first.total_energy() - 1;
    kept.energy += error * error / looks;
    const Vec3 p = now.observables.momentum, p0 = first.momentum;
    kept.momentum = std::max({kept.momentum, std::abs(p.x - p0.x), std::abs(p.y - p0.y), std::abs(p.z - p0.z)});
    for (const double image : now.image.x) kept.images = std::max(kept.images, std::abs(image));
  }
  kept.energy = std::sqrt(kept.energy);
  return kept;
}

/// If the force is continuous at the cutoff, the error is proportional to the square of the step; otherwise pairs that
/// cross the cutoff add a little.
TEST(Fluids, EnergyErrorIsQuadraticAndMomentumIsConserved) {
  for (const NumberedLaw& law : every_short_range_law()) {
    if (law.law->name != "wca" && law.law->name != "lennard-jones") continue;
    const bool cut = law.law->name == "lennard-jones" && law.parameters.at[3] == 0;  // its energy jumps
    const bool smooth = law.law->name == "wca" || law.parameters.at[2] != 0;
    const Kept coarse = kept_by(law, 0.005), fine = kept_by(law, 0.00125);
    EXPECT_EQ(coarse.energy < 1e-4, !cut) << law.name() << ", " << coarse.energy;
    EXPECT_GT(coarse.energy / fine.energy, cut ? 0 : smooth ? 12 : 8) << law.name();
    EXPECT_LT(coarse.energy / fine.energy, cut ? 2 : 20) << law.name();
    EXPECT_LT(std::max(coarse.momentum, fine.momentum), 1e-12) << law.name();
    EXPECT_GT(coarse.images, 0) << law.name();
  }
}

/// Very soft spheres are an ideal gas: their pressure is 2K/(dV); with increasing hardness the virial adds to it.
TEST(Fluids, PressureIncludesVirial) {
  const NumberedLaw soft = every_short_range_law().back();
  const Bodies bodies = gas(125, 3, 0.7);
  const Domain box = box_of(Periodic::kind, 3, edge_of_gas(125, 3, 0.7));
  const auto pressure = [&](double strength) {
    const Observables seen = reference(in_box(box, system_of(soft, bodies, 0, strength)))->observe();
    return (2 * seen.kinetic_energy + seen.virial) / (3 * box.volume());
  };
  double kinetic = 0;
  for (std::size_t i = 0; i < 125; ++i) {
    const auto& [x, y, z] = bodies.velocity;
    kinetic += bodies.mass[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]) / 2;
  }
  EXPECT_NEAR(pressure(0), 2 * kinetic / (3 * box.volume()), 1e-14);
  const double soft_part = pressure(1) - pressure(0);
  EXPECT_GT(soft_part, 0);
  EXPECT_NEAR(pressure(4) - pressure(0), 4 * soft_part, 1e-13);
}

}  // namespace
}  // namespace orrery::sim::testing
