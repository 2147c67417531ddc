// SPDX-License-Identifier: MIT
// Masses, binaries and exact energies of bodies that are drawn from models.
#include "sim/initial_states/stars.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double cluster_mass = 3.7, cluster_G = 1.9;

Arguments cluster(std::int64_t bodies, std::initializer_list<std::pair<const std::string, Value>> more = {}) {
  Arguments keys{{"n", bodies}, {"mass", cluster_mass}, {"virial_radius", 1.3}, {"virial_ratio", 0.5}};
  for (const auto& [name, value] : more) keys.set(name, value);
  return keys;
}

Bodies bodies_of(const Arguments& keys, double softening = 0) {
  return plummer.make(keys, {.G = cluster_G, .random = Random(11, 2), .softening = softening}).bodies;
}

/// √n times the maximum distance between the distribution of values and the expected one: 2.2 is exceeded once in 10⁴.
template <class Distribution>
double distance_from(std::vector<double> values, const Distribution& expected) {
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  double greatest = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    greatest = std::max(greatest, std::abs(expected(values[k]) - (static_cast<double>(k) + 0.5) / count));
  return greatest * std::sqrt(count);
}

/// The share below m of a density over masses from `low` to `high`.
template <class Density>
double share_below(double m, double low, double high, const Density& density) {
  const auto number = [&](double to) {
    constexpr int steps = 200;
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
      const double x = low * std::pow(to / low, (k + 0.5) / steps);
      sum += density(x) * x * std::log(to / low) / steps;
    }
    return sum;
  };
  return number(m) / number(high);
}

TEST(MassFunctions, AreThePublishedOnes) {
  const auto salpeter = [](double m) { return std::pow(m, -2.35); };
  const auto kroupa = [](double m) {
    return m < 0.08 ? std::pow(m, -0.3) : m < 0.5 ? 0.08 * std::pow(m, -1.3) : 0.04 * std::pow(m, -2.3);
  };
  const auto check = [](const std::string& name, double low, double high, const auto& density, bool given) {
    Arguments keys = cluster(2003, {{"mass_function", name}});
    if (given) keys.set("mass_range", std::vector{low, high});
    const Bodies bodies = bodies_of(keys);
    EXPECT_NEAR(std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0), cluster_mass, 1e-12);
    // All are scaled by one unknown factor, by which the least of so many is the least possible one.
    std::vector<double> sorted = bodies.mass;
    std::ranges::sort(sorted);
    const double factor = low / sorted.front();
    for (double& m : sorted) m *= factor;
    EXPECT_LT(distance_from(sorted, [&](double m) { return share_below(std::min(m, high), low, high, density); }), 2.2)
        << name;
    EXPECT_LT(sorted.back(), high * 1.02);
  };
  check("salpeter", 0.1, 100, salpeter, false);
  check("salpeter", 0.4, 0.9, salpeter, true);
  check("kroupa", 0.08, 100, kroupa, false);
  check("kroupa", 0.02, 8, kroupa, true);
}

TEST(MassFunctions, DoNotMoveTheBodies) {
  const Bodies equal = bodies_of(cluster(33)),
               kroupa = bodies_of(cluster(33, {{"mass_function", std::string("kroupa")}}));
  EXPECT_EQ(bits_of(equal.position), bits_of(kroupa.position));
  EXPECT_EQ(equal.mass[3], cluster_mass / 33);
  EXPECT_NE(kroupa.mass[3], cluster_mass / 33);
}

TEST(MassFunctions, ListsHaveTheirFractions) {
  const Bodies bodies =
      bodies_of(cluster(4001, {{"masses", std::vector{1.0, 10.0, 3.0}}, {"fractions", std::vector{0.7, 0.1, 0.2}}}));
  const double least = *std::ranges::min_element(bodies.mass);
  std::vector<int> number(11);
  for (const double m : bodies.mass) ++number.at(static_cast<std::size_t>(m / least + 0.5));
  EXPECT_NEAR(number[1] / 4001.0, 0.7, 4 * std::sqrt(0.21 / 4001));
  EXPECT_NEAR(number[10] / 4001.0, 0.1, 4 * std::sqrt(0.09 / 4001));
  EXPECT_EQ(number[1] + number[3] + number[10], 4001);
}

TEST(Stars, ContradictionsAreNamed) {
  const auto refused = [](std::initializer_list<std::pair<const std::string, Value>> more, const std::string& key) {
    try {
      (void)bodies_of(cluster(9, more));
      FAIL() << key;
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.name(), key) << error.what();
    }
  };
  const std::vector<double> two{1, 2}, down{2, 1};
  refused({{"masses", two}, {"mass_function", std::string("kroupa")}}, "masses");
  refused({{"fractions", two}}, "fractions");
  refused({{"masses", two}, {"fractions", std::vector{1.0}}}, "fractions");
  refused({{"masses", two}, {"fractions", std::vector{0.0, 0.0}}}, "fractions");
  refused({{"masses", std::vector<double>{}}}, "masses");
  refused({{"mass_range", two}}, "mass_range");
  refused({{"mass_function", std::string("salpeter")}, {"mass_range", down}}, "mass_range");
  refused({{"binaries", 0.5}}, "binaries");
  refused({{"binaries", 0.5}, {"binary_axis", two}, {"binary_period", two}}, "binary_period");
  refused({{"binaries", 0.5}, {"binary_axis", down}}, "binary_axis");
  refused({{"binaries", 0.5}, {"binary_axis", two}, {"binary_eccentricity", std::string("warm")}},
          "binary_eccentricity");
  refused({{"binaries", 0.5}, {"binary_axis", two}, {"mass", 0.0}}, "binaries");
}

/// Two bodies' centre and orbit.
struct Pair {
  Vec3 place, motion;
  OrbitalElements orbit;
};
Pair pair_of(const Bodies& b, std::size_t i) {
  const double m = b.mass[i] + b.mass[i + 1];
  const auto mean = [&](const Vectors& v) {
    const auto of = [&](const std::vector<double>& c) { return (b.mass[i] * c[i] + b.mass[i + 1] * c[i + 1]) / m; };
    return Vec3{of(v.x), of(v.y), of(v.z)};
  };
  const auto apart = [&](const Vectors& v) {
    return Vec3{v.x[i + 1] - v.x[i], v.y[i + 1] - v.y[i], v.z[i + 1] - v.z[i]};
  };
  return {mean(b.position), mean(b.velocity), elements_of(cluster_G * m, apart(b.position), apart(b.velocity))};
}

TEST(Binaries, HaveTheirLawsAndCentres) {
  const std::vector<double> sizes{1e-4, 3e-2};
  const Bodies single = bodies_of(cluster(4000));
  for (const bool period : {false, true}) {
    const Bodies b = bodies_of(cluster(
        6000,
        {{"binaries", 0.5}, {period ? "binary_period" : "binary_axis", sizes}, {"masses", std::vector{1.0, 2.0}}}));
    ASSERT_EQ(b.size(), 6000U);
    std::vector<double> sizes_found, squares, heights, anomalies;
    for (std::size_t k = 0; k < 2000; ++k) {
      const Pair pair = pair_of(b, 2 * k);
      EXPECT_NEAR(pair.place.x, single.position.x[k], 1e-12);
      EXPECT_NEAR(pair.motion.z, single.velocity.z[k], 1e-9);
      sizes_found.push_back(period ? pair.orbit.period : pair.orbit.semi_major_axis);
      squares.push_back(pair.orbit.eccentricity * pair.orbit.eccentricity);
      heights.push_back(std::cos(pair.orbit.inclination * pi / 180));
      anomalies.push_back(pair.orbit.mean_anomaly / 360);
    }
    EXPECT_EQ(b.position.x[4000 + 7], single.position.x[2000 + 7]);
    EXPECT_LT(distance_from(sizes_found, [&](double x) { return std::log(x / 1e-4) / std::log(300.0); }), 2.2);
    EXPECT_LT(distance_from(squares, [](double x) { return x; }), 2.2);
    EXPECT_LT(distance_from(heights, [](double x) { return (1 + x) / 2; }), 2.2);
    EXPECT_LT(distance_from(anomalies, [](double x) { return x; }), 2.2);
  }
}

TEST(Binaries, AnyNumberOfBodies) {
  for (const std::int64_t n : {1, 2, 3, 33}) {
    for (const double fraction : {0.0, 0.01, 0.4, 1.0}) {
      const Bodies b = bodies_of(cluster(
          n, {{"binaries", fraction}, {"binary_axis", std::vector{1e-3, 1e-3}}, {"binary_eccentricity", 0.25}}));
      ASSERT_EQ(b.size(), static_cast<std::size_t>(n));
      EXPECT_NEAR(std::accumulate(b.mass.begin(), b.mass.end(), 0.0), cluster_mass, 1e-12);
      if (fraction < 1 || n < 2) continue;
      EXPECT_NEAR(pair_of(b, 0).orbit.semi_major_axis, 1e-3, 1e-12);
      EXPECT_NEAR(pair_of(b, 2 * (static_cast<std::size_t>(n) / 2) - 2).orbit.eccentricity, 0.25, 1e-9);
    }
  }
}

/// Of points −G mass²/2 virial_radius, and T that fits the softened forces.
TEST(Rescale, EnergiesAreExact) {
  for (const double softening : {0.0, 0.2}) {
    for (const double ratio : {0.5, 0.3, 0.0}) {
      const Bodies b = bodies_of(
          cluster(257, {{"rescale", true}, {"mass_function", std::string("salpeter")}, {"virial_ratio", ratio}}),
          softening);
      double kinetic = 0, potential = 0, virial = 0;
      const Vectors &x = b.position, &v = b.velocity;
      for (std::size_t i = 0; i < b.size(); ++i) {
        kinetic += b.mass[i] / 2 * (v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i]);
        for (std::size_t j = 0; j < i; ++j) {
          const double r = std::hypot(x.x[i] - x.x[j], x.y[i] - x.y[j], x.z[i] - x.z[j]),
                       mm = cluster_G * b.mass[i] * b.mass[j];
          potential -= mm / r;
          virial -= mm * r * r / std::pow(r * r + softening * softening, 1.5);
        }
      }
      EXPECT_NEAR(potential, -cluster_G * cluster_mass * cluster_mass / (2 * 1.3), 1e-12);
      EXPECT_NEAR(kinetic, -ratio * virial, 1e-12);
    }
  }
  EXPECT_THROW((void)bodies_of(cluster(40000, {{"rescale", true}})), ArgumentError);
  EXPECT_EQ(bodies_of(cluster(1, {{"rescale", true}})).position.x[0], bodies_of(cluster(1)).position.x[0]);
}

/// Committed bits of everything at once, the same on every machine and compiler.
TEST(Stars, HaveTheCommittedBits) {
  const auto bits = [](const Bodies& b) {
    const Vectors &x = b.position, &v = b.velocity;
    return fingerprint({&b.mass, &x.x, &x.y, &x.z, &v.x, &v.y, &v.z});
  };
  EXPECT_EQ(bits(bodies_of(cluster(1003))), 0xc91ea0e0168c7bddULL);
  EXPECT_EQ(bits(bodies_of(cluster(1003, {{"mass_function", std::string("kroupa")},
                                          {"binaries", 0.3},
                                          {"binary_period", std::vector{1e-4, 1e-2}},
                                          {"rescale", true}}))),
            0x756ec299689851b1ULL);
}

}  // namespace
}  // namespace orrery::sim::testing
