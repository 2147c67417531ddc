// SPDX-License-Identifier: MIT
// Excluded pairs, bodies at the same place, massless bodies, and the limits of the range of r².
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/pair_order.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

/// The reference, and every SIMD target with two threads.
void on_every_backend(const System& system, const std::function<void(Backend&)>& expect) {
  expect(*reference(system));
  for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
    expect(*make_cpu_backend(system, 2, target));
  }
}

bool all_finite(const Vectors& v) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v.x[i] + v.y[i] + v.z[i])) return false;
  }
  return true;
}

/// Two bodies on the x axis at the given distance.
Bodies two(double distance, double m0 = 1, double m1 = 1) {
  Bodies bodies;
  bodies.mass = {m0, m1};
  bodies.position.push_back(0, 0, 0);
  bodies.position.push_back(distance, 0, 0);
  bodies.velocity = Vectors(2);
  return bodies;
}

std::string complaint_about(Backend& backend, std::int64_t steps, std::vector<std::string> names = {}) {
  Simulation simulation(backend, integrator("leapfrog"), 0.125, 0, std::move(names));
  try {
    simulation.advance(steps, true);
    (void)simulation.observe();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// At r² = 0 gravity's c is infinite and 0 · ∞ is NaN, so neither self pairs nor padding can be removed by multiplying
/// by 0. A body is at the origin, where padding is; the sizes leave padding in a vector, in a group and in the last
/// chunk.
TEST(SpecialPairs, SelfAndPaddingAreExcluded) {
  EXPECT_FALSE(std::isfinite(0 * force_laws().front()->force_over_r(0, {})));
  for (const std::size_t n : {1UL, 2UL, 5UL, 33UL, 129UL, 131UL, 161UL, 257UL}) {
    for (const std::size_t origin : {0UL, n - 1}) {
      Bodies bodies = cloud(n);
      bodies.position.x[origin] = bodies.position.y[origin] = bodies.position.z[origin] = 0;
      const System system = system_of(bodies, 0);
      const auto definition = reference(system);
      definition->accelerate();
      const Vectors expected = definition->download(Column::acceleration);
      on_every_backend(system, [&](Backend& backend) {
        backend.accelerate();
        EXPECT_TRUE(all_finite(backend.download(Column::acceleration))) << n << ", " << backend.hardware();
        EXPECT_EQ(backend.download(Column::acceleration), expected) << n << ", " << backend.hardware();
        EXPECT_EQ(backend.observe().potential_energy, definition->observe().potential_energy) << backend.hardware();
      });
    }
  }
}

TEST(SpecialPairs, SingleBodyIsUnaccelerated) {
  Bodies bodies = cloud(1);
  bodies.velocity = Vectors(1);
  on_every_backend(system_of(bodies, 0), [&](Backend& backend) {
    const Snapshot end = run(backend, integrator("yoshida4"), 0.1, 10);
    EXPECT_EQ(end.position, bodies.position);
    EXPECT_EQ(end.observables.potential_energy, 0);
  });
}

/// In one chunk and in two: c is finite and the distance is +0 or −0.
TEST(SpecialPairs, CoincidentSoftenedBodiesExertNoForce) {
  for (const std::size_t other : {1UL, 200UL}) {
    Bodies bodies = cloud(201);
    for (double& m : bodies.mass) m = 0;
    bodies.mass[0] = 1, bodies.mass[other] = 2;
    for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) (*axis)[other] = (*axis)[0];
    on_every_backend(system_of(bodies, 0.5), [&](Backend& backend) {
      backend.accelerate();
      const Vectors a = backend.download(Column::acceleration);
      for (const std::size_t i : {std::size_t{0}, other}) {
        EXPECT_EQ(a.x[i], 0) << backend.hardware();
        EXPECT_EQ(a.y[i], 0) << backend.hardware();
        EXPECT_EQ(a.z[i], 0) << backend.hardware();
      }
      EXPECT_DOUBLE_EQ(backend.observe().potential_energy, -4.0);
    });
  }
}

/// In one chunk and in two, with masses and without.
TEST(SpecialPairs, CoincidentBodiesStopTheRunAndAreNamed) {
  for (const std::size_t other : {3UL, 200UL}) {
    for (const double mass :
         {1.0, 0.0}) {  // of the second: where one of a pair has mass, the other has no acceleration
      Bodies bodies = cloud(201);
      bodies.mass[1] = 1;
      bodies.mass[other] = mass;
      for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) (*axis)[other] = (*axis)[1];
      std::vector<std::string> names(201);
      names[1] = "Castor";
      on_every_backend(system_of(bodies, 0), [&](Backend& backend) {
        const std::string told = complaint_about(backend, 1, names);
        EXPECT_THAT(told, ::testing::HasSubstr("Castor and body " + std::to_string(other))) << backend.hardware();
        EXPECT_THAT(told, ::testing::HasSubstr("at step ")) << backend.hardware();
      });
    }
  }
}

/// Massless bodies may be at the same place: in the same chunk and in two, few and many.
TEST(SpecialPairs, MasslessBodiesMayCoincide) {
  for (const std::size_t massive : {1UL, 150UL}) {
    Bodies bodies = cloud(201);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      bodies.mass[i] = i >= 20 && i < 20 + massive ? 1.0 + 0.01 * static_cast<double>(i) : 0.0;
    for (const std::size_t other : {3UL, 200UL}) {
      for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) (*axis)[other] = (*axis)[1];
    }
    Vectors expected;
    on_every_backend(system_of(bodies, 0), [&](Backend& backend) {
      EXPECT_EQ(complaint_about(backend, 0), "") << backend.hardware();
      const Vectors a = backend.download(Column::acceleration);
      EXPECT_NE(a.x[1], 0);
      EXPECT_NEAR(a.x[3], a.x[1], 1e-12 * std::abs(a.x[1]));  // met in another order
      if (expected.size() == 0) expected = a;
      EXPECT_EQ(a, expected) << backend.hardware();
    });
  }
}

/// Two bodies approach each other and coincide after 8 steps of 1/8; the others are far away and massless.
TEST(SpecialPairs, StepOfACollisionIsNamed) {
  Bodies bodies = two(2, 1e-200, 1e-200);
  bodies.velocity.x = {1, -1};
  for (int k = 0; k < 150; ++k) {
    bodies.mass.push_back(0);
    bodies.position.push_back(10 + k, 10, 10);
    bodies.velocity.push_back(0, 0, 0);
  }
  on_every_backend(system_of(bodies, 0), [&](Backend& backend) {
    EXPECT_THAT(complaint_about(backend, 20),
                ::testing::HasSubstr("body 0 and body 1 came within 0 of each other at step 8"));
  });
}

TEST(SpecialPairs, MasslessBodiesFeelAndDoNotAct) {
  for (const std::size_t moved : {7UL, 196UL}) {  // both massless, in the first and in the second chunk
    Bodies bodies = cloud(201);
    const System before = system_of(bodies, 0.1);
    bodies.position.x[moved] += 0.25;
    const System after = system_of(bodies, 0.1);
    ASSERT_EQ(bodies.mass[moved], 0);
    for (std::size_t target = 0; target <= simd::available_targets().size(); ++target) {
      const bool plain = target == simd::available_targets().size();
      const auto first = plain ? reference(before) : make_cpu_backend(before, 1, target);
      const auto second = plain ? reference(after) : make_cpu_backend(after, 1, target);
      first->accelerate(), second->accelerate();
      Vectors a = first->download(Column::acceleration), b = second->download(Column::acceleration);
      EXPECT_NE(a.x[moved], b.x[moved]);
      EXPECT_NE(a.y[moved], 0);
      for (Vectors* v : {&a, &b}) v->x[moved] = v->y[moved] = v->z[moved] = 0;
      EXPECT_EQ(a, b) << "a body without mass moved, and others felt it";
    }
  }
}

/// c and u are right to rounding over the whole range; between 2⁻⁶⁸⁰ and 2⁶⁸⁰ nothing overflows or becomes subnormal.
TEST(SpecialPairs, LawHoldsOverTheWholeRange) {
  const ForceLaw& gravity = *force_laws().front();
  for (int exponent = -680; exponent < 680; ++exponent) {
    for (const double significand : {1.0, 1.0 + 0x1p-52, 1.37, 1.9999}) {
      const double r2 = std::ldexp(significand, exponent);
      const long double r = std::sqrt(static_cast<long double>(r2));
      EXPECT_NEAR(static_cast<double>(gravity.force_over_r(r2, {}) * r * r * r), 1.0, 5e-16) << exponent;
      EXPECT_NEAR(static_cast<double>(gravity.u(r2, {}) * r), -1.0, 4e-16) << exponent;
    }
  }
  EXPECT_EQ(gravity.force_over_r(0x1p680, {}), 0x1p-1020);
  EXPECT_EQ(gravity.force_over_r(min_r2, {}), 0x1p1020);
}

/// Two bodies so close that r² is just within the range, and just below it.
TEST(SpecialPairs, DistanceBelowTheRangeStopsTheRun) {
  on_every_backend(system_of(two(0x1p-340), 0), [](Backend& backend) {
    backend.accelerate();
    EXPECT_EQ(backend.download(Column::acceleration).x[0], 0x1p680) << backend.hardware();
    EXPECT_EQ(backend.download(Column::acceleration).x[1], -0x1p680) << backend.hardware();
  });
  for (const double distance : {0x1p-342, 0x1p-350, 0x1p-500, 0x1p-600}) {
    on_every_backend(system_of(two(distance), 0), [&](Backend& backend) {
      EXPECT_THAT(complaint_about(backend, 3), ::testing::HasSubstr("body 0 and body 1 came within"))
          << distance << ", " << backend.hardware();
    });
  }
}

/// Positions are limited to ±2³³⁸, so no pair exceeds the range.
TEST(SpecialPairs, DistanceBeyondTheRangeStopsTheRun) {
  const double edge = std::nextafter(farthest, 0);
  Bodies bodies;
  bodies.mass = {1, 1};
  bodies.position.push_back(-edge, -edge, -edge);
  bodies.position.push_back(edge, edge, edge);
  bodies.velocity = Vectors(2);
  on_every_backend(system_of(bodies, 0), [&](Backend& backend) {
    EXPECT_EQ(complaint_about(backend, 3), "") << backend.hardware();
    const double r2 = 3 * 4 * edge * edge, c = 1 / (r2 * std::sqrt(r2));
    EXPECT_NEAR(backend.download(Column::acceleration).x[0] / (2 * edge * c), 1, 1e-15) << backend.hardware();
  });
  bodies.velocity.y = {0, 0x1p338 / 16};
  on_every_backend(system_of(bodies, 0), [&](Backend& backend) {
    EXPECT_THAT(complaint_about(backend, 3), ::testing::HasSubstr("body 1 left the range of numbers at step 1"))
        << backend.hardware();
  });
}

}  // namespace
}  // namespace orrery::sim::testing
