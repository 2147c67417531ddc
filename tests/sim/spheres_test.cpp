// SPDX-License-Identifier: MIT
// Random spheres have the profiles, energies and times of the models that they are drawn from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/initial_states/list.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr std::int64_t n = 10007;

InitialConditions plummer_of(double virial_ratio, double mass = 1, double radius = 1, double G = 1) {
  const Arguments arguments{{"n", n}, {"mass", mass}, {"virial_radius", radius}, {"virial_ratio", virial_ratio}};
  return plummer.make(arguments, {.G = G, .random = Random(3, 0)});
}

InitialConditions sphere_of(std::int64_t bodies, double virial_ratio, double radius = 1) {
  const Arguments arguments{{"n", bodies}, {"mass", 1.0}, {"radius", radius}, {"virial_ratio", virial_ratio}};
  return uniform_sphere.make(arguments, {.G = 1, .random = Random(4, 0)});
}

Observables measured(const InitialConditions& made, double G = 1) {
  const auto cpu = make_cpu_backend(system_of(made.bodies, 0, G), 1, 0);
  return run(*cpu, integrator("leapfrog"), 1e-3, 0).observables;
}

std::vector<double> lengths(const Vectors& v) {
  std::vector<double> all;
  for (std::size_t i = 0; i < v.size(); ++i) all.push_back(std::hypot(v.x[i], v.y[i], v.z[i]));
  return all;
}

/// The Kolmogorov-Smirnov statistic: the maximum distance between the fraction of values below x and `expected`(x),
/// times √n; one sample in 10⁴ exceeds 2.2.
template <class Distribution>
double misfit(std::vector<double> values, Distribution expected) {
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  double greatest = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double here = expected(values[k]), low = static_cast<double>(k) / count;
    greatest = std::max({greatest, std::abs(here - low), std::abs(here - low - 1 / count)});
  }
  return greatest * std::sqrt(count);
}

void expect_isotropic(const Vectors& v) {
  const auto r = lengths(v);
  const std::vector<double>* axes[] = {&v.x, &v.y, &v.z};
  for (const auto* axis : axes) {
    std::vector<double> cosines;
    for (std::size_t i = 0; i < r.size(); ++i) cosines.push_back((*axis)[i] / r[i]);
    EXPECT_LT(misfit(cosines, [](double c) { return (1 + c) / 2; }), 2.2);
  }
}

TEST(Plummer, HasItsProfileAndHalfMassRadius) {
  const auto made = plummer_of(0.5);
  const double a = 3 * pi / 16;
  const auto r = lengths(made.bodies.position);
  EXPECT_LT(misfit(r, [&](double x) { return std::pow(x * x / (x * x + a * a), 1.5); }), 2.2);
  // dm/dr = 0.62 there, and the number of bodies on one side varies by √(n)/2: 0.008 is one standard deviation.
  EXPECT_NEAR(quantile(r, 0.5), 0.768571, 0.025);
  expect_isotropic(made.bodies.position);
  expect_isotropic(made.bodies.velocity);
}

/// Hénon's units: E = −1/4, U = −1/2. Both are sums over a sample, accurate to about one per cent.
TEST(Plummer, IsInEquilibriumInItsUnits) {
  const Observables start = measured(plummer_of(0.5));
  EXPECT_NEAR(start.potential_energy, -0.5, 0.015);
  EXPECT_NEAR(start.kinetic_energy / -start.potential_energy, 0.5, 0.015);
  EXPECT_NEAR(start.total_energy(), -0.25, 0.01);
  EXPECT_DOUBLE_EQ(plummer_of(0.5).timescale, 2 * std::sqrt(2.0));
}

/// No body exceeds its escape speed, and q = v/v_escape has the density 512/7π q² (1 − q²)^(7/2).
TEST(Plummer, HasItsVelocityDistribution) {
  const auto made = plummer_of(0.5);
  const double a = 3 * pi / 16;
  const auto r = lengths(made.bodies.position), v = lengths(made.bodies.velocity);
  std::vector<double> q;
  for (std::size_t i = 0; i < r.size(); ++i) q.push_back(v[i] / std::sqrt(2 / std::sqrt(r[i] * r[i] + a * a)));
  EXPECT_LT(misfit(q,
                   [](double x) {
                     double sum = 0;
                     for (int k = 0; k < 200; ++k) {
                       const double y = std::min(x, 1.0) * (k + 0.5) / 200;
                       sum += y * y * std::pow(1 - y * y, 3.5);
                     }
                     return 512 / (7 * pi) * sum * std::min(x, 1.0) / 200;
                   }),
            2.2);
}

TEST(Plummer, ScalesWithItsParameters) {
  const Observables warm = measured(plummer_of(0.5));
  const Observables scaled = measured(plummer_of(0.125, 3, 2, 5), 5);
  EXPECT_NEAR(scaled.potential_energy, warm.potential_energy * 5 * 9 / 2, 1e-10);
  EXPECT_NEAR(scaled.kinetic_energy, warm.kinetic_energy / 4 * 5 * 9 / 2, 1e-10);
  EXPECT_DOUBLE_EQ(plummer_of(0.1, 3, 2, 5).timescale, std::sqrt(8 * 8 / 15.0));
  EXPECT_EQ(measured(plummer_of(0)).kinetic_energy, 0);
  EXPECT_EQ(plummer_of(0.5, 0).timescale, 0);  // nothing attracts: there is no time of its own
}

TEST(UniformSphere, IsUniformAndHasItsEnergies) {
  const auto made = sphere_of(n, 0.3, 2);
  EXPECT_LT(misfit(lengths(made.bodies.position), [](double x) { return std::pow(std::min(x / 2, 1.0), 3); }), 2.2);
  expect_isotropic(made.bodies.position);
  expect_isotropic(made.bodies.velocity);
  const Observables start = measured(made);
  EXPECT_NEAR(start.potential_energy, -0.6 / 2, 0.005);
  EXPECT_NEAR(start.kinetic_energy / -start.potential_energy, 0.3, 0.01);
  EXPECT_EQ(measured(sphere_of(n, 0)).kinetic_energy, 0);
}

/// Collapse from rest: r = r₀ cos²η after the time (2/π) (η + ½ sin 2η) in units of the free-fall time.
TEST(UniformSphere, CollapsesInAFreeFallTime) {
  const auto made = sphere_of(1999, 0);
  EXPECT_NEAR(made.timescale, 1.1107207345, 1e-10);
  const auto cpu = make_cpu_backend(system_of(made.bodies, 0.02), 1, 0);
  const double before = quantile(lengths(made.bodies.position), 0.5), eta = 0.7;
  const double time = 2 / pi * (eta + 0.5 * std::sin(2 * eta)) * made.timescale;
  const Snapshot s = run(*cpu, integrator("leapfrog"), time / 100, 100);
  EXPECT_NEAR(quantile(lengths(s.position), 0.5) / before, std::cos(eta) * std::cos(eta), 0.02);
}

}  // namespace
}  // namespace orrery::sim::testing
