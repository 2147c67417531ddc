// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace orrery::sim {

/// high + low, where high is the sum rounded to double. Dekker 1971, Numer. Math. 18, 224; the same bits everywhere,
/// since only sums, products, quotients and roots of doubles are used. Relative errors are below 2⁻¹⁰⁰.
struct TwoDoubles {
  double high, low = 0;
  constexpr TwoDoubles(double x) : high(x) {}
  constexpr TwoDoubles(double h, double l) : high(h), low(l) {}

  /// a + b exactly; |a| ≥ |b|.
  static constexpr TwoDoubles ordered_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }
  /// a + b exactly.
  static constexpr TwoDoubles sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
  }
  /// a·b exactly, by halves of 26 bits; |a|, |b| < 2⁹⁹⁵.
  static constexpr TwoDoubles product(double a, double b) {
    constexpr double splitter = 0x1p27 + 1;
    const double a1 = splitter * a - (splitter * a - a), a2 = a - a1;
    const double b1 = splitter * b - (splitter * b - b), b2 = b - b1;
    const double ab = a * b;
    return {ab, ((a1 * b1 - ab) + a1 * b2 + a2 * b1) + a2 * b2};
  }

  friend constexpr TwoDoubles operator+(TwoDoubles a, TwoDoubles b) {
    const TwoDoubles s = sum(a.high, b.high);
    return ordered_sum(s.high, s.low + (a.low + b.low));
  }
  friend constexpr TwoDoubles operator-(TwoDoubles a) { return {-a.high, -a.low}; }
  friend constexpr TwoDoubles operator-(TwoDoubles a, TwoDoubles b) { return a + TwoDoubles{-b.high, -b.low}; }
  friend constexpr TwoDoubles operator*(TwoDoubles a, TwoDoubles b) {
    const TwoDoubles p = product(a.high, b.high);
    return ordered_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }
  friend constexpr TwoDoubles operator/(TwoDoubles a, TwoDoubles b) {
    const double q = a.high / b.high;
    const TwoDoubles left = a - TwoDoubles(q) * b;
    return ordered_sum(q, left.high / b.high);
  }
};

/// √x for x ≥ 0: the rounded root, corrected by a step of Newton's method.
inline TwoDoubles square_root(TwoDoubles x) {
  const double root = std::sqrt(x.high);
  if (!(root > 0)) return root;
  return TwoDoubles::ordered_sum(root, (x - TwoDoubles::product(root, root)).high / (2 * root));
}

}  // namespace orrery::sim
