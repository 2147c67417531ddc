// SPDX-License-Identifier: MIT
// The functions of Stumpff, in which Kepler's equation is the same for every conic.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "sim/two_doubles.hpp"

namespace orrery::sim {

/// c_k(z) = Σ (−z)ⁿ/(k + 2n)!, k = 0 … 3: for z = x² > 0 these are cos x, sin x/x, (1 − cos x)/x², (x − sin x)/x³, for
/// z = −x² the same with cosh and sinh, for z = 0 they are 1/k!.
template <class Real>
struct Stumpff {
  Real c0, c1, c2, c3;
};

namespace stumpff_series {
inline constexpr std::size_t terms = 12;
/// 1/(2 + k)!
inline constexpr auto coefficients = [] {
  std::array<TwoDoubles, 2 * terms> inverse = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<TwoDoubles, sizeof...(k)>{(static_cast<void>(k), TwoDoubles(0.5))...};
  }
  (std::make_index_sequence<2 * terms>());
  for (std::size_t k = 1; k < inverse.size(); ++k) inverse[k] = inverse[k - 1] / static_cast<double>(k + 2);
  return inverse;
}();
}  // namespace stumpff_series

/// `Real` is double or TwoDoubles. Errors are a few units in the last place for |z| < 1 and grow as √|z| beyond (Stumpff
/// 1959, Himmelsmechanik I; series for small arguments, which are then quadrupled).
template <class Real>
Stumpff<Real> stumpff(Real z) {
  constexpr bool plain = std::is_same_v<Real, double>;
  const auto high = [](Real x) {
    if constexpr (plain) {
      return x;
    } else {
      return x.high;
    }
  };
  const auto coefficient = [](std::size_t k) -> Real {
    if constexpr (plain) {
      return stumpff_series::coefficients[k].high;
    } else {
      return stumpff_series::coefficients[k];
    }
  };
  int quadruplings = 0;
  for (; quadruplings < 600 && (high(z) > 0.1 || high(z) < -0.1); ++quadruplings) z = z * 0.25;
  constexpr std::size_t count = plain ? 7 : stumpff_series::terms;
  Real c2 = coefficient(2 * count - 2), c3 = coefficient(2 * count - 1);
  for (std::size_t k = count - 1; k-- > 0;) {
    c2 = coefficient(2 * k) - z * c2;
    c3 = coefficient(2 * k + 1) - z * c3;
  }
  Real c0 = Real(1.0) - z * c2, c1 = Real(1.0) - z * c3;
  for (; quadruplings > 0; --quadruplings) {
    c3 = (c2 + c0 * c3) * 0.25;
    c2 = c1 * c1 * 0.5;
    c1 = c0 * c1;
    c0 = Real(2.0) * c0 * c0 - Real(1.0);
  }
  return {c0, c1, c2, c3};
}

}  // namespace orrery::sim
