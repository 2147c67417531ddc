// SPDX-License-Identifier: MIT
// Jerks: the same bits on every backend, equal to the derivative of the forces along the motion, and unchanged forces.
#include <gtest/gtest.h>

#include <cmath>

#include "laws.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr Column jerk = scratch_column(0);

System with_a_column(System system) {
  system.scratch_columns = 1;
  system.jerk = true;
  return system;
}

TEST(Jerk, HasTheSameBitsOnEveryBackend) {
  for (const NumberedLaw& law : every_law()) {
    for (const std::size_t n : {1UL, 2UL, 6UL, 33UL, 129UL, 257UL, 1000UL}) {
      if (n > 300 && law.parameters.at[0] > 1) continue;
      for (const double softening : {0.3, 0.0}) {
        System system = with_a_column(system_of(law, charged_cloud(n), softening));
        if (n % 2 == 1) system = with_fields(std::move(system));
        const auto definition = reference(system);
        definition->accelerate_with_jerk(jerk);
        const Vectors a = definition->download(Column::acceleration), j = definition->download(jerk);
        for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
          for (const int threads : {1, 2, 3}) {
            const auto cpu = make_cpu_backend(system, threads, target);
            cpu->accelerate_with_jerk(jerk);
            EXPECT_EQ(bits_of(cpu->download(jerk)), bits_of(j))
                << law.name() << ", N = " << n << ", ε = " << softening << ", " << cpu->hardware();
            EXPECT_EQ(bits_of(cpu->download(Column::acceleration)), bits_of(a)) << law.name() << ", N = " << n;
          }
        }
      }
    }
  }
}

/// Five-point derivative of a long double sum, with an error that falls as h⁴, for every body.
TEST(Jerk, IsTheChangeOfTheForcesAsBodiesMove) {
  for (const NumberedLaw& law : every_law()) {
    if (!law.exponent()) continue;
    const int falloff = *law.exponent();
    const std::size_t n = 37;
    const Bodies bodies = charged_cloud(n);
    const PairForce force = make_pair_force(*law.law, bodies, 0.3, 1.7, law.parameters);
    const auto cpu = make_cpu_backend(with_a_column(system_of(law, bodies, 0.3, 1.7)), 1, 0);
    cpu->accelerate_with_jerk(jerk);
    const Vectors j = cpu->download(jerk);
    for (std::size_t i = 0; i < n; ++i) {
      const auto force_at = [&](long double t, std::vector<double> Vectors::*axis) {
        const auto at = [t](double x, double v) { return static_cast<long double>(x) + t * v; };
        const auto apart = [&](std::vector<double> Vectors::*q, std::size_t k) {
          return at((bodies.position.*q)[k], (bodies.velocity.*q)[k]) -
                 at((bodies.position.*q)[i], (bodies.velocity.*q)[i]);
        };
        long double sum = 0;
        for (std::size_t k = 0; k < n; ++k) {
          if (k == i) continue;
          const long double x = apart(&Vectors::x, k), y = apart(&Vectors::y, k), z = apart(&Vectors::z, k);
          const long double r = std::sqrt(x * x + y * y + z * z + 0.3L * 0.3L);
          sum += force.target_factor[i] * force.source[k] * std::pow(r, -(falloff + 1.0L)) * apart(axis, k);
        }
        return sum;
      };
      double scale = 0;
      for (std::size_t k = 0; k < n; ++k) scale += std::abs(force.target_factor[i] * force.source[k]);
      scale *= std::pow(0.3, -falloff - 1);  // no force changes faster, apart from the factor of the speed
      const long double h = 1e-4L;
      for (const auto axis : {&Vectors::x, &Vectors::y, &Vectors::z}) {
        const long double expected =
            (8 * (force_at(h, axis) - force_at(-h, axis)) - (force_at(2 * h, axis) - force_at(-2 * h, axis))) /
            (12 * h);
        EXPECT_NEAR((j.*axis)[i], static_cast<double>(expected), 1e-13 * scale) << law.name() << ", body " << i;
      }
    }
  }
}

TEST(Jerk, OfAFieldIsTheChangeOfItsForce) {
  for (const FieldLaw* law : field_laws()) {
    const LawParameters p = field(*law).parameters;
    for (const Vec3 x : {Vec3{0.4, 0.5, -0.6}, Vec3{-3, 1, 2}, Vec3{40, -70, 11}}) {
      const Vec3 v{0.7, -0.4, 1.1};
      const double h = 1e-3;
      const auto at = [&](double t) { return law->acceleration(p, {x.x + t * v.x, x.y + t * v.y, x.z + t * v.z}); };
      const auto slope = [&](double Vec3::*axis) {
        return (8 * (at(h).*axis - at(-h).*axis) - (at(2 * h).*axis - at(-2 * h).*axis)) / (12 * h);
      };
      const Vec3 j = law->jerk(p, x, v);
      const double size = std::hypot(j.x, j.y, j.z);
      EXPECT_NEAR(j.x, slope(&Vec3::x), 1e-9 * size) << law->name;
      EXPECT_NEAR(j.y, slope(&Vec3::y), 1e-9 * size) << law->name;
      EXPECT_NEAR(j.z, slope(&Vec3::z), 1e-9 * size) << law->name;
    }
  }
}

TEST(Jerk, EvaluationWithJerkKeepsTheBitsOfForces) {
  const System system = with_a_column(with_fields(system_of(cloud(300), 0.05)));
  for (const bool plain : {true, false}) {
    const auto with = plain ? reference(system) : make_cpu_backend(system, 2, 0);
    const auto without = plain ? reference(system) : make_cpu_backend(system, 2, 0);
    without->accelerate();
    with->accelerate_with_jerk(jerk);
    EXPECT_EQ(bits_of(with->download(Column::acceleration)), bits_of(without->download(Column::acceleration)));
    EXPECT_EQ(with->evaluations(), 1);
    with->accelerate();
    EXPECT_EQ(with->evaluations(), 1);
    // A known potential stays known; an unknown one is computed on request.
    const double energy = without->observe().potential_energy;
    EXPECT_EQ(with->observe().potential_energy, energy);
    EXPECT_EQ(with->evaluations(), 2);
    with->accelerate_with_jerk(jerk);
    EXPECT_EQ(with->observe().potential_energy, energy);
    EXPECT_EQ(with->evaluations(), 3);
  }
}

/// Two bodies at the same place exert no force on each other but a jerk, ε⁻³ times the difference of their velocities.
TEST(Jerk, OfCoincidentSoftenedBodiesIsFinite) {
  Bodies bodies = cloud(2);
  bodies.mass = {1, 2};
  bodies.position = Vectors(2);
  bodies.velocity.x = {0, 3}, bodies.velocity.y = {0, 0}, bodies.velocity.z = {0, 0};
  const System system = with_a_column(system_of(bodies, 0.5));
  for (const bool plain : {true, false}) {
    const auto backend = plain ? reference(system) : make_cpu_backend(system, 1, 0);
    backend->accelerate_with_jerk(jerk);
    EXPECT_DOUBLE_EQ(backend->download(jerk).x[0], 8 * 2 * 3);
    EXPECT_DOUBLE_EQ(backend->download(jerk).x[1], -8 * 1 * 3);
    EXPECT_EQ(backend->download(jerk).y[0], 0);
  }
}

/// Committed bits, the same on every machine and compiler.
TEST(Jerk, HasTheCommittedBits) {
  const auto hash_of = [](const NumberedLaw& law, bool fields) {
    System system = with_a_column(system_of(law, charged_cloud(257), 0.3));
    if (fields) system = with_fields(std::move(system));
    const auto cpu = make_cpu_backend(std::move(system), 2, 0);
    cpu->accelerate_with_jerk(jerk);
    Snapshot found;
    found.position = cpu->download(Column::acceleration), found.velocity = cpu->download(jerk);
    return fingerprint(found);
  };
  EXPECT_EQ(hash_of(law("gravity"), false), 0x7a35a512af953aadULL);
  EXPECT_EQ(hash_of(law("gravity"), true), 0x53baea1114c7c75eULL);
  EXPECT_EQ(hash_of(law("coulomb"), false), 0x1fe6e987fbf7b063ULL);
  EXPECT_EQ(hash_of(law("inverse-power", 1), false), 0xc620520b1c0e20b5ULL);
  EXPECT_EQ(hash_of(law("inverse-power", 8), false), 0x55f80ac44d4ba41dULL);
}

}  // namespace
}  // namespace orrery::sim::testing
