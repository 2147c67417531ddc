// SPDX-License-Identifier: MIT
// Orbits known to many digits: they have the known energies, close after their periods, and reach the known states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/initial_states/list.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double solar_G = 2.95912208286e-4;  // au³/(M☉ d²), of Hairer, Lubich & Wanner

/// A state with velocities beside positions: six numbers a body.
std::vector<double> numbers(const Snapshot& s) {
  std::vector<double> all;
  for (const Vectors* v : {&s.position, &s.velocity}) {
    for (const auto* axis : {&v->x, &v->y, &v->z}) all.insert(all.end(), axis->begin(), axis->end());
  }
  return all;
}

double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) greatest = std::max(greatest, std::abs(a[i] - b[i]));
  return greatest;
}

Snapshot after(const InitialConditions& made, double time, std::int64_t steps, double G = 1) {
  const auto cpu = make_cpu_backend(system_of(made.bodies, 0, G), 1, 0);
  return run(*cpu, integrator("yoshida4"), steps > 0 ? time / static_cast<double>(steps) : 1, steps);
}

/// Richardson extrapolation of two fourth-order runs, one with twice the steps of the other.
std::vector<double> extrapolated(const std::vector<double>& coarse, const std::vector<double>& fine) {
  std::vector<double> limit;
  for (std::size_t i = 0; i < fine.size(); ++i) limit.push_back(fine[i] + (fine[i] - coarse[i]) / 15);
  return limit;
}

class CollinearOrbit : public ::testing::TestWithParam<InitialState> {};

/// T = 3 (p₁² + p₂²), U = −1 − 1 − 1/2, L = 0; energies scale with G m², because lengths do not change.
TEST_P(CollinearOrbit, HasItsEnergyAndNoAngularMomentum) {
  for (const double mass : {1.0, 3.7}) {
    const auto made = GetParam().make(Arguments{{"mass", mass}, {"distance", 1.0}}, {.G = 2});
    const Observables start = after(made, 0, 0, 2).observables;
    const double scale = 2 * mass * mass, p1 = made.bodies.velocity.x[0], p2 = made.bodies.velocity.y[0];
    EXPECT_NEAR(start.total_energy(), 3 * mass * (p1 * p1 + p2 * p2) - 2.5 * scale, 1e-15 * scale);
    EXPECT_NEAR(start.angular_momentum.z, 0, 1e-15 * scale);
    EXPECT_NEAR(start.momentum.y, 0, 1e-15 * scale);
    EXPECT_DOUBLE_EQ(made.timescale * std::sqrt(2 * mass),
                     GetParam().make(Arguments{{"mass", 1.0}, {"distance", 1.0}}, {}).timescale);
  }
}

/// A number of steps for which only the fourth-order error shows: more for encounters, fewer for rounding.
std::int64_t steps_of(std::string_view orbit) {
  if (orbit == "figure-eight") return 2000;
  if (orbit == "moth-1") return 32'000;
  return orbit == "dragonfly" ? 1'000'000 : 500'000;
}

/// The gap falls 16-fold when the steps double, as expected at fourth order, and nearly vanishes after extrapolation.
/// If a digit of the table were wrong, there would be a gap for any dt.
TEST_P(CollinearOrbit, ClosesAfterItsPeriod) {
  const auto made = GetParam().make(Arguments{{"mass", 1.0}, {"distance", 1.0}}, {});
  const std::int64_t steps = steps_of(GetParam().name);
  const auto start = numbers(after(made, 0, 0));
  const auto coarse = numbers(after(made, made.timescale, steps));
  const auto fine = numbers(after(made, made.timescale, 2 * steps));
  const double gap = greatest_difference(coarse, start);
  EXPECT_LT(gap, 5e-5);
  EXPECT_NEAR(gap / greatest_difference(fine, start), 16, 0.5);
  EXPECT_LT(greatest_difference(extrapolated(coarse, fine), start), 2e-3 * gap);
}

TEST_P(CollinearOrbit, WithoutAttractionIsRefused) {
  EXPECT_THROW((void)GetParam().make(Arguments{{"mass", 1.0}, {"distance", 1.0}}, {.G = 0}), ArgumentError);
}

INSTANTIATE_TEST_SUITE_P(All, CollinearOrbit, ::testing::ValuesIn(collinear_orbits), [](const auto& each) {
  std::string name(each.param.name);
  std::erase(name, '-');
  return name;
});

TEST(FigureEight, HasThePublishedEnergy) {
  const auto made = collinear_orbits.front().make(Arguments{{"mass", 1.0}, {"distance", 1.0}}, {});
  EXPECT_NEAR(after(made, 0, 0).observables.total_energy(), -1.2871419956318577, 3e-16);
}

/// E = −769/60 G m²; body 3 at t = 10 as in 113-bit arithmetic. The error of the finer run is 16 times smaller, and
/// extrapolation gives six more digits.
TEST(Pythagorean, HasItsEnergyAndFinalState) {
  const auto made = pythagorean.make(Arguments{{"mass", 1.0}, {"length", 1.0}}, {});
  const double energy = -769.0 / 60;
  EXPECT_NEAR(after(made, 0, 0).observables.total_energy(), energy, 1e-15 * -energy);
  EXPECT_DOUBLE_EQ(made.timescale, std::pow(12, 2.5) / std::pow(-2 * energy, 1.5));
  const auto heavy = pythagorean.make(Arguments{{"mass", 2.5}, {"length", 1.0}}, {.G = 3});
  EXPECT_NEAR(after(heavy, 0, 0, 3).observables.total_energy(), 18.75 * energy, 1e-15 * -18.75 * energy);

  const Snapshot coarse = after(made, 10, 1'000'000), fine = after(made, 10, 2'000'000);
  EXPECT_NEAR(coarse.position.x[0], 0.7784804101381, 1e-5);
  EXPECT_NEAR(fine.position.x[0], 0.7784804101381, 1e-6);
  const auto limit = extrapolated(numbers(coarse), numbers(fine));
  EXPECT_NEAR(limit[0], 0.7784804101381, 1e-8);
  EXPECT_NEAR(limit[3], 0.1413923002901, 1e-8);
}

/// In axes that rotate with the Moon the spacecraft returns after T; Earth and Moon stay on a circle.
TEST(Arenstorf, ClosesInTheRotatingFrame) {
  const double scale = 384.4, mass = 6.0;  // any will do
  const auto made = arenstorf.make(Arguments{{"mass", mass}, {"distance", scale}}, {.G = 2.5});
  EXPECT_EQ(made.bodies.names, (std::vector<std::string>{"Earth", "Moon", "spacecraft"}));
  const double omega = std::sqrt(2.5 * mass / (scale * scale * scale));
  EXPECT_NEAR(made.timescale * omega, 17.0652165601579625588917206249, 1e-14);
  const Snapshot start = after(made, 0, 0);
  EXPECT_NEAR(start.observables.center_of_mass.x, 0, 1e-15 * scale);
  EXPECT_NEAR(start.observables.momentum.y, 0, 1e-15);

  const auto gap = [&](std::int64_t steps) {
    const Snapshot s = after(made, made.timescale, steps, 2.5);
    const double angle = omega * made.timescale, c = std::cos(angle), d = std::sin(angle);
    const auto turned_back = [&](double x, double y) { return Vec3{c * x + d * y, c * y - d * x, 0}; };
    const Vec3 moon = turned_back(s.position.x[1], s.position.y[1]), x = turned_back(s.position.x[2], s.position.y[2]);
    EXPECT_NEAR(moon.x / scale, 1 - 0.012277471, 1e-11);
    EXPECT_NEAR(moon.y / scale, 0, 1e-11);
    return std::hypot(x.x / scale - 0.994, x.y / scale);
  };
  const double coarse = gap(500'000), fine = gap(1'000'000);
  EXPECT_NEAR(coarse / fine, 16, 0.5);
  EXPECT_LT(fine, 1e-8);
}

InitialConditions outer_planets(double G = solar_G) {
  return outer_solar_system.make({{"frame", std::string("equatorial")}}, {.G = G});
}

TEST(OuterSolarSystem, HasThePublishedEnergyAndAJovianPeriod) {
  const auto made = outer_planets();
  EXPECT_NEAR(after(made, 0, 0, solar_G).observables.total_energy(), -3.21545318320816357e-8, 3.2e-23);
  EXPECT_EQ(made.bodies.velocity.x[1], .00565429);  // unchanged, where G is theirs
  EXPECT_EQ(made.bodies.names[5], "Pluto");
  EXPECT_NEAR(made.timescale, 4333, 15);  // Jupiter's year; of the ellipse that it is on at the start
}

TEST(OuterSolarSystem, PositionOfJupiterIsAccurate) {
  const auto made = outer_planets();
  const double expected[] = {4.761688621813367, -1.498531656206141, -0.758534323470254};
  const auto jupiter = [&](std::int64_t steps) {
    const Vectors x = after(made, 10'000, steps, solar_G).position;
    return std::vector{x.x[1], x.y[1], x.z[1]};
  };
  const auto coarse = jupiter(1000), fine = jupiter(2000);
  const std::vector<double> exact(std::begin(expected), std::end(expected));
  EXPECT_LT(greatest_difference(fine, exact), 2e-7);
  EXPECT_NEAR(greatest_difference(coarse, exact) / greatest_difference(fine, exact), 16, 0.2);
  EXPECT_LT(greatest_difference(extrapolated(coarse, fine), exact), 1e-9);
}

/// Another G is another unit of time: the same positions after the same number of Jupiter's years.
TEST(OuterSolarSystem, IsTheSameInOtherUnitsOfTime) {
  const auto days = outer_planets(), other = outer_planets(1);
  const Snapshot a = after(days, days.timescale / 3, 500, solar_G), b = after(other, other.timescale / 3, 500, 1);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a.position.y[i], b.position.y[i], 1e-11);
}

}  // namespace
}  // namespace orrery::sim::testing
