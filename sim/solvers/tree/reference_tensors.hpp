// SPDX-License-Identifier: MIT
// Canonical sums and tensors, written for clarity. Shares no code with other backends.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery::sim::tree::reference {

using Vector = std::array<double, 3>;
using Tensor = std::vector<double>;

/// A canonical sum: term number i goes to partial sum i mod 8.
struct Partial {
  double sums[8] = {};
  std::size_t terms = 0;

  void add(double a, double b) {
    double& t = sums[terms++ % 8];
    t = std::fma(a, b, t);
  }
  [[nodiscard]] double fold() const {
    const auto& t = sums;
    return ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
  }
};

/// The components of tensors up to an order.
class Components {
 public:
  struct Exponents {
    int a, b, c;
    [[nodiscard]] int order() const { return a + b + c; }
  };

  explicit Components(int order) : order_(order) {
    for (int n = 0; n <= order; ++n) {
      for (int t = 0; t <= n; ++t) {
        for (int c = 0; c <= t; ++c) all_.push_back({n - t, t - c, c});
      }
    }
    const auto side = static_cast<std::size_t>(order) + 1;
    number_.assign(side * side * side, 0);
    for (std::size_t k = 0; k < all_.size(); ++k) number_[place(all_[k])] = k;
  }
  [[nodiscard]] int order() const { return order_; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] Exponents operator[](std::size_t k) const { return all_[k]; }
  [[nodiscard]] std::size_t number(Exponents k) const { return number_[place(k)]; }

  [[nodiscard]] Tensor powers(const Vector& d) const {
    std::array<std::vector<double>, 3> of;
    for (std::size_t q = 0; q < 3; ++q) {
      of[q] = {1, d[q]};
      for (int n = 2; n <= order_; ++n) of[q].push_back(of[q].back() * (d[q] * (1.0 / n)));
    }
    Tensor t;
    for (const auto [a, b, c] : all_) {
      t.push_back(of[0][static_cast<std::size_t>(a)] * of[1][static_cast<std::size_t>(b)] *
                  of[2][static_cast<std::size_t>(c)]);
    }
    return t;
  }

  /// Σ m_j t_(k−j)
  [[nodiscard]] double shifted_moment(const Tensor& m, const Tensor& t, std::size_t k) const {
    double sum = 0;
    const auto [a, b, c] = all_[k];
    for (std::size_t j = 0; j <= k; ++j) {
      const Exponents e = all_[j];
      if (e.a <= a && e.b <= b && e.c <= c) sum = std::fma(m[j], t[number({a - e.a, b - e.b, c - e.c})], sum);
    }
    return sum;
  }

  /// Σ l_(k+j) t_j
  [[nodiscard]] double shifted_series(const Tensor& l, const Tensor& t, std::size_t k) const {
    double sum = 0;
    for (std::size_t j = 0; j < all_.size() && all_[j].order() + all_[k].order() <= order_; ++j)
      sum = std::fma(l[sum_of(k, j)], t[j], sum);
    return sum;
  }

  /// Derivatives at d from the radial sequence.
  [[nodiscard]] Tensor derivatives(const Vector& d, const std::vector<double>& f) const {
    Tensor of(all_.size());
    of[0] = f.back();
    for (int step = 1; step <= order_; ++step) {
      Tensor next(all_.size());
      next[0] = f[static_cast<std::size_t>(order_ - step)];
      for (std::size_t k = 1; k < all_.size() && all_[k].order() <= step; ++k) {
        const std::array<int, 3> exponent{all_[k].a, all_[k].b, all_[k].c};
        const std::size_t axis = exponent[0] > 0 ? 0 : exponent[1] > 0 ? 1 : 2;
        const auto lower = [&](int by) {
          auto e = exponent;
          e[axis] -= by;
          return of[number({e[0], e[1], e[2]})];
        };
        const int n = exponent[axis];
        next[k] = n == 1   ? d[axis] * lower(1)
                  : n == 2 ? std::fma(d[axis], lower(1), lower(2))
                           : std::fma(d[axis], lower(1), (n - 1) * lower(2));
      }
      of = next;
    }
    return of;
  }

  [[nodiscard]] std::size_t sum_of(std::size_t k, std::size_t j) const {
    return number({all_[k].a + all_[j].a, all_[k].b + all_[j].b, all_[k].c + all_[j].c});
  }

 private:
  [[nodiscard]] std::size_t place(Exponents k) const {
    const int side = order_ + 1, number = (k.a * side + k.b) * side + k.c;
    return static_cast<std::size_t>(number);
  }

  int order_;
  std::vector<Exponents> all_;
  std::vector<std::size_t> number_;
};

}  // namespace orrery::sim::tree::reference
