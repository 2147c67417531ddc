// SPDX-License-Identifier: MIT
// Motion under the force laws: conserved energies, orbits in closed form, and bodies that a law cannot move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/error.hpp"
#include "laws.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::sim::testing {
namespace {

/// Two bodies on the x axis around their centre of mass, r apart, with the given relative velocity of the second.
Bodies pair(std::vector<double> mass, std::vector<double> charge, double r, double vx, double vy) {
  const double total = mass[0] + mass[1], first = -mass[1] / total, second = mass[0] / total;
  Bodies bodies;
  bodies.position.push_back(first * r, 0, 0), bodies.position.push_back(second * r, 0, 0);
  bodies.velocity.push_back(first * vx, first * vy, 0), bodies.velocity.push_back(second * vx, second * vy, 0);
  bodies.mass = std::move(mass);
  bodies.charge = std::move(charge);
  return bodies;
}

double distance(const Vectors& x) {
  return std::hypot(x.x[1] - x.x[0], x.y[1] - x.y[0], x.z[1] - x.z[0]);
}

Snapshot after(const System& system, double t, std::int64_t steps) {
  return run(*make_cpu_backend(system, 1, 0), integrator("leapfrog"), t / static_cast<double>(steps), steps);
}

TEST(ForceLaws, KeepEnergyAndMomentumWithOrderTwo) {
  for (const NumberedLaw& law : every_law()) {
    const System system = system_of(law, pair({1.0, 0.4}, {0.7, -0.9}, 0.8, 0.1, 0.9), 0.3, 1.3);
    const double start = make_cpu_backend(system, 1, 0)->observe().total_energy();
    const auto error = [&](std::int64_t steps) {
      const Observables end = after(system, 1.37, steps).observables;
      EXPECT_LT(std::abs(end.momentum.x) + std::abs(end.momentum.y), 1e-12) << law.name();
      return std::abs(end.total_energy() - start);
    };
    EXPECT_NEAR(std::log2(error(4000) / error(8000)), 2, 0.02) << law.name();
    EXPECT_LT(error(8000), 1e-4) << law.name();
  }
}

TEST(Coulomb, OppositeChargesOrbit) {
  const double k = 1.3, q = 0.7 * 0.4, r = 1.1, omega = std::sqrt(k * q * (1 / 1.0 + 1 / 0.3) / (r * r * r));
  const System system = system_of(law("coulomb"), pair({1.0, 0.3}, {0.7, -0.4}, r, 0, omega * r), 0, k);
  const double t = 7.7 / omega;
  const Snapshot end = after(system, t, 40000);
  EXPECT_NEAR(end.position.x[1] - end.position.x[0], r * std::cos(omega * t), 1e-6);
  EXPECT_NEAR(end.position.y[1] - end.position.y[0], r * std::sin(omega * t), 1e-6);
  EXPECT_NEAR(end.observables.total_energy(), -k * q / (2 * r), 1e-9);
  EXPECT_NEAR(end.observables.potential_energy, -k * q / r, 1e-6);
}

/// From rest at r₀: t = √(μ r₀³ / 2kq²) (√(ξ (ξ − 1)) + arcosh √ξ), where ξ = r/r₀.
TEST(Coulomb, EqualChargesRepel) {
  const double k = 0.8, q = -1.5, r0 = 0.7, mu = 1.2 * 0.5 / 1.7;
  const System system = system_of(law("coulomb"), pair({1.2, 0.5}, {q, q}, r0, 0, 0), 0, k);
  const double t = 0.93;
  const Snapshot end = after(system, t, 20000);
  const double r = distance(end.position), xi = r / r0;
  EXPECT_GT(xi, 3);
  EXPECT_NEAR(std::sqrt(mu * r0 * r0 * r0 / (2 * k * q * q)) * (std::sqrt(xi * (xi - 1)) + std::acosh(std::sqrt(xi))),
              t, 1e-7);
  EXPECT_NEAR(end.observables.potential_energy, k * q * q / r, 1e-12);
  EXPECT_NEAR(end.observables.kinetic_energy, k * q * q * (1 / r0 - 1 / r), 1e-6);
}

TEST(Coulomb, MovesOnlyCharges) {
  const Bodies bodies = charged_cloud(40);
  const auto cpu = make_cpu_backend(system_of(law("coulomb"), bodies, 0.1), 1, 0);
  cpu->accelerate();
  const Vectors a = cpu->download(Column::acceleration);
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(a.y[i] == 0, bodies.charge[i] == 0) << i;
}

TEST(Coulomb, RefusesMasslessCharges) {
  Bodies bodies = cloud(9);
  const ForceLaw& coulomb = *law("coulomb").law;
  const auto words = [&] {
    try {
      (void)make_pair_force(coulomb, bodies, 0, 1);
    } catch (const ArgumentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(words(), ::testing::HasSubstr("give `charge`"));
  bodies.charge.assign(9, 0.0);
  EXPECT_EQ(words(), "");
  bodies.charge[7] = -1;  // a massless one
  EXPECT_THAT(words(), ::testing::StartsWith("body 7 has a charge and no mass"));
  bodies.names.assign(9, "");
  bodies.names[7] = "Ida";
  EXPECT_THAT(words(), ::testing::StartsWith("Ida has a charge"));
}

/// v² = strength · M at any radius.
TEST(InversePower, CircularSpeedInALogarithmicPotentialIsConstant) {
  for (const double r : {0.02, 0.7, 31.0}) {
    const double v = std::sqrt(1.7 * 2.2), t = 5.3 * r / v;
    const System system = system_of(law("inverse-power", 1), pair({2.2, 0.0}, {}, r, 0, v), 0, 1.7);
    const Snapshot end = after(system, t, 20000);
    EXPECT_NEAR(end.position.x[1] / r, std::cos(5.3), 1e-6);
    EXPECT_NEAR(end.position.y[1] / r, std::sin(5.3), 1e-6);
  }
}

/// On a circle around the common centre v² = strength · M r^(1−n), for every n.
TEST(InversePower, SpeedsOnCirclesAreRight) {
  for (int n = 1; n <= 8; ++n) {
    const double r = 1.3, v = std::sqrt(0.9 * 1.4 * std::pow(r, 1 - n)), t = 1.9 * r / v;
    const System system = system_of(law("inverse-power", n), pair({1.0, 0.4}, {}, r, 0, v), 0, 0.9);
    const Snapshot end = after(system, t, 20000);
    EXPECT_NEAR((end.position.x[1] - end.position.x[0]) / r, std::cos(1.9), 1e-6) << n;
    EXPECT_NEAR((end.position.y[1] - end.position.y[0]) / r, std::sin(1.9), 1e-6) << n;
  }
}

/// For n = 3 Jacobi's identity closes: r² = r₀² + 2 r₀ ṙ₀ t + 2 E t²/μ.
TEST(InversePower, ExponentThreeHasItsClosedForm) {
  const double r = 1.1, t = 1.3, mu = 1.0 * 0.4 / 1.4;
  const System system = system_of(law("inverse-power", 3), pair({1.0, 0.4}, {}, r, 0.3, 0.8), 0, 0.9);
  const Snapshot end = after(system, t, 20000);
  const double energy = mu * (0.3 * 0.3 + 0.8 * 0.8) / 2 - 0.9 * 0.4 / (2 * r * r), d = distance(end.position);
  EXPECT_NEAR(d * d, r * r + 2 * r * 0.3 * t + 2 * energy * t * t / mu, 1e-7);
  EXPECT_NEAR(end.observables.total_energy(), energy, 1e-7);
}

TEST(InversePower, ExponentTwoIsGravityUpToRounding) {
  const Bodies bodies = cloud(257);
  const auto a = make_cpu_backend(system_of(bodies, 0.01, 1.7), 1, 0);
  const auto b = make_cpu_backend(system_of(law("inverse-power", 2), bodies, 0.01, 1.7), 1, 0);
  a->accelerate(), b->accelerate();
  const Vectors g = a->download(Column::acceleration), p = b->download(Column::acceleration);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LT(std::hypot(g.x[i] - p.x[i], g.y[i] - p.y[i], g.z[i] - p.z[i]),
              2e-15 * std::hypot(g.x[i], g.y[i], g.z[i]));
  }
  EXPECT_EQ(a->observe().potential_energy, b->observe().potential_energy);  // u is −1·y there, so the same bits
}

/// A distance at which the steepest force overflows and gravity's would not.
TEST(Simulation, NamesBodiesWithForceOverflow) {
  Bodies bodies = cloud(5);
  bodies.mass.assign(5, 1.0);
  for (const std::size_t i : {1UL, 3UL}) bodies.position.x[i] = bodies.position.y[i] = bodies.position.z[i] = 0;
  bodies.position.x[3] = 1e-40;
  const auto cpu = make_cpu_backend(system_of(law("inverse-power", 8), bodies, 0), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1e-3);
  simulation.advance(1);
  try {
    (void)simulation.observe();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("body 1 and body 3 came within 1e-40"));
  }
}

}  // namespace
}  // namespace orrery::sim::testing
