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
    const System system = with_every_field(system_of(cloud(n), 0.05));
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
  const auto with = make_cpu_backend(with_every_field(system_of(bodies, 0.05)), 1, 0);
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
  for (const Vec3 x : {Vec3{0.4, 0.5, -0.6}, Vec3{-3, 1, 2}, Vec3{40, -70, 11}, Vec3{0.35, -0.15, 0.2}}) {
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

TEST_P(EveryField, HasTheJerkOfAMovingBody) {
  const FieldLaw& law = *GetParam();
  const LawParameters p = field(law).parameters;
  const Vec3 v{0.3, -0.7, 0.4};
  for (const Vec3 x : {Vec3{0.4, 0.5, -0.6}, Vec3{-3, 1, 2}, Vec3{40, -70, 11}, Vec3{0.35, -0.15, 0.2}}) {
    const double h = 1e-4 * (1 + std::abs(x.x));
    const auto at = [&](double t) { return law.acceleration(p, {x.x + t * v.x, x.y + t * v.y, x.z + t * v.z}); };
    const Vec3 j = law.jerk(p, x, v), g[] = {at(-2 * h), at(-h), at(h), at(2 * h)};
    const double size = std::hypot(g[2].x, g[2].y, g[2].z) / std::hypot(x.x, x.y, x.z);
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z})
      EXPECT_NEAR(j.*axis, (8 * (g[2].*axis - g[1].*axis) - (g[3].*axis - g[0].*axis)) / (12 * h), 1e-8 * size)
          << law.name;
  }
}

TEST_P(EveryField, IsFiniteInItsCentre) {
  const FieldLaw& law = *GetParam();
  const LawParameters p = field(law).parameters;
  const Vec3 centre{0.1, -0.2, 0.3}, g = law.acceleration(p, centre), j = law.jerk(p, centre, {0.3, -0.7, 0.4});
  EXPECT_EQ(std::hypot(g.x, g.y, g.z) == 0, law.name != "uniform");
  EXPECT_TRUE(std::isfinite(j.x + j.y + j.z + law.potential(p, centre)));
}

/// A circular orbit in a plane through the centre closes, with an error that falls as dt².
TEST_P(EveryField, ClosesACircularOrbitWithOrderTwo) {
  if (GetParam()->name == "uniform") GTEST_SKIP() << "has no circular orbits";
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
  if (GetParam()->name == "uniform") GTEST_SKIP() << "has no bound orbits";
  const auto cpu = make_cpu_backend(alone(field(*GetParam()), {2, 0.3, -0.4}, {0.1, 0.5, 0.2}), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1e-3);
  const double start = simulation.observe().observables.total_energy();
  double early = 0, late = 0;
  for (int k = 0; k < 400; ++k) {
    simulation.advance(100);
    double& worst = k < 200 ? early : late;
    worst = std::max(worst, std::abs(simulation.observe().observables.total_energy() / start - 1));
  }
  EXPECT_LT(early, 2e-5);
  EXPECT_LT(late, 1.1 * early);  // does not drift
}

INSTANTIATE_TEST_SUITE_P(All, EveryField, ::testing::ValuesIn(field_laws().begin(), field_laws().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::erase(name, '-');
                           return name;
                         });

const FieldLaw& field_named(std::string_view name) {
  return **std::ranges::find(field_laws(), name, &FieldLaw::name);
}

/// Against closed forms in long double, from deep in the cusp, where terms nearly cancel, to far outside.
TEST(ExternalFields, NfwHaloHasItsMassAndPotential) {
  const LawParameters p = field(field_named("nfw")).parameters;
  const long double c = 7, rs = 0.9L, scale = 1.7L * 2.1L / (std::log1p(c) - c / (1 + c));
  for (const long double x : {1e-12L, 1e-7L, 3e-4L, 0.02L, 0.3L, 0.4999L, 0.5001L, 2.0L, 7.0L, 900.0L}) {
    // The series of the mass for small x, whose closed form would lose digits in long double too.
    const long double mass = x < 1e-5L
                                 ? x * x / 2 - 2 * x * x * x / 3 + 3 * x * x * x * x / 4 - 4 * std::pow(x, 5.0L) / 5
                                 : std::log1p(x) - x / (1 + x);
    const auto r = static_cast<double>(x * rs);
    LawParameters centred = p;
    centred.at[2] = centred.at[3] = centred.at[4] = 0;
    const double pull = -field_named("nfw").acceleration(centred, {0, r, 0}).y;
    EXPECT_NEAR(static_cast<double>(pull * (x * rs) * (x * rs) / (scale * mass)), 1, 4e-15) << static_cast<double>(x);
    const double depth = -field_named("nfw").potential(centred, {0, 0, r});
    EXPECT_NEAR(static_cast<double>(depth * (x * rs) / (scale * std::log1p(x))), 1, 2e-15) << static_cast<double>(x);
  }
  // In the centre the potential has its limit, −G M_s/r_s.
  EXPECT_NEAR(static_cast<double>(field_named("nfw").potential(p, {0.1, -0.2, 0.3}) / (-scale / rs)), 1, 2e-15);
}

TEST(ExternalFields, MiyamotoNagaiIsADiskOfItsMass) {
  const LawParameters p = field(field_named("miyamoto-nagai")).parameters;
  const auto potential = [&](double R, double z) {
    return field_named("miyamoto-nagai").potential(p, {0.1 - R, -0.2, 0.3 + z});
  };
  EXPECT_NEAR(potential(0.7, -0.4), -1.7 * 2.1 / std::hypot(0.7, 0.9 + std::hypot(0.4, 0.3)), 1e-14);
  EXPECT_NEAR(potential(3e6, 4e6) * 5e6, -1.7 * 2.1, 1e-5);
  // a = 0 is Plummer's sphere of scale length b.
  const Arguments flat{
      {"mass", 2.1}, {"scale_length", 0.0}, {"scale_height", 0.3}, {"center", std::vector<double>{0, 0, 0}}};
  const Arguments round{{"mass", 2.1}, {"scale_length", 0.3}, {"center", std::vector<double>{0, 0, 0}}};
  const Vec3 x{0.3, -0.5, 0.2}, v{1, 0.3, -0.4};
  const FieldLaw &disk = field_named("miyamoto-nagai"), &sphere = field_named("plummer-halo");
  const LawParameters of_disk = disk.parameters_of(flat, 1.7), of_sphere = sphere.parameters_of(round, 1.7);
  EXPECT_NEAR(disk.acceleration(of_disk, x).z, sphere.acceleration(of_sphere, x).z, 1e-14);
  EXPECT_NEAR(disk.jerk(of_disk, x, v).z, sphere.jerk(of_sphere, x, v).z, 1e-13);
}

TEST(ExternalFields, UniformFieldMakesParabolas) {
  const auto cpu = make_cpu_backend(alone(field(field_named("uniform")), {2, 0.3, -0.4}, {0.1, 0.5, 0.2}), 1, 0);
  const Snapshot end = run(*cpu, integrator("leapfrog"), 0.01, 300);
  EXPECT_NEAR(end.position.x[0], 2 + 0.1 * 3 + 0.5 * 0.3 * 9, 1e-12);
  EXPECT_NEAR(end.position.y[0], 0.3 + 0.5 * 3 - 0.5 * 1.1 * 9, 1e-12);
  EXPECT_NEAR(end.position.z[0], -0.4 + 0.2 * 3 + 0.5 * 0.7 * 9, 1e-12);
  EXPECT_NEAR(end.observables.potential_energy,
              -1.5 * (0.3 * end.position.x[0] - 1.1 * end.position.y[0] + 0.7 * end.position.z[0]), 1e-12);
}

/// The rotation curves of theory.
TEST(ExternalFields, HaveTheirRotationCurves) {
  const auto speed = [](const char* name, double r) {
    const FieldLaw& law = **std::ranges::find(field_laws(), name, &FieldLaw::name);
    return std::sqrt(r * -law.acceleration(field(law).parameters, {0.1, -0.2 + r, 0.3}).y);
  };
  EXPECT_NEAR(speed("logarithmic-halo", 0.7), 1.3 / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(speed("logarithmic-halo", 1e6), 1.3, 1e-9);
  for (const char* name : {"plummer-halo", "miyamoto-nagai", "point-mass"})
    EXPECT_NEAR(speed(name, 1e6), std::sqrt(1.7 * 2.1 / 1e6), 1e-12) << name;
  EXPECT_NEAR(speed("nfw", 7 * 0.9), std::sqrt(1.7 * 2.1 / (7 * 0.9)), 1e-14);  // `mass` lies within
}

}  // namespace
}  // namespace orrery::sim::testing
