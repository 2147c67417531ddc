// SPDX-License-Identifier: MIT
// Observables against closed forms, and the errors of a simulation when bodies collide or leave the range.
#include "sim/simulation.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/observables.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

TEST(Observables, OfAKeplerOrbitEqualTheFormulas) {
  double period = 0;
  const auto backend = reference(system_of(kepler(0.5, &period), 0));
  const Observables o = backend->observe();
  EXPECT_NEAR(o.total_energy(), -1.0 * 0.25 / (2 * 1.3), 1e-15);                       // −G m₁ m₂ / 2a
  EXPECT_NEAR(o.angular_momentum.z, 0.2 * std::sqrt(1.25 * 1.3 * (1 - 0.25)), 1e-15);  // μ √(GM a (1 − e²))
  EXPECT_NEAR(o.momentum.y, 0, 1e-16);
  EXPECT_NEAR(o.center_of_mass.x, 0, 1e-16);
}

TEST(Observables, AreSummedAsATree) {
  // 2⁵³ + 1 rounds back to 2⁵³, so a chain of additions that starts there loses every later term. In the tree the small
  // terms are added to each other first: only those added directly to the large one are rounded, to even.
  const std::size_t n = 70000;
  std::vector<double> mass(n, 2.0), zero(n, 0.0), one(n, 1.0);
  mass[0] = 0x1p54;
  const Observables o = measure(mass, {zero, zero, zero}, {one, zero, zero}, zero);
  EXPECT_NEAR(o.momentum.x - 0x1p54, 2 * 69999, 16);
  const double chain = [&] {
    double sum = 0;
    for (const double m : mass) sum += m;
    return sum - 0x1p54;
  }();
  EXPECT_EQ(chain, 0);
}

TEST(Simulation, NamesCollidingBodies) {
  Bodies bodies = cloud(5);
  for (std::size_t i : {1UL, 3UL}) bodies.position.x[i] = bodies.position.y[i] = bodies.position.z[i] = 0.25;
  const auto cpu = make_cpu_backend(system_of(bodies, 0), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1e-3, 0, {"", "Castor", "", "Pollux", ""});
  try {
    (void)simulation.observe();
    FAIL() << "two bodies at one place have no force";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("Castor and Pollux"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("softening"));
    EXPECT_EQ(error.fault(), Fault::work);
  }
}

TEST(Simulation, NamesTheBodyThatLeavesTheRange) {
  Bodies bodies = cloud(3);
  bodies.velocity.y[2] = 1e105;
  const auto cpu = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1.0);
  try {
    simulation.advance(3);
    (void)simulation.observe();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("body 2"));
  }
}

TEST(Simulation, TimeIsStepTimesDt) {
  const auto cpu = make_cpu_backend(system_of(cloud(3), 0.1), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 0.1);
  simulation.advance(3);
  EXPECT_EQ(simulation.time(), 3 * 0.1);
  simulation.advance(0);
  EXPECT_EQ(simulation.step(), 3);
}

}  // namespace
}  // namespace orrery::sim::testing
