// SPDX-License-Identifier: MIT
// The weights of Gauss-Radau quadrature with eight nodes, computed at compile time.
#pragma once

#include <array>
#include <cstddef>

#include "sim/two_doubles.hpp"

namespace orrery::sim {

/// The acceleration in a step, a(h) for 0 ≤ h ≤ 1, is the polynomial of degree 7 with the values a₀ at h = 0 and
/// a₀ + d₁, …, a₀ + d₇ at the seven nodes: a(h) = a₀ + Σ d_m L_m(h) with Lagrange polynomials L_m.
struct GaussRadau {
  static constexpr std::size_t nodes = 7;
  template <class Number>
  using Each = std::array<Number, nodes>;

  Each<TwoDoubles> node;     ///< h₁ … h₇
  Each<Each<double>> inner;  ///< inner[n][m] = ∫₀^(h of n) ∫ L_m: contribution of d_m to the position at node n
  /// ∫₀¹ L_m and ∫₀¹∫ L_m: the contributions of d_m to velocity and position at the end. In two doubles, since their
  /// error is the same in every step and would accumulate to a drift.
  Each<TwoDoubles> velocity, position;
  /// The coefficient of h⁷ in L_m: Σ last[m] d_m is b₆ of Rein & Spiegel.
  Each<double> last;
};

constexpr GaussRadau make_gauss_radau() {
  // The zeros of (P₇(x) + P₈(x))/(1 + x) with x = 2h − 1. Quadrature with them and h = 0 is exact to degree 14.
  GaussRadau g{.node = {{{0x1.cce7242fd9812p-5, -0x1.522f25f43ade2p-59},
                         {0x1.7122082358d27p-3, 0x1.1d7535c009610p-58},
                         {0x1.6916742f0c9c5p-2, 0x1.7c5702b0f6463p-56},
                         {0x1.18248525f4802p-1, -0x1.5907413ac0dd1p-55},
                         {0x1.77ea65770fa49p-1, 0x1.9e2ea4da067b9p-55},
                         {0x1.c548c982467cdp-1, -0x1.9aca9c0281863p-56},
                         {0x1.f47d94f4d2bb2p-1, 0x1.964928ea06111p-59}}},
               .inner = {},
               .velocity = {{0, 0, 0, 0, 0, 0, 0}},
               .position = {{0, 0, 0, 0, 0, 0, 0}},
               .last = {}};
  for (std::size_t m = 0; m < GaussRadau::nodes; ++m) {
    // L_m = Σ_k c[k] h^(k + 1) = h/h_m Π_j (h − h_j)/(h_m − h_j) over the others.
    std::array<TwoDoubles, 7> c{TwoDoubles(1) / g.node[m], 0, 0, 0, 0, 0, 0};
    for (std::size_t j = 0; j < GaussRadau::nodes; ++j) {
      if (j == m) continue;
      const TwoDoubles unit = TwoDoubles(1) / (g.node[m] - g.node[j]);
      for (std::size_t k = c.size(); k-- > 0;) c[k] = ((k > 0 ? c[k - 1] : 0) - g.node[j] * c[k]) * unit;
    }
    /// Σ c[k] h^(k+1) divided by (k + 2) for one integral, by (k + 2)(k + 3) for two.
    const auto integral = [&](TwoDoubles h, bool twice) {
      TwoDoubles sum = 0, power = twice ? h * h * h : h * h;
      for (std::size_t k = 0; k < c.size(); ++k) {
        const double n = static_cast<double>(k) + 2;
        sum = sum + c[k] * power / TwoDoubles(twice ? n * (n + 1) : n);
        power = power * h;
      }
      return sum;
    };
    for (std::size_t n = 0; n < GaussRadau::nodes; ++n) g.inner[n][m] = integral(g.node[n], true).high;
    g.velocity[m] = integral(1, false);
    g.position[m] = integral(1, true);
    g.last[m] = c[6].high;
  }
  return g;
}

inline constexpr GaussRadau gauss_radau = make_gauss_radau();

}  // namespace orrery::sim
