// SPDX-License-Identifier: MIT
// Light of covered discs against areas of circles in closed form and sums over a fine grid.
#include "sim/analysis/occultation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace orrery::sim {
namespace {

constexpr double pi = std::numbers::pi;

/// The area that circles of radius 1 and r at distance d share.
double shared_area(double r, double d) {
  if (d >= 1 + r) return 0;
  if (d <= std::abs(1 - r)) return pi * std::fmin(1, r * r);
  const double a = std::acos((d * d + 1 - r * r) / (2 * d)), b = std::acos((d * d + r * r - 1) / (2 * d * r));
  return a - std::sin(a) * std::cos(a) + r * r * (b - std::sin(b) * std::cos(b));
}

/// Midpoint sum over a grid of polar coordinates: independent of arcs.
double light_on_grid(const std::vector<Disc>& discs, const LimbDarkening& limb) {
  constexpr int rings = 1500, rays = 1500;
  double all = 0, free = 0;
  for (int i = 0; i < rings; ++i) {
    const double rho = (i + 0.5) / rings, shade = 1 - std::sqrt(1 - rho * rho);
    const double light = rho * (1 - limb.linear * shade - limb.quadratic * shade * shade);
    for (int k = 0; k < rays; ++k) {
      const double angle = 2 * pi * (k + 0.5) / rays, x = rho * std::cos(angle), y = rho * std::sin(angle);
      bool dark = false;
      for (const Disc& disc : discs) dark = dark || std::hypot(x - disc.x, y - disc.y) < disc.radius;
      all += light;
      if (!dark) free += light;
    }
  }
  return free / all;
}

TEST(Occultation, OfAUniformDiscIsTheAreaThatCirclesShare) {
  for (const double r : {0.01, 0.0854, 0.3, 0.9, 1.0, 1.7}) {
    for (const double d : {0.0, 0.013, 0.4, 0.7, 0.93, 1.002, 1.25, 2.6, 2.8}) {
      const Disc disc{d * 0.6, -d * 0.8, r};
      EXPECT_NEAR(visible_light({&disc, 1}), 1 - shared_area(r, d) / pi, 1e-9) << r << ' ' << d;
    }
  }
}

TEST(Occultation, OfACentralPassageWithLimbDarkening) {
  const LimbDarkening limb{0.4, 0.25};
  for (const double r : {0.1, 0.5, 0.99}) {  // ∫ I over a circle about the centre, in μ
    const double mu = std::sqrt(1 - r * r), x = 1 - mu;
    const auto part = [&](double to) {  // ∫ (1 − a x − b x²) (1 − x) dx
      return to - to * to / 2 * (1 + limb.linear) - to * to * to / 3 * (limb.quadratic - limb.linear) +
             limb.quadratic * std::pow(to, 4) / 4;
    };
    const Disc disc{0, 0, r};
    EXPECT_NEAR(visible_light({&disc, 1}, limb), 1 - part(x) / part(1), 1e-10) << r;
  }
}

TEST(Occultation, OfDiscsThatCoverEachOther) {
  const LimbDarkening limb{0.5, 0.2};
  const std::vector<std::vector<Disc>> cases{
      {{0.2, 0.1, 0.3}, {0.35, -0.1, 0.25}},                     // overlap
      {{0.2, 0.1, 0.3}, {0.25, 0.12, 0.1}},                      // one behind the other
      {{-0.9, 0.1, 0.2}, {0.8, 0.55, 0.35}, {-0.7, -0.1, 0.2}},  // at the edge, across the cut of angles at −x
  };
  for (const auto& discs : cases) EXPECT_NEAR(visible_light(discs, limb), light_on_grid(discs, limb), 3e-5);
  EXPECT_NEAR(visible_light(cases[1], limb), visible_light({&cases[1][0], 1}, limb), 1e-6);
  EXPECT_EQ(visible_light({}), 1);
  EXPECT_NEAR(visible_light(std::vector<Disc>{{0.1, 0, 1.2}, {3, 0, 1}}), 0, 1e-14);
}

}  // namespace
}  // namespace orrery::sim
