// SPDX-License-Identifier: MIT
// The accuracy of the cpu backend in float32 and mixed, in any units and with any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "support.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {
namespace {

using std::size_t;

struct Kind {
  Precision precision;
  double allowed;  ///< each of the errors below
};
constexpr Kind kinds[] = {{Precision::float64, 1e-14},
                          {Precision::mixed, 2e-7},
                          {Precision::float32, 2e-6},
                          {Precision::float32_exact_root, 2e-6}};

std::unique_ptr<Backend> cpu(System system, const Kind& kind, int threads = 2, size_t target = 0) {
  return make_cpu_backend(std::move(system), {.threads = threads, .precision = kind.precision}, target);
}

/// 95 of 100 bodies are within the bound relative to |a|, all within twice the bound relative to the sum of magnitudes:
/// a single pair has three roundings in r² and as many in c. The same bound holds for the potential energy.
void expect_accurate(const Bodies& bodies, double softening, double G, size_t sample, size_t target = 0) {
  const size_t stride = std::max<size_t>(1, bodies.size() / sample);
  const auto exact = make_cpu_backend(system_of(bodies, softening, G), 2, target);
  const double energy = exact->observe().potential_energy;
  for (const Kind& kind : kinds) {
    const auto backend = cpu(system_of(bodies, softening, G), kind, 2, target);
    backend->expect_observation(true);
    backend->accelerate();
    Errors found = errors_of(bodies, backend->download(Column::acceleration), softening, G, stride);
    const std::string what =
        "N = " + std::to_string(bodies.size()) + ", precision " + std::to_string(static_cast<int>(kind.precision));
    EXPECT_LT(quantile(found.of_result, 0.95), (bodies.size() < 1000 ? 2 : 1) * kind.allowed) << what;
    EXPECT_LT(std::ranges::max(found.of_magnitudes), 2 * kind.allowed) << what;
    EXPECT_NEAR(backend->observe().potential_energy / energy, 1, kind.allowed) << what;
  }
}

TEST(Precision, FloatErrorsAreBoundedInACubeAndInAPlummerSphere) {
  for (const size_t n : {2UL, 33UL, 257UL, 1003UL, 5000UL}) {
    expect_accurate(cloud(n), 0.01, 1, 300);
    expect_accurate(plummer_sphere(n), 0.01, 1, 300);
  }
}
TEST(Precision, FloatErrorsAreBoundedOnEveryTarget) {
  for (size_t target = 0; target < simd::available_targets().size(); ++target) {
    expect_accurate(cloud(300), 0.01, 1, 300, target);
  }
}
TEST(Precision, FloatErrorsAreBoundedForManyBodiesSlow) {
  expect_accurate(cloud(65536), 0.01, 1, 1000);
  expect_accurate(plummer_sphere(65536), 0.01, 1, 1000);
}

/// Numbers in typical units for planets: nothing is flushed to zero, nothing overflows.
TEST(Precision, DoesNotDependOnUnits) {
  const Bodies bodies = in_metres_and_kilograms(cloud(300));
  expect_accurate(bodies, 1e10, 6.67430e-11, 300);
  expect_accurate(bodies, 0, 6.67430e-11, 300);
}

/// Far from the origin, where two bodies round to the same float.
TEST(Precision, MixedSubtractsInDoubles) {
  const auto relative = [](const Kind& kind) {
    return error_of_distant_pair(*cpu(system_of(distant_pair(), 0), kind));
  };
  EXPECT_LT(relative(kinds[1]), 3e-6);
  EXPECT_FALSE(relative(kinds[2]) < 0.1);
}

TEST(Precision, HasTheSameBitsWithAnyNumberOfThreads) {
  for (const size_t n : {33UL, 257UL, 1003UL, 1500UL}) {
    for (const Kind& kind : kinds) {
      const auto one = cpu(system_of(cloud(n), 0.05), kind, 1);
      const auto expected = fingerprint(run(*one, integrator("leapfrog"), 1e-3, 5));
      for (const int threads : {2, 3, 7}) {
        const auto several = cpu(system_of(cloud(n), 0.05), kind, threads);
        EXPECT_EQ(fingerprint(run(*several, integrator("leapfrog"), 1e-3, 5)), expected) << n << ", " << threads;
      }
    }
  }
}

TEST(Precision, DoesNotComputeThePotential) {
  for (const Kind& kind : kinds) {
    const auto with = cpu(system_of(cloud(300), 0.1), kind), without = cpu(system_of(cloud(300), 0.1), kind);
    with->expect_observation(true);
    with->accelerate(), without->accelerate();
    EXPECT_EQ(with->download(Column::acceleration), without->download(Column::acceleration));
  }
}

/// A resumed run uses the same scaling as the original run.
TEST(Precision, ScalingIsThatOfTheInitialBodies) {
  for (const Kind& kind : kinds) {
    const System system = system_of(cloud(40), 0.05);
    const auto whole = cpu(system, kind), resumed = cpu(system, kind);
    Simulation straight(*whole, integrator("leapfrog"), 0.1), second(*resumed, integrator("leapfrog"), 0.1);
    straight.advance(40);
    second.resume(straight.observe());
    straight.advance(10), second.advance(10);
    EXPECT_EQ(fingerprint(straight.observe()), fingerprint(second.observe()));
  }
}

/// Softened bodies at the same place exert nothing on each other; neither do massless ones.
TEST(Precision, OfCoincidentAndMasslessBodies) {
  for (const size_t n : {3UL, 200UL}) {
    for (const Kind& kind : kinds) {
      Bodies bodies = cloud(n);
      for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) std::ranges::fill(*axis, 0.3);
      const auto soft = cpu(system_of(bodies, 0.1), kind);
      soft->accelerate();
      EXPECT_EQ(soft->download(Column::acceleration), Vectors(n));
      Bodies light = cloud(n);
      std::ranges::fill(light.mass, 0.0);
      const auto none = cpu(system_of(light, 0), kind);
      none->accelerate();
      EXPECT_EQ(none->download(Column::acceleration), Vectors(n));
    }
  }
}

/// Two bodies that round to the same float, but coincide in double too late to be detected.
TEST(Precision, PairThatCoincidesInFloatsIsNamed) {
  Bodies bodies = cloud(2);
  bodies.mass = {1e-9, 1e-9};
  bodies.position.x = {1, 1 + 1e-9}, bodies.position.y = bodies.position.z = {0, 0};
  bodies.velocity = Vectors(2);
  for (const Kind& kind : kinds) {
    const auto backend = cpu(system_of(bodies, 0), kind);
    Simulation simulation(*backend, integrator("leapfrog"), 1e-9, 0, {"Castor", "Pollux"});
    if (kind.precision != Precision::float32 && kind.precision != Precision::float32_exact_root) {
      EXPECT_NO_THROW((void)simulation.observe());
      continue;
    }
    try {
      (void)simulation.observe();
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("Castor and Pollux came within 1e-09 of each other at step 0"));
    }
  }
}

/// Lengths in a logarithm are not scaled: lengths out of float range are refused in float32, accepted in double.
TEST(Precision, RefusesUnscalableLengthsForALogarithm) {
  Bodies bodies = cloud(33);
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x *= 1e21;
  }
  for (const Kind& kind : kinds) {
    EXPECT_NO_THROW((void)cpu(system_of(law("inverse-power", 2), bodies, 1e19), kind));
    if (kind.precision == Precision::float64) {
      EXPECT_NO_THROW((void)cpu(system_of(law("inverse-power", 1), bodies, 1e19), kind));
    } else {
      EXPECT_THROW((void)cpu(system_of(law("inverse-power", 1), bodies, 1e19), kind), Error);
    }
  }
}

/// The approximate and the exact root give different results, so both are used.
TEST(Precision, Float32HasApproximateAndExactRoots) {
  const auto fast = cpu(system_of(cloud(300), 0.1), kinds[2]), exact = cpu(system_of(cloud(300), 0.1), kinds[3]);
  fast->accelerate(), exact->accelerate();
  EXPECT_NE(fast->download(Column::acceleration), exact->download(Column::acceleration));
}

}  // namespace
}  // namespace orrery::sim::testing
