// SPDX-License-Identifier: MIT
// The cpu backend in float32 and mixed: how near to the truth, whatever the units, and the same with any number of
// threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/kernels.hpp"
#include "support.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {
namespace {

using std::size_t;

struct Kind {
  Precision precision;
  bool exact_root;
  double allowed;  ///< each of the errors below
};
constexpr Kind kinds[] = {{Precision::float64, false, 1e-14},
                          {Precision::mixed, false, 2e-7},
                          {Precision::float32, false, 2e-6},
                          {Precision::float32, true, 2e-6}};

std::unique_ptr<Backend> cpu(System system, const Kind& kind, int threads = 2, size_t target = 0) {
  return make_cpu_backend(std::move(system),
                          {.threads = threads, .precision = kind.precision, .exact_root = kind.exact_root}, target);
}

/// Plummer's sphere of scale 1, cut at a hundred.
Bodies plummer_sphere(size_t n) {
  Bodies bodies = cloud(n, 5);
  for (size_t i = 0; i < n; ++i) {
    const double m = 0.9998 * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    const double& x = bodies.position.x[i];
    const double& y = bodies.position.y[i];
    const double& z = bodies.position.z[i];
    const double r = 1 / std::sqrt(std::pow(m, -2.0 / 3) - 1), scale = r / std::sqrt(x * x + y * y + z * z);
    bodies.position.x[i] *= scale, bodies.position.y[i] *= scale, bodies.position.z[i] *= scale;
  }
  return bodies;
}

struct Errors {
  double typical;    ///< √(Σ|Δa|² / Σ|a|²)
  double worst;      ///< the greatest |Δa| of a body, relative to the sum of the magnitudes that cancel in its a
  double potential;  ///< of the potential energy, relative
};

/// Of the accelerations of at most `sample` bodies, and of the energy where those are all; against long double.
Errors errors_of(const Bodies& b, double softening, double G, const Kind& kind, size_t sample, size_t target = 0) {
  const auto backend = cpu(system_of(b, softening, G), kind, 2, target);
  backend->expect_observation(true);
  backend->accelerate();
  const Vectors a = backend->download(Column::acceleration);
  const auto& [x, y, z] = b.position;
  const size_t n = b.size(), step = std::max<size_t>(1, n / sample);
  Errors errors{};
  long double energy = 0, sum_of_squares = 0, sum_of_errors = 0;
  for (size_t i = 0; i < n; i += step) {
    std::array<long double, 3> sum{};
    long double u = 0, magnitudes = 0;
    for (size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const long double d[] = {static_cast<long double>(x[j]) - x[i], static_cast<long double>(y[j]) - y[i],
                               static_cast<long double>(z[j]) - z[i]};
      const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + static_cast<long double>(softening) * softening;
      const long double y1 = 1 / std::sqrt(r2), s = G * b.mass[j] * y1 * y1 * y1;
      for (size_t q = 0; q < 3; ++q) sum[q] += s * d[q];
      magnitudes += s * std::sqrt(r2);
      u -= G * b.mass[j] * y1;
    }
    energy += u * b.mass[i] / 2;
    const long double off = std::hypot(a.x[i] - sum[0], a.y[i] - sum[1], a.z[i] - sum[2]);
    sum_of_errors += off * off;
    sum_of_squares += sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    if (magnitudes > 0) errors.worst = std::max(errors.worst, static_cast<double>(off / magnitudes));
  }
  errors.typical = static_cast<double>(std::sqrt(sum_of_errors / sum_of_squares));
  if (step == 1) errors.potential = static_cast<double>(std::abs(backend->observe().potential_energy / energy - 1));
  return errors;
}

void expect_accurate(const Bodies& bodies, double softening, double G, size_t sample, size_t target = 0) {
  for (const Kind& kind : kinds) {
    const Errors found = errors_of(bodies, softening, G, kind, sample, target);
    const std::string what = "N = " + std::to_string(bodies.size()) + ", exact root " + std::to_string(kind.exact_root);
    EXPECT_LT(found.typical, kind.allowed) << what;
    EXPECT_LT(found.worst, 2 * kind.allowed) << what;  // a single pair has three roundings in r² alone
    EXPECT_LT(found.potential, kind.allowed) << what;
  }
}

TEST(Precision, HoldsInACubeAndInAPlummerSphere) {
  for (const size_t n : {2, 33, 257, 1003, 5000}) {
    expect_accurate(cloud(n), 0.01, 1, 300);
    expect_accurate(plummer_sphere(n), 0.01, 1, 300);
  }
}
TEST(Precision, HoldsOnEveryTarget) {
  for (size_t target = 0; target < simd::available_kernels().size(); ++target) {
    expect_accurate(cloud(300), 0.01, 1, 300, target);
  }
}
TEST(Precision, HoldsForManyBodiesSlow) {
  expect_accurate(cloud(65536), 0.01, 1, 1000);
  expect_accurate(plummer_sphere(65536), 0.01, 1, 1000);
}

/// Numbers near the units in which people write planets: nothing flushes to zero, nothing overflows.
TEST(Precision, DoesNotDependOnUnits) {
  Bodies bodies = cloud(300);
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x *= 1e12;
  }
  for (double& m : bodies.mass) m *= 1e30;
  expect_accurate(bodies, 1e10, 6.67430e-11, 300);
  expect_accurate(bodies, 0, 6.67430e-11, 300);
}

/// Far from the origin, where a float cannot tell two bodies apart.
TEST(Precision, OfADifferenceIsThatOfDoublesInMixed) {
  Bodies bodies = cloud(2);
  bodies.mass = {1, 1};
  bodies.position.x = {1000, 1000 + 0.8e-6};
  bodies.position.y = {1000, 1000 - 0.6e-6};
  bodies.position.z = {1000, 1000};
  const double separation = std::hypot(bodies.position.x[1] - 1000, bodies.position.y[1] - 1000);
  const auto relative = [&](const Kind& kind) {
    const auto backend = cpu(system_of(bodies, 0), kind);
    backend->accelerate();
    const Vectors a = backend->download(Column::acceleration);
    return std::abs(std::hypot(a.x[0], a.y[0]) * separation * separation - 1);
  };
  EXPECT_LT(relative(kinds[1]), 3e-6);
  EXPECT_FALSE(relative(kinds[2]) < 0.1);
}

TEST(Precision, HasTheSameBitsWithAnyNumberOfThreads) {
  for (const size_t n : {33, 257, 1003, 1500}) {
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

TEST(Precision, DoesNotAskForThePotential) {
  for (const Kind& kind : kinds) {
    const auto with = cpu(system_of(cloud(300), 0.1), kind), without = cpu(system_of(cloud(300), 0.1), kind);
    with->expect_observation(true);
    with->accelerate(), without->accelerate();
    EXPECT_EQ(with->download(Column::acceleration), without->download(Column::acceleration));
  }
}

/// A run that goes on in the middle scales as the one that it goes on from.
TEST(Precision, ScalesByTheBodiesOfTheStart) {
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

/// Softened bodies in one place exert nothing on each other; massless ones feel and exert nothing.
TEST(Precision, KnowsCoincidentAndMasslessBodies) {
  for (const size_t n : {3, 200}) {
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

/// Two bodies that one float a coordinate does not tell apart, and that meet in double too late to be seen.
TEST(Precision, NamesThePairThatFloatsCannotPart) {
  Bodies bodies = cloud(2);
  bodies.mass = {1e-9, 1e-9};
  bodies.position.x = {1, 1 + 1e-9}, bodies.position.y = bodies.position.z = {0, 0};
  bodies.velocity = Vectors(2);
  for (const Kind& kind : kinds) {
    const auto backend = cpu(system_of(bodies, 0), kind);
    Simulation simulation(*backend, integrator("leapfrog"), 1e-9, {"Castor", "Pollux"});
    if (kind.precision != Precision::float32) {
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

/// The lengths of a logarithm are not scaled: floats refuse what they cannot hold, doubles take it.
TEST(Precision, RefusesLengthsThatALogarithmDoesNotScale) {
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

/// The approximate root and the exact one are two ways, and both are taken.
TEST(Precision, HasTwoRootsInFloat32) {
  const auto fast = cpu(system_of(cloud(300), 0.1), kinds[2]), exact = cpu(system_of(cloud(300), 0.1), kinds[3]);
  fast->accelerate(), exact->accelerate();
  EXPECT_NE(fast->download(Column::acceleration), exact->download(Column::acceleration));
}

}  // namespace
}  // namespace orrery::sim::testing
