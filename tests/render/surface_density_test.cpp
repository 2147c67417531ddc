// SPDX-License-Identifier: MIT
// Surface densities of disks with a closed form, and of periodic boxes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "render/point_cloud/density_map.hpp"

namespace orrery::render {
namespace {

/// A disk of total mass 1 with points on a spiral of golden angles. `mass_within` is the mass within a radius.
template <class MassWithin>
std::vector<PointMass> disk(std::size_t n, const MassWithin& mass_within) {
  std::vector<PointMass> points;
  for (std::size_t i = 0; i < n; ++i) {
    const double wanted = (static_cast<double>(i) + 0.5) / static_cast<double>(n),
                 angle = 2.39996322972865332 * static_cast<double>(i);
    double low = 0, high = 1e4;
    for (int step = 0; step < 60; ++step) (mass_within((low + high) / 2) < wanted ? low : high) = (low + high) / 2;
    points.push_back({low * std::cos(angle), low * std::sin(angle), 1 / static_cast<double>(n)});
  }
  return points;
}

/// Mean and relative scatter over the azimuth.
struct Ring {
  double mean = 0, scatter = 0;
};

Ring ring_of(const DensityMap& field, double radius) {
  constexpr int places = 180;
  double sum = 0, squares = 0;
  for (int k = 0; k < places; ++k) {
    const double a = 2 * std::numbers::pi * (k + 0.3) / places;
    const auto density = static_cast<double>(field.at(radius * std::cos(a), radius * std::sin(a)));
    sum += density;
    squares += density * density;
  }
  const double mean = sum / places;
  return {mean, std::sqrt(std::max(0.0, squares / places / (mean * mean) - 1))};
}

/// The standard deviation across a ribbon about y = 30, between x = 20 and 60.
double width_of_ribbon(const DensityMap& field) {
  double mass = 0, square = 0;
  for (double x = 20; x < 60; x += 0.5) {
    for (double y = 15; y < 45; y += 0.25) {
      const auto density = static_cast<double>(field.at(x, y));
      mass += density;
      square += density * (y - 30) * (y - 30);
    }
  }
  return std::sqrt(square / mass);
}

TEST(SurfaceDensity, ARibbonOfFewBodiesIsNotSmeared) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> even(-1, 1);
  std::normal_distribution<double> normal;
  std::vector<PointMass> points;
  for (int i = 0; i < 40000; ++i) points.push_back({6 * normal(random), 6 * normal(random), 1});
  for (int i = 0; i < 1700; ++i) points.push_back({40 + 40 * even(random), 30 + 1.5 * even(random), 1});
  const Interval side{-90, 90};
  const double sharp = width_of_ribbon(surface_density(points, side, side, {720, 720}));
  const double smooth = width_of_ribbon(surface_density(points, side, side, {720, 720}, {}, 400));
  const double sharpest = width_of_ribbon(surface_density(points, side, side, {720, 720}, {}, 4));
  const double exact = 1.5 / std::sqrt(3.0);
  EXPECT_GT(smooth, 3 * exact);
  EXPECT_LT(sharp, 1.7 * exact);
  EXPECT_LT(sharpest, sharp);
  EXPECT_LT(sharpest, 1.15 * exact);
}

TEST(SurfaceDensity, OfAnExponentialDiskIsThatOfItsClosedForm) {
  const auto points = disk(40000, [](double r) { return 1 - (1 + r) * std::exp(-r); });
  const DensityMap field = surface_density(points, {-7, 7}, {-6, 6}, {700, 600});
  for (const double r : {0.4, 1.0, 2.0, 3.0, 4.5}) {
    const Ring ring = ring_of(field, r);
    EXPECT_NEAR(ring.mean / (std::exp(-r) / (2 * std::numbers::pi)), 1, 0.02) << r;
    EXPECT_LT(ring.scatter, 0.01) << r;
  }
}

TEST(SurfaceDensity, OfAKuzminDiskIsThatOfItsClosedForm) {
  const auto points = disk(9001, [](double r) { return 1 - 1 / std::sqrt(1 + r * r); });
  const DensityMap field = surface_density(points, {-5, 5}, {-5, 5}, {610, 590});
  for (const double r : {0.3, 0.9, 1.7, 2.6}) {
    const Ring ring = ring_of(field, r);
    EXPECT_NEAR(ring.mean * 2 * std::numbers::pi * std::pow(1 + r * r, 1.5), 1, 0.02) << r;
    EXPECT_LT(ring.scatter, 0.01) << r;
  }
}

TEST(SurfaceDensity, OfAUniformDiskIsFlatAndRoundAtItsEdge) {
  const auto points = disk(20011, [](double r) { return r * r; });
  const DensityMap field = surface_density(points, {-1.5, 1.5}, {-1.5, 1.5}, {512, 512});
  for (const double r : {0.1, 0.4, 0.8}) {
    EXPECT_NEAR(ring_of(field, r).mean * std::numbers::pi, 1, 0.02) << r;
    EXPECT_LT(ring_of(field, r).scatter, 0.01) << r;
  }
  EXPECT_LT(ring_of(field, 0.97).scatter, 0.03);
  EXPECT_LT(ring_of(field, 1.3).mean, 1e-6);
}

/// Uniformly spread points with a clump at a corner, all of them in [0, 2] × [0, 1]; shifted by a vector.
std::vector<PointMass> box(double right, double up) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal(0, 0.06);
  std::vector<PointMass> points;
  const auto wrapped = [](double x, double period) { return x - period * std::floor(x / period); };
  for (int i = 0; i < 7001; ++i) {
    PointMass p{2 * uniform(random), uniform(random), 1 + uniform(random)};
    if (i % 3 == 0) p.x = 1.97 + normal(random), p.y = 0.02 + normal(random);
    points.push_back({wrapped(p.x + right, 2), wrapped(p.y + up, 1), p.mass});
  }
  return points;
}

TEST(SurfaceDensity, OfAPeriodicBoxIsTheSameShiftedByHalfAPeriod) {
  const Size size{256, 128};
  const auto map = [&](double right, double up) {
    return surface_density(box(right, up), {0, 2}, {0, 1}, size, {2, 1});
  };
  const DensityMap plain = map(0, 0), shifted = map(1, 0.5);
  ASSERT_EQ(plain.size, size);
  double sum = 0, mass = 0, differences = 0;
  for (std::size_t y = 0; y < 128; ++y) {
    for (std::size_t x = 0; x < 256; ++x) {
      const float here = plain.density[y * 256 + x], there = shifted.density[(y + 64) % 128 * 256 + (x + 128) % 256];
      ASSERT_NEAR(there / here, 1, 0.02) << x << ", " << y;  // distances to neighbours are interpolated
      differences += std::abs(static_cast<double>(there - here)) * 2 / 256 / 128;
      sum += static_cast<double>(here) * 2 / 256 / 128;
    }
  }
  for (const PointMass& p : box(0, 0)) mass += p.mass;
  EXPECT_NEAR(sum, mass, 1e-5 * mass);
  EXPECT_LT(differences, 0.002 * mass);
}

TEST(SurfaceDensity, OfPartOfAPeriodHasThePointsOfTheOtherSide) {
  const DensityMap whole = surface_density(box(0, 0), {0, 2}, {0, 1}, {512, 256}, {2, 1});
  for (const Interval part : {Interval{0, 0.5}, Interval{1.5, 2}, Interval{0.3, 1.4}}) {
    const DensityMap field =
        surface_density(box(0, 0), part, {0, 1}, {static_cast<int>(256 * part.length()), 256}, {2, 1});
    for (const double share : {0.004, 0.3, 0.7, 0.996}) {
      const double x = part.low + share * part.length();
      for (const double y : {0.01, 0.05, 0.5, 0.99})
        EXPECT_NEAR(field.at(x, y) / whole.at(x, y), 1, 0.05) << x << ", " << y;
    }
  }
}

}  // namespace
}  // namespace orrery::render
