// SPDX-License-Identifier: MIT
#include "sim/models/king.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "sim/elementary.hpp"
#include "sim/initial_state.hpp"

namespace orrery::sim {
namespace {

constexpr double first = 1e-3;  ///< node: W = W₀ − 3x²/2 within it
constexpr double width = 0.01;  ///< of ln x between nodes

/// e^W erf √W − √(4W/π) (1 + 2W/3), to which the density is proportional: a series of positive terms, 2^n W^(n + 1/2) / (2n + 1)!!
/// from n = 2 on, times 2/√π.
double relative_density(double W) {
  if (!(W > 0)) return 0;
  double term = 4.0 / 15 * W * W * std::sqrt(W), sum = 0;
  for (int n = 3; term > 1e-17 * sum; ++n) {
    sum += term;
    term *= 2 * W / (2 * n + 1);
  }
  return sum * 2 / std::sqrt(pi);
}

}  // namespace

/// Poisson's equation, dW/d ln x = −9 m/x and dm/d ln x = x³ ρ, by the classical method of Runge and Kutta.
KingModel::KingModel(double W0) : W0_(W0) {
  const double centre = relative_density(W0), half = exponential(0.5 * width);
  using State = std::array<double, 2>;
  const auto rate = [&](double x, const State& y) {
    return State{-9 * y[1] / x, x * x * x * relative_density(y[0]) / centre};
  };
  const auto moved = [](const State& y, const State& by, double h) {
    return State{y[0] + h * by[0], y[1] + h * by[1]};
  };
  double x = first;
  State y{W0 - 1.5 * x * x, x * x * x / 3};
  while (y[0] > 0) {
    const double middle = x * half, end = middle * half;
    const State a = rate(x, y);
    W_.push_back(y[0]), slope_.push_back(a[0]);
    mass_ = y[1];
    // Without any more mass W falls to 0 there, or never.
    const double far = 1 / x - y[0] / (9 * y[1]);
    if (far * end > 1) {
      tidal_ = 1 / far;
      break;
    }
    const State b = rate(middle, moved(y, a, width / 2)), c = rate(middle, moved(y, b, width / 2)),
                d = rate(end, moved(y, c, width));
    for (std::size_t k = 0; k < 2; ++k) y[k] += width / 6 * (a[k] + 2 * (b[k] + c[k]) + d[k]);
    x = end;
    tidal_ = x;
  }
  mass_ *= 4 * pi;
}

double KingModel::depth(double x) const {
  if (x >= tidal_) return 0;
  if (x <= first) return W0_ - 1.5 * x * x;
  const double place = natural_log(x / first) / width;
  const auto k = static_cast<std::size_t>(place);
  if (k + 1 >= W_.size()) {  // outside the last node there is next to no mass
    return mass_ * 9 / (4 * pi) * (1 / x - 1 / tidal_);
  }
  const double t = place - static_cast<double>(k), s = 1 - t;  // Hermite's cubic
  return s * s * ((1 + 2 * t) * W_[k] + t * width * slope_[k]) +
         t * t * ((1 + 2 * s) * W_[k + 1] - s * width * slope_[k + 1]);
}

double KingModel::density(double x) const {
  return relative_density(depth(x)) / relative_density(W0_);
}

}  // namespace orrery::sim
