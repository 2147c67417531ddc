// SPDX-License-Identifier: MIT
// Massless bodies are accelerated but do not act, for every integrator; without massive bodies motion is straight
// lines.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

void expect_no_conserved_quantities(const Observables& seen) {
  EXPECT_EQ(seen.kinetic_energy, 0);
  EXPECT_EQ(seen.potential_energy, 0);
  EXPECT_EQ(seen.momentum, Vec3{});
  EXPECT_EQ(seen.angular_momentum, Vec3{});
  EXPECT_EQ(seen.center_of_mass, Vec3{});
}

class Massless : public ::testing::TestWithParam<const Integrator*> {};

TEST_P(Massless, BodyMovesWithoutActing) {
  Bodies bodies = cloud(33);
  ASSERT_EQ(bodies.mass[14], 0);
  const auto after = [&] {
    const auto cpu = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
    return run(*cpu, *GetParam(), 1e-3, 57);
  };
  Snapshot here = after();
  bodies.position.y[14] += 0.375;
  bodies.velocity.z[14] -= 0.5;
  Snapshot there = after();
  EXPECT_GT(std::abs(here.position.y[14] - there.position.y[14]), 0.3);
  EXPECT_EQ(here.observables, there.observables);
  for (Snapshot* s : {&here, &there}) s->position.y[14] = s->position.x[14] = s->position.z[14] = 0;
  EXPECT_EQ(here.position, there.position);
}

/// A massless body around a massive one: the massive one stays exactly at its place, the other is on the Kepler orbit
/// of that mass.
TEST_P(Massless, OrbitAroundAMassiveBody) {
  Bodies bodies;
  bodies.mass = {1.25, 0};
  bodies.position.push_back(0.25, -0.5, 1);
  bodies.velocity.push_back(0, 0, 0);
  const double a = 1.3, e = 0.3, r = a * (1 - e);
  bodies.position.push_back(0.25 + r, -0.5, 1);
  bodies.velocity.push_back(0, std::sqrt(1.25 * (1 + e) / r), 0);
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  const Snapshot s = run(*cpu, *GetParam(), 1e-3, 2700);
  EXPECT_EQ(s.position.x[0], 0.25);
  EXPECT_EQ(s.velocity.y[0], 0);
  const Vec3 exact = kepler_orbit(1.25, a, e, 2.7).position;
  const double bound = GetParam()->order == 1 ? 1e-2 : 1e-5;
  EXPECT_NEAR(s.position.x[1] - 0.25, exact.x, bound);
  EXPECT_NEAR(s.position.y[1] + 0.5, exact.y, bound);
  EXPECT_EQ(s.observables.total_energy(), 0);
  EXPECT_EQ(s.observables.center_of_mass, (Vec3{0.25, -0.5, 1}));
}

/// Two massless bodies, and many, with and without softening.
TEST_P(Massless, OnlyMasslessBodiesMoveInStraightLines) {
  for (const std::size_t n : {2UL, 131UL}) {
    for (const double softening : {0.0, 0.1}) {
      Bodies bodies = cloud(n);
      bodies.mass.assign(n, 0.0);
      const auto cpu = make_cpu_backend(system_of(bodies, softening), 1, 0);
      Simulation simulation(*cpu, *GetParam(), 0.01);
      expect_no_conserved_quantities(simulation.observe().observables);
      simulation.advance(100);
      const Snapshot s = simulation.observe();
      expect_no_conserved_quantities(s.observables);
      EXPECT_EQ(s.velocity, bodies.velocity);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(s.position.x[i], bodies.position.x[i] + bodies.velocity.x[i], 1e-13);
        EXPECT_NEAR(s.position.z[i], bodies.position.z[i] + bodies.velocity.z[i], 1e-13);
      }
    }
  }
}

/// Few sources among many bodies, and many: the bits of the definition, whose sums leave out weightless bodies.
TEST(MasslessMany, HaveTheBitsOfTheReference) {
  for (const std::size_t n : {129UL, 300UL, 1031UL}) {
    for (const std::size_t one_in : {2UL, 5UL, 40UL, 1000UL}) {
      Bodies bodies = cloud(n);
      for (std::size_t i = 0; i < n; ++i)
        bodies.mass[i] = (i * 7 + 3) % one_in == 0 ? 0.5 + 0.001 * static_cast<double>(i) : 0;
      System system = system_of(bodies, 0.05);
      system.scratch_columns = 1, system.jerk = true;
      const auto expected = reference(system);
      expected->expect_observation(true);
      expected->accelerate();
      const Vectors a = expected->download(Column::acceleration);
      const Observables seen = expected->observe();
      expected->accelerate_with_jerk(scratch_column(0));
      for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
        const auto cpu = make_cpu_backend(system, 3, target);
        cpu->accelerate();
        EXPECT_EQ(cpu->download(Column::acceleration), a) << n << ", one in " << one_in << ", " << cpu->hardware();
        EXPECT_EQ(cpu->observe(), seen) << n << ", one in " << one_in << ", " << cpu->hardware();
        cpu->accelerate_with_jerk(scratch_column(0));
        EXPECT_EQ(cpu->download(scratch_column(0)), expected->download(scratch_column(0)))
            << n << ", one in " << one_in;
      }
    }
  }
}

/// In floats the sums differ from those over all bodies, with the same accuracy.
TEST(MasslessMany, AreAsAccurateInFloats) {
  Bodies bodies = cloud(700);
  for (std::size_t i = 0; i < 700; ++i) bodies.mass[i] = i % 60 == 7 ? 1 : 0;
  const auto exact = make_cpu_backend(system_of(bodies, 0.05), 2, 0);
  exact->accelerate();
  const Vectors a = exact->download(Column::acceleration);
  for (const Precision precision : {Precision::mixed, Precision::float32, Precision::float32_exact_root}) {
    const auto floats = make_cpu_backend(system_of(bodies, 0.05), {.threads = 2, .precision = precision}, 0);
    floats->accelerate();
    const Vectors found = floats->download(Column::acceleration);
    for (std::size_t i = 0; i < 700; ++i) {
      const double size = std::abs(a.x[i]) + std::abs(a.y[i]) + std::abs(a.z[i]);
      EXPECT_NEAR(found.x[i], a.x[i], (precision == Precision::mixed ? 1e-6 : 5e-6) * size) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Massless, ::testing::ValuesIn(integrators().begin(), integrators().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace orrery::sim::testing
