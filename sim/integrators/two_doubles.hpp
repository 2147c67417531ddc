// SPDX-License-Identifier: MIT
// Numbers of some 105 bits as unevaluated sums of two doubles, for coefficients whose rounding would accumulate.
#pragma once

namespace orrery::sim {

/// high + low, where high is the sum rounded to double. Dekker 1971, Numer. Math. 18, 224; the same bits everywhere,
/// since only sums and products of doubles are used.
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

}  // namespace orrery::sim
