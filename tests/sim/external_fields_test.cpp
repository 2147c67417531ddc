// SPDX-License-Identifier: MIT
// External fields: identical bits, forces are gradients of potentials, orbits close, energy is conserved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/initial_state.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

System alone(const ExternalField& field, Vec3 position, Vec3 velocity) {
  System system;
  system.bodies.mass = {1.5};
  system.bodies.position.push_back(position.x, position.y, position.z);
  system.bodies.velocity.push_back(velocity.x, velocity.y, velocity.z);
  system.fields.push_back(field);
  return system;
}

TEST(ExternalFields, HaveTheSameBitsOnEveryBackend) {
  for (const std::size_t n : {1UL, 2UL, 33UL, 257UL}) {
    const System system = with_fields(system_of(cloud(n), 0.05));
    const std::int64_t steps = n < 100 ? 300 : 30;
    const Snapshot expected = run(*reference(system), integrator("leapfrog"), 1e-2, steps);
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      for (const int threads : {1, 3}) {
        const auto cpu = make_cpu_backend(system, threads, target);
        EXPECT_EQ(fingerprint(run(*cpu, integrator("leapfrog"), 1e-2, steps)), fingerprint(expected))
            << "N = " << n << ", " << cpu->hardware();
      }
    }
  }
}

/// Committed bits, as in tests/canonical_hashes.txt.
TEST(ExternalFields, HaveTheCommittedBits) {
  const auto cpu = make_cpu_backend(with_fields(system_of(cloud(257), 0.05)), 2, 0);
  EXPECT_EQ(fingerprint(run(*cpu, integrator("leapfrog"), 1e-2, 100)), 0xf96df14d476fcfc4ULL);
}

TEST(ExternalFields, AddToThePairForces) {
  const Bodies bodies = cloud(33);
  const auto without = make_cpu_backend(system_of(bodies, 0.05), 1, 0);
  const auto with = make_cpu_backend(with_fields(system_of(bodies, 0.05)), 1, 0);
  without->accelerate(), with->accelerate();
  const Vectors a = without->download(Column::acceleration), b = with->download(Column::acceleration);
  double energy = without->observe().potential_energy;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 x{bodies.position.x[i], bodies.position.y[i], bodies.position.z[i]};
    double expected = a.y[i];
    for (const FieldLaw* law : field_laws()) {
      expected += law->acceleration(field(*law).parameters, x).y;
      energy += bodies.mass[i] * law->potential(field(*law).parameters, x);
    }
    EXPECT_EQ(b.y[i], expected);
  }
  EXPECT_NEAR(with->observe().potential_energy, energy, 1e-13 * std::abs(energy));
}

class EveryField : public ::testing::TestWithParam<const FieldLaw*> {};

TEST_P(EveryField, IsTheGradientOfItsPotential) {
  const FieldLaw& law = *GetParam();
  const LawParameters p = field(law).parameters;
  for (const Vec3 x : {Vec3{0.4, 0.5, -0.6}, Vec3{-3, 1, 2}, Vec3{40, -70, 11}}) {
    const double h = 1e-4 * (1 + std::abs(x.x));
    const auto slope = [&](double Vec3::*axis) {
      const auto at = [&](double shift) {
        Vec3 there = x;
        there.*axis += shift;
        return law.potential(p, there);
      };
      return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    };
    const Vec3 g = law.acceleration(p, x);
    const double size = std::hypot(g.x, g.y, g.z);
    EXPECT_NEAR(g.x, -slope(&Vec3::x), 1e-8 * size) << law.name;
    EXPECT_NEAR(g.y, -slope(&Vec3::y), 1e-8 * size) << law.name;
    EXPECT_NEAR(g.z, -slope(&Vec3::z), 1e-8 * size) << law.name;
  }
}

/// A circular orbit in a plane through the centre closes, with an error that falls as dt².
TEST_P(EveryField, ClosesACircularOrbitWithOrderTwo) {
  const ExternalField halo = field(*GetParam());
  const double r = 1.9;
  const Vec3 x{0.1 + r, -0.2, 0.3};
  const double v = std::sqrt(r * -GetParam()->acceleration(halo.parameters, x).x);
  const auto missed = [&](std::int64_t steps) {
    const auto cpu = make_cpu_backend(alone(halo, x, {0, v, 0}), 1, 0);
    const Snapshot end = run(*cpu, integrator("leapfrog"), 2 * pi * r / v / static_cast<double>(steps), steps);
    return std::hypot(end.position.x[0] - x.x, end.position.y[0] - x.y, end.position.z[0] - x.z);
  };
  EXPECT_NEAR(std::log2(missed(150) / missed(300)), 2, 0.02) << GetParam()->name;
  EXPECT_LT(missed(2000), 1e-4);
}

TEST_P(EveryField, KeepsTheEnergyOfAnEccentricOrbit) {
  const auto cpu = make_cpu_backend(alone(field(*GetParam()), {2, 0.3, -0.4}, {0.1, 0.5, 0.2}), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1e-3);
  const double start = simulation.observe().observables.total_energy();
  double early = 0, late = 0;
  for (int k = 0; k < 400; ++k) {
    simulation.advance(100);
    double& worst = k < 200 ? early : late;
    worst = std::max(worst, std::abs(simulation.observe().observables.total_energy() / start - 1));
  }
  EXPECT_LT(early, 1e-5);
  EXPECT_LT(late, 1.1 * early);  // does not drift
}

INSTANTIATE_TEST_SUITE_P(All, EveryField, ::testing::ValuesIn(field_laws().begin(), field_laws().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::erase(name, '-');
                           return name;
                         });

/// The rotation curves of theory.
TEST(ExternalFields, HaveTheirRotationCurves) {
  const auto speed = [](const char* name, double r) {
    const FieldLaw& law = **std::ranges::find(field_laws(), name, &FieldLaw::name);
    return std::sqrt(r * -law.acceleration(field(law).parameters, {0.1, -0.2 + r, 0.3}).y);
  };
  EXPECT_NEAR(speed("logarithmic-halo", 0.7), 1.3 / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(speed("logarithmic-halo", 1e6), 1.3, 1e-9);
  EXPECT_NEAR(speed("plummer-halo", 1e6), std::sqrt(1.7 * 2.1 / 1e6), 1e-12);
}

}  // namespace
}  // namespace orrery::sim::testing
