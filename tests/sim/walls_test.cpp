// SPDX-License-Identifier: MIT
// Bodies in boxes, step by step: reflecting walls, counted images, and the same bits on every host backend.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "boxes.hpp"
#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "tests/complaint.hpp"

namespace orrery::sim::testing {
namespace {

constexpr std::array coordinates{&Vectors::x, &Vectors::y, &Vectors::z};

bool is_inside(const Domain& domain, const Vectors& position) {
  for (std::size_t q = 0; q < 3; ++q) {
    if (!domain.boundary[q]->bounded) continue;
    for (const double x : position.*coordinates[q]) {
      const double high = domain.low[q] + domain.edges[q];
      if (!(x >= domain.low[q] && (domain.boundary[q]->periodic ? x < high : x <= high))) return false;
    }
  }
  return true;
}

/// Bodies with gravity that fill a box with reflecting walls along the given axes.
System between_walls(std::size_t n, int dimensions, std::array<bool, 3> walls) {
  Bodies bodies = gas(n, dimensions, 0.3, 2.0);
  Domain domain = box_of(Reflecting::kind, dimensions, edge_of_gas(n, dimensions, 0.3));
  for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
    if (!walls[q]) domain.boundary[q] = &Open::kind;
    domain.low[q] = -0.1 - 0.3 * static_cast<double>(q);
    domain.edges[q] += 0.01 * static_cast<double>(q);
    for (double& x : bodies.position.*coordinates[q]) x += domain.low[q];
  }
  for (double& mass : bodies.mass) mass /= static_cast<double>(n);
  return in_box(domain, system_of(bodies, 0.1));
}

TEST(Walls, KeepBodiesInWithTheSameBitsOnEveryBackend) {
  const struct {
    std::size_t n;
    int dimensions;
    std::array<bool, 3> walls;
  } boxes_with_walls[] = {{1, 3, {true, true, true}},   {2, 2, {true, true, false}},   {33, 3, {true, true, true}},
                          {33, 2, {true, true, false}}, {33, 3, {false, true, false}}, {257, 2, {true, false, false}},
                          {257, 3, {true, true, true}}};
  for (const auto& [n, dimensions, walls] : boxes_with_walls) {
    for (const Integrator* method : integrators()) {
      if (!method->why_open.empty()) continue;
      const System system = between_walls(n, dimensions, walls);
      const std::int64_t steps = n < 100 ? 60 : 2;
      const Snapshot expected = run(*reference(system), *method, 0.01, steps);
      EXPECT_TRUE(is_inside(system.domain, expected.position)) << method->name << ", N = " << n;
      EXPECT_EQ(expected.image.size(), 0U);
      for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
        const auto cpu = make_cpu_backend(system, 2, target);
        EXPECT_EQ(fingerprint(run(*cpu, *method, 0.01, steps)), fingerprint(expected))
            << method->name << ", N = " << n << ", " << cpu->hardware();
      }
    }
  }
}

/// With a step of 0.75 the second body crosses the box 768 times, with one of 1.25 too often.
TEST(Walls, BodyThatCrossesTooOftenEndsTheRunWithItsNameAndTime) {
  for (const Boundary* boundary : {static_cast<const Boundary*>(&Periodic::kind), &Reflecting::kind}) {
    for (const bool short_range : {false, true}) {
      for (const bool plain : {true, false}) {
        System system;
        system.bodies = gas(3, 2, 4, 0);
        system.bodies.velocity.y[1] = 8191.7;
        if (short_range) system = system_of(every_short_range_law().front(), system.bodies, 0);
        system.domain = box_of(*boundary, 2, 8);
        const auto backend = plain ? reference(system) : make_cpu_backend(system, 1, 0);
        Simulation simulation(*backend, integrator("leapfrog"), 0.75, {}, {"one", "two", "three"});
        simulation.advance(1);
        EXPECT_TRUE(is_inside(system.domain, simulation.state().position));
        Simulation long_steps(*backend, integrator("leapfrog"), 1.25, {}, {"one", "two", "three"});
        const std::string said = complaint(
            [&] {
              long_steps.advance(2);
              (void)long_steps.state();
            },
            1);
        EXPECT_EQ(said,
                  "two would cross the box along y 1279.95 times in the step that ends at step 1, t = 1.25: take a "
                  "smaller dt")
            << boundary->name << ", " << backend->kernel();
      }
    }
  }
}

/// Without a force a body between two walls moves back and forth: a triangle wave.
TEST(Walls, FreeBodyIsReflected) {
  for (const bool plain : {true, false}) {
    System system;
    system.bodies = gas(1, 2, 1, 0);
    system.bodies.position.x[0] = 0.75, system.bodies.velocity.x[0] = 0.5;
    system.domain = box_of(Reflecting::kind, 2, 2);
    const auto backend = plain ? reference(system) : make_cpu_backend(system, 1, 0);
    Simulation simulation(*backend, integrator("leapfrog"), 0.25);
    for (int k = 1; k <= 100; ++k) {
      simulation.advance(1);
      const Snapshot now = simulation.observe();
      const double way = std::fmod(0.75 + 0.125 * k, 4);
      EXPECT_EQ(now.position.x[0], way <= 2 ? way : 4 - way) << k;
      if (way != 2 && way != 0) {
        EXPECT_EQ(now.velocity.x[0], way < 2 ? 0.5 : -0.5) << k;
      }
      EXPECT_EQ(now.observables.kinetic_energy, system.bodies.mass[0] * 0.125) << k;
    }
  }
}

/// A wall does no work. A reflection within a step costs an error of first order, whatever the order of the method, so
/// four times as many steps may even be worse.
TEST(Walls, EnergyErrorDecreasesWithShorterSteps) {
  for (const std::string_view method : {"leapfrog", "leapfrog-dkd", "yoshida4"}) {
    const System system = between_walls(17, 3, {true, true, true});
    const auto error = [&](std::int64_t steps) {
      const auto cpu = make_cpu_backend(system, 1, 0);
      const double first = cpu->observe().total_energy();
      double worst = 0;
      Simulation simulation(*cpu, integrator(method), 2.0 / static_cast<double>(steps));
      for (int k = 0; k < 20; ++k) {
        simulation.advance(steps / 20, true);
        worst = std::max(worst, std::abs(simulation.observe().observables.total_energy() / first - 1));
      }
      return worst;
    };
    const double coarse = error(1000), fine = error(64'000);
    EXPECT_LT(coarse, 1e-2) << method;
    EXPECT_LT(fine, coarse / 16) << method;
    EXPECT_GT(fine, 0) << method;
  }
}

TEST(Walls, PeriodicAxesRefuseLongRangeForces) {
  System system = between_walls(5, 3, {true, true, true});
  EXPECT_EQ(refusal_of(direct_solver, system, Precision::float64), Refusal());
  system.domain.boundary[1] = &Periodic::kind;
  const std::string why =
      "in a periodic box gravity would act between infinitely many images, which this program does not sum: take "
      "boundary "
      "= "
      "\"open\" or \"reflecting\", or a law with a cutoff";
  EXPECT_EQ(refusal_of(direct_solver, system, Precision::float64), (Refusal{"domain.boundary", why}));
  for (const bool plain : {true, false}) {
    try {
      (void)(plain ? reference(system) : make_cpu_backend(system, 1, 0));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), why);
    }
  }
}

/// Free bodies in a box that is periodic along some axes.
System free_bodies(std::size_t n, int dimensions, std::array<bool, 3> periodic, double speed) {
  System system;
  system.bodies = gas(n, dimensions, 0.25, speed);
  system.domain = box_of(Periodic::kind, dimensions, edge_of_gas(n, dimensions, 0.25));
  for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
    if (!periodic[q]) system.domain.boundary[q] = q % 2 == 0 ? &Open::kind : &Reflecting::kind;
    system.domain.low[q] = 0.37 * static_cast<double>(q) - 1;
    for (double& x : system.bodies.position.*coordinates[q]) x += system.domain.low[q];
  }
  return system;
}

/// x + image · length is the position of a free body without the box, at speeds up to hundreds of boxes a step.
TEST(Images, GiveUnwrappedPositions) {
  for (const double speed : {0.02, 3.0, 400.0}) {
    for (const int dimensions : {2, 3}) {
      const System system = free_bodies(33, dimensions, {true, true, true}, speed);
      for (const bool plain : {true, false}) {
        const auto backend = plain ? reference(system) : make_cpu_backend(system, 1, 0);
        const Snapshot end = run(*backend, integrator("leapfrog"), 0.1, 37);
        ASSERT_EQ(end.image.size(), 33U);
        EXPECT_TRUE(is_inside(system.domain, end.position));
        double most = 0;
        for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
          for (std::size_t i = 0; i < 33; ++i) {
            const double image = (end.image.*coordinates[q])[i], x = (end.position.*coordinates[q])[i];
            EXPECT_EQ(image, std::round(image));
            const double would_be =
                (system.bodies.position.*coordinates[q])[i] + 3.7 * (system.bodies.velocity.*coordinates[q])[i];
            EXPECT_NEAR(x + image * system.domain.edges[q], would_be, 1e-12 * (1 + speed)) << i;
            most = std::max(most, std::abs(image));
          }
        }
        EXPECT_EQ(most > 0, speed > 1);
        EXPECT_EQ(end.image.z == std::vector<double>(33), dimensions == 2 || speed < 1);
        EXPECT_EQ(end.velocity, system.bodies.velocity);
      }
    }
  }
}

/// Along other axes no images are counted.
TEST(Images, ExistOnlyOnPeriodicAxes) {
  const System system = free_bodies(33, 3, {false, false, true}, 3);
  const Snapshot end = run(*make_cpu_backend(system, 1, 0), integrator("yoshida4"), 0.1, 37);
  EXPECT_EQ(end.image.x, std::vector<double>(33));
  EXPECT_EQ(end.image.y, std::vector<double>(33));
  EXPECT_NE(end.image.z, std::vector<double>(33));
  EXPECT_TRUE(is_inside(system.domain, end.position));
  System walls = system;
  walls.domain.boundary[2] = &Reflecting::kind;
  EXPECT_FALSE(reference(walls)->image());
  EXPECT_FALSE(make_cpu_backend(walls, 1, 0)->image());
}

/// With pair forces, for every integrator that drifts, on every target and with any number of threads; a restart
/// changes no bit.
TEST(Images, AreTheSameOnEveryBackendAndAfterARestart) {
  const NumberedLaw soft = every_short_range_law().back();
  for (const std::size_t n : {33UL, 600UL}) {
    for (const Integrator* method : integrators()) {
      if (!method->why_open.empty() || (n > 100 && method->evaluations > 1)) continue;
      const int dimensions = n == 33 ? 3 : 2;
      const double spacing = 0.9;
      System system = in_box(box_of(Periodic::kind, dimensions, edge_of_gas(n, dimensions, spacing)),
                             system_of(soft, gas(n, dimensions, spacing, 8), 0, 2.5));
      add_requirements(system, *method);
      const std::int64_t steps = n == 33 ? 30 : 3, half = steps / 3;
      const Snapshot expected = run(*reference(system), *method, 0.02, steps);
      EXPECT_NE(expected.image.x, std::vector<double>(n)) << method->name;
      for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
        const auto first = make_cpu_backend(system, 3, target), rest = make_cpu_backend(system, 1, target);
        const Snapshot middle = run(*first, *method, 0.02, half);
        Simulation simulation(*rest, *method, 0.02);
        simulation.advance(1);  // any other state
        simulation.resume(middle);
        simulation.advance(steps - half, true);
        const Snapshot end = simulation.observe();
        EXPECT_EQ(fingerprint(end), fingerprint(expected)) << method->name << ", N = " << n << ", " << rest->hardware();
        EXPECT_EQ(bits_of(end.image), bits_of(expected.image)) << method->name << ", N = " << n;
        EXPECT_EQ(end.observables.virial, expected.observables.virial) << method->name << ", N = " << n;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::sim::testing
