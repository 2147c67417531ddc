// SPDX-License-Identifier: MIT
// The Langevin integrator: its stationary distribution, its limits without noise or friction, and its bits in a box.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/boundaries/periodic.hpp"
#include "sim/boundaries/reflecting.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/solver.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

const Integrator& langevin() {
  return integrator("langevin");
}

KeyValues bath(double temperature, double friction, double noise = 1) {
  KeyValues keys;
  keys.at = {temperature, friction, noise};
  return keys;
}

/// n bodies at rest at the origin, with the masses 1/2, 1 and 2 in turn and no force between them.
System ideal_gas(std::size_t n) {
  System system;
  for (std::size_t i = 0; i < n; ++i) {
    system.bodies.mass.push_back(0.5 * static_cast<double>(1U << i % 3));
    system.bodies.position.push_back(0, 0, 0);
    system.bodies.velocity.push_back(0, 0, 0);
  }
  add_requirements(system, langevin());
  return system;
}

/// Bodies on a lattice in a periodic or reflecting box that repel each other.
System fluid(std::size_t dimensions, const Boundary& ends) {
  const double edge = dimensions == 2 ? 7 : 4;
  System system;
  system.domain.dimensions = static_cast<int>(dimensions);
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    system.domain.boundary[axis] = &ends;
    system.domain.edges[axis] = edge;
  }
  const std::int64_t n = dimensions == 2 ? 49 : 64;
  system.bodies = lattice
                      .make({{"lattice", std::string(dimensions == 2 ? "square" : "cubic")},
                             {"n", n},
                             {"density", 1.0},
                             {"mass", 1.0},
                             {"temperature", 0.2}},
                            {.random = Random(1, 0), .domain = system.domain})
                      .bodies;
  const auto& law = **std::ranges::find(force_laws(), "wca", &ForceLaw::name);
  system.forces.push_back(
      make_pair_force(law, system.bodies, 0, 1, law.parameters_of({{"epsilon", 1.0}, {"sigma", 1.0}})));
  add_requirements(system, langevin());
  return system;
}

/// Every component has the variance T/m and the kurtosis of a normal distribution. Means over 200 weakly correlated
/// moments of 1000 bodies of each mass.
TEST(LangevinBath, GivesEveryComponentOfEveryMassANormalDistribution) {
  constexpr double temperature = 0.7;
  const auto cpu = make_cpu_backend(ideal_gas(3000), 1, 0);
  Simulation simulation(*cpu, langevin(), 0.5, bath(temperature, 1));
  simulation.advance(20);
  double square[3][3] = {}, fourth[3][3] = {};
  constexpr int moments = 200;
  for (int k = 0; k < moments; ++k) {
    simulation.advance(2);
    const Vectors v = cpu->download(Column::velocity);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double m = 0.5 * static_cast<double>(1U << i % 3), u[] = {v.x[i], v.y[i], v.z[i]};
      for (std::size_t q = 0; q < 3; ++q) {
        const double reduced = m * u[q] * u[q] / temperature;
        square[i % 3][q] += reduced / (1000 * moments), fourth[i % 3][q] += reduced * reduced / (1000 * moments);
      }
    }
  }
  for (std::size_t kind = 0; kind < 3; ++kind) {
    for (std::size_t q = 0; q < 3; ++q) {
      EXPECT_NEAR(square[kind][q], 1, 0.02) << kind << ", " << q;
      EXPECT_NEAR(fourth[kind][q], 3, 0.15) << kind << ", " << q;
    }
  }
}

TEST(LangevinBath, FluidReachesItsTemperature) {
  for (const Boundary* ends : {&Periodic::kind, &Reflecting::kind}) {
    const auto cpu = make_cpu_backend(fluid(3, *ends), 1, 0);
    Simulation simulation(*cpu, langevin(), 0.004, bath(1.2, 5));
    simulation.advance(300);
    double twice = 0;
    for (int k = 0; k < 100; ++k) {
      simulation.advance(50);
      twice += 2 * simulation.observe().observables.kinetic_energy;
    }
    EXPECT_NEAR(twice / (100 * 3 * 64), 1.2, 0.05) << ends->name;
  }
}

TEST(LangevinBath, WithoutFrictionIsTheLeapfrogToTheBit) {
  const System system = system_of(cloud(33), 0.05);
  const auto one = make_cpu_backend(system, 1, 0), other = make_cpu_backend(system, 1, 0);
  Simulation in_bath(*one, langevin(), 1e-3, bath(1, 0)), alone(*other, integrator("leapfrog"), 1e-3);
  in_bath.advance(100), alone.advance(100);
  EXPECT_EQ(fingerprint(in_bath.observe()), fingerprint(alone.observe()));
}

/// v = v₀ exp(−γt) without other forces; also backward, since friction uses |dt|.
TEST(LangevinBath, AtZeroTemperatureOnlyDamps) {
  for (const double dt : {0.1, -0.1}) {
    System system = ideal_gas(2);
    system.bodies.velocity.x[1] = 3;
    const auto cpu = make_cpu_backend(system, 1, 0);
    Simulation simulation(*cpu, langevin(), dt, bath(0, 0.3));
    simulation.advance(50);
    EXPECT_NEAR(simulation.observe().velocity.x[1], 3 * std::exp(-1.5), 1e-14);
  }
}

TEST(LangevinBath, PlaneStaysAPlane) {
  const auto cpu = make_cpu_backend(fluid(2, Periodic::kind), 1, 0);
  Simulation simulation(*cpu, langevin(), 0.004, bath(1, 2));
  simulation.advance(200);
  const Snapshot s = simulation.observe();
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_FALSE(s.position.z[i] != 0 || std::signbit(s.position.z[i])) << i;
    EXPECT_FALSE(s.velocity.z[i] != 0 || std::signbit(s.velocity.z[i])) << i;
  }
}

TEST(LangevinBath, HasTheSameBitsInABoxOnEveryBackendAndResumed) {
  for (const Boundary* ends : {&Periodic::kind, &Reflecting::kind}) {
    const System system = fluid(3, *ends);
    const auto definition = reference(system);
    Simulation expected(*definition, langevin(), 0.004, bath(1, 2));
    expected.advance(30);
    const Snapshot middle = expected.observe();
    expected.advance(30);
    const std::uint64_t end = fingerprint(expected.observe());
    for (const int threads : {1, 2, 3}) {
      const auto cpu = make_cpu_backend(system, threads, 0);
      Simulation resumed(*cpu, langevin(), 0.004, bath(1, 2));
      resumed.advance(7);  // any other state
      resumed.resume(middle);
      resumed.advance(30);
      EXPECT_EQ(fingerprint(resumed.observe()), end) << ends->name << ", " << threads << " threads";
    }
  }
}

TEST(LangevinBath, SeedOfNoiseChangesTheRun) {
  const auto after = [](double noise) {
    const auto cpu = make_cpu_backend(ideal_gas(5), 1, 0);
    Simulation simulation(*cpu, langevin(), 0.1, bath(1, 1, noise));
    simulation.advance(3);
    return fingerprint(simulation.observe());
  };
  EXPECT_EQ(after(1), after(1));
  EXPECT_NE(after(1), after(2));
  EXPECT_NE(after(1), after(1 + 0x1p32));
}

/// Massless bodies get no noise; and a system without the request has no bath.
TEST(LangevinBath, MasslessBodiesGetNoNoise) {
  System system = ideal_gas(2);
  system.bodies.mass[1] = 0;
  const auto cpu = make_cpu_backend(system, 1, 0);
  cpu->thermalise({.kept = 0.5, .spread = 1});
  EXPECT_NE(cpu->download(Column::velocity).x[0], 0);
  EXPECT_EQ(cpu->download(Column::velocity).x[1], 0);

  system.bath = false;
  EXPECT_THROW(make_cpu_backend(system, 1, 0)->thermalise({}), Error);
}

}  // namespace
}  // namespace orrery::sim::testing
