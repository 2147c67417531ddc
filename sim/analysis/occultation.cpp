// SPDX-License-Identifier: MIT
#include "sim/analysis/occultation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace orrery::sim {
namespace {

/// ∫ f from a to b, at whose ends f may behave as a root: the double exponential formula of Takahasi & Mori 1974, Publ. RIMS 9, 721.
template <class Function>
double integral(const Function& f, double a, double b) {
  constexpr int points = 26;
  constexpr double step = 0.12;
  double sum = 0;
  for (int k = -points; k <= points; ++k) {
    const double t = step * k, u = 0.5 * std::numbers::pi * std::sinh(t), c = std::cosh(u);
    sum += 0.5 * std::numbers::pi * std::cosh(t) / (c * c) * f(a + (b - a) / (1 + std::exp(-2 * u)));
  }
  return 0.5 * (b - a) * step * sum;
}

/// The angle along a circle of radius rho about the origin that lies in one of the discs; `arcs` is memory to use.
double covered_angle(std::span<const Disc> discs, double rho, std::vector<std::pair<double, double>>& arcs) {
  arcs.clear();
  for (const Disc& disc : discs) {
    const double d = std::hypot(disc.x, disc.y);
    if (rho + d <= disc.radius) return 2 * std::numbers::pi;
    if (std::abs(d - rho) >= disc.radius) continue;
    const double half =
        std::acos(std::clamp((rho * rho + d * d - disc.radius * disc.radius) / (2 * rho * d), -1.0, 1.0));
    const double middle = std::atan2(disc.y, disc.x), low = middle - half, high = middle + half;
    arcs.emplace_back(std::max(low, -std::numbers::pi), std::min(high, std::numbers::pi));
    if (low < -std::numbers::pi) arcs.emplace_back(low + 2 * std::numbers::pi, std::numbers::pi);
    if (high > std::numbers::pi) arcs.emplace_back(-std::numbers::pi, high - 2 * std::numbers::pi);
  }
  std::ranges::sort(arcs);
  double covered = 0, reached = -std::numbers::pi;
  for (const auto& [low, high] : arcs) {
    covered += std::max(0.0, high - std::max(low, reached));
    reached = std::max(reached, high);
  }
  return covered;
}

}  // namespace

double visible_light(std::span<const Disc> discs, const LimbDarkening& limb) {
  std::vector<double> ends{0, 1};  // between these the covered angle is smooth
  for (const Disc& disc : discs) {
    const double d = std::hypot(disc.x, disc.y);
    if (d >= 1 + disc.radius) continue;
    for (const double end : {std::abs(d - disc.radius), d + disc.radius})
      if (end < 1) ends.push_back(end);
  }
  if (ends.size() == 2 &&
      std::ranges::none_of(discs, [](const Disc& disc) { return std::hypot(disc.x, disc.y) < 1 + disc.radius; }))
    return 1;
  std::ranges::sort(ends);
  std::vector<std::pair<double, double>> arcs;
  const auto covered = [&](double rho) {
    const double shade = 1 - std::sqrt(std::max(0.0, 1 - rho * rho));
    return rho * (1 - shade * (limb.linear + limb.quadratic * shade)) * covered_angle(discs, rho, arcs);
  };
  double dark = 0;
  for (std::size_t k = 1; k < ends.size(); ++k)
    if (ends[k] > ends[k - 1]) dark += integral(covered, ends[k - 1], ends[k]);
  return std::max(0.0, 1 - dark / (std::numbers::pi * (1 - limb.linear / 3 - limb.quadratic / 6)));
}

}  // namespace orrery::sim
