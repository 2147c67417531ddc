// SPDX-License-Identifier: MIT
// The expansions of the tree, each part against an independent formula.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/scalar.hpp"
#include "sim/solvers/tree/radial.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::testing {
namespace {

using tree::at;
using tree::indices;
using tree::size_of;

/// A Scalar that arrays can hold before it has a value.
struct Number : Scalar {
  Number() : Scalar(0) {}
  explicit Number(double x) : Scalar(x) {}
  Number(Scalar x) : Scalar(x) {}  // NOLINT: results of the operations
};
Number operator+(Number a, Number b) {
  return Scalar(a) + Scalar(b);
}
Number operator-(Number a, Number b) {
  return Scalar(a) - Scalar(b);
}
Number operator*(Number a, Number b) {
  return Scalar(a) * Scalar(b);
}
Number operator/(Number a, Number b) {
  return Scalar(a) / Scalar(b);
}
Number fma(Number a, Number b, Number c) {
  return fma(Scalar(a), Scalar(b), Scalar(c));
}
Number nfma(Number a, Number b, Number c) {
  return nfma(Scalar(a), Scalar(b), Scalar(c));
}
Number inverse_root_seed(Number r2) {
  return inverse_root_seed(Scalar(r2));
}
Split<Number> split(Number x) {
  const auto [significand, exponent] = split(Scalar(x));
  return {significand, exponent};
}

constexpr int P = 6;
constexpr int size = size_of(P);
using Place = Triple<Number>;

Place place(double x, double y, double z) {
  return {Number(x), Number(y), Number(z)};
}

template <int... k>
std::vector<double> moments_of(const std::vector<std::pair<double, Place>>& bodies, const Place& centre,
                               tree::Numbers<k...>) {
  Number m[size];
  for (const auto& [w, x] : bodies) {
    const tree::Powers<P, Number> t(Place{centre.x - x.x, centre.y - x.y, centre.z - x.z});
    tree::add_body<P>(Number(w), t, m);
  }
  return {m[k].value...};
}

template <int... k>
std::vector<double> all_of_moments(const Number* m, const tree::Powers<P, Number>& t, tree::Numbers<k...>) {
  return {tree::shifted_moment<k>(m, t).value...};
}
template <int... k>
std::vector<double> all_of_series(const Number* l, const tree::Powers<P, Number>& t, tree::Numbers<k...>) {
  return {tree::shifted_series<k>(l, t).value...};
}

/// All components of a series from moments at a distance.
template <int order>
void contract_from(const Number* m, const Number* d, Number* l) {
  if constexpr (order <= P) {
    constexpr int first = order == 0 ? 0 : size_of(order - 1);
    tree::contract<P, first, size_of(order) - first, true>(m, d, l + first);
    contract_from<order + 1>(m, d, l);
  }
}

const std::vector<std::pair<double, Place>> some = {{0.7, place(0.3, -0.21, 0.4)},
                                                    {-0.45, place(-0.37, 0.11, 0.05)},
                                                    {1.3, place(0.02, 0.33, -0.29)},
                                                    {0.2, place(-0.11, -0.4, -0.13)}};

/// Moments that are shifted are those of the bodies about the new centre.
TEST(TreeTensors, MomentsShift) {
  const Place old = place(0.05, -0.02, 0.03), now = place(-0.6, 0.45, 0.8);
  const auto before = moments_of(some, old, tree::Upto<size>()), expected = moments_of(some, now, tree::Upto<size>());
  Number m[size];
  for (std::size_t k = 0; k < before.size(); ++k) m[k] = Number(before[k]);
  const tree::Powers<P, Number> t(Place{now.x - old.x, now.y - old.y, now.z - old.z});
  const auto found = all_of_moments(m, t, tree::Upto<size>());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-14) << k;
}

/// A series about another centre is the same polynomial.
TEST(TreeTensors, SeriesShift) {
  Number l[size];
  for (int k = 0; k < size; ++k) l[k] = Number(std::sin(1.7 * k + 0.3));
  const auto value = [](const Number* of, double x, double y, double z) {
    double sum = 0;
    for (int k = 0; k < size; ++k) {
      const auto [a, b, c, n] = indices.of[k];
      sum += of[k].value * std::pow(x, a) * std::pow(y, b) * std::pow(z, c) /
             (std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1));
    }
    return sum;
  };
  const auto shifted = all_of_series(l, tree::Powers<P, Number>(place(0.4, -0.7, 0.25)), tree::Upto<size>());
  Number now[size];
  for (int k = 0; k < size; ++k) now[k] = Number(shifted[static_cast<std::size_t>(k)]);
  for (const double s : {-0.8, 0.13, 0.9}) {
    EXPECT_NEAR(value(now, s, 0.3 - s, 0.7 * s), value(l, s + 0.4, -0.4 - s, 0.7 * s + 0.25), 1e-13);
  }
}

/// Taylor coefficients of (r² + ε²)^(−s/2) obey n R² b_k = Σ_i (2n + s − 2) x_i (−1) b_(k−e_i) − (n + s − 2) b_(k−2e_i), for the
/// variable −x: Duan & Krasny 2001, J. Comput. Chem. 22, 184. A relative error of 1e-4 in any one would be seen.
TEST(TreeTensors, DerivativesObeyTheirRecurrence) {
  for (const int exponent : {2, 3, 5, 8}) {
    for (const double eps2 : {0.0, 0.3}) {
      const double x[3] = {0.9, -1.3, 0.55};
      const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + eps2;
      Number f[P + 1], d[size];
      tree::radial_sequence<P, true>(Number(r2), exponent, f);
      tree::derivatives<P>(place(x[0], x[1], x[2]), f, d);
      const int s = exponent - 1;
      std::vector<double> b(static_cast<std::size_t>(size));
      b[0] = std::pow(r2, -0.5 * s) / s;
      EXPECT_NEAR(d[0].value, b[0], 1e-15 * std::abs(b[0]));
      for (int k = 1; k < size; ++k) {
        const int e[3] = {indices.of[k].a, indices.of[k].b, indices.of[k].c}, n = indices.of[k].n;
        double sum = 0, factorials = 1;
        for (int q = 0; q < 3; ++q) {
          const auto lower = [&](int by) {
            int less[3] = {e[0], e[1], e[2]};
            less[q] -= by;
            return less[q] < 0 ? 0.0 : b[static_cast<std::size_t>(at(less[0], less[1], less[2]))];
          };
          sum -= (2 * n + s - 2) * x[q] * lower(1) + (n + s - 2) * lower(2);
          factorials *= std::tgamma(e[q] + 1);
        }
        b[static_cast<std::size_t>(k)] = sum / (n * r2);
        const double expected = b[static_cast<std::size_t>(k)] * factorials;
        const double size_of_order = std::pow(r2, -0.5 * (s + n)) * std::tgamma(s + n + 1);
        EXPECT_NEAR(d[k].value, expected, 2e-12 * size_of_order) << k;
        if (std::abs(expected) < 1e-3 * size_of_order) continue;
        EXPECT_GT(std::abs(1.0001 * d[k].value - expected), 2e-12 * size_of_order) << k;
      }
    }
  }
}

/// The effect of a cell on a distant one: its error falls as (r/d)^(P + 1), as that of a series to order P.
TEST(TreeTensors, ErrorFallsWithTheDistance) {
  const auto error = [](double distance) {
    const Place source = place(0, 0, 0), target = place(0.6 * distance, -0.64 * distance, 0.48 * distance);
    Number m[size], f[P + 1], d[size], l[size];
    const auto moments = moments_of(some, source, tree::Upto<size>());
    for (int k = 0; k < size; ++k) m[k] = Number(moments[static_cast<std::size_t>(k)]);
    const double r2 =
        target.x.value * target.x.value + target.y.value * target.y.value + target.z.value * target.z.value;
    tree::radial_sequence<P, true>(Number(r2), 2, f);
    tree::derivatives<P>(target, f, d);
    contract_from<0>(m, d, l);
    const tree::Powers<P, Number> t(place(0.31, 0.17, -0.22));
    const double found = tree::shifted_series<0>(l, t).value;
    double expected = 0;
    for (const auto& [w, x] : some) {
      expected += w / std::hypot(target.x.value + 0.31 - x.x.value, target.y.value + 0.17 - x.y.value,
                                 target.z.value - 0.22 - x.z.value);
    }
    return std::abs(found - expected) * distance;
  };
  for (const double distance : {4.0, 6.0, 9.0}) {
    const double slope = std::log2(error(distance) / error(2 * distance));
    EXPECT_GT(slope, P + 0.2) << distance;
    EXPECT_LT(slope, P + 2.5) << distance;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
