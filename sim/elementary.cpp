// SPDX-License-Identifier: MIT
#include "sim/elementary.hpp"

#include <cmath>
#include <cstddef>
#include <span>

#include "sim/scalar.hpp"

namespace orrery::sim {
namespace {

/// c[0] + x (c[1] + x (c[2] + …)).
double polynomial(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = std::fma(sum, x, c[k]);
  return sum;
}

}  // namespace

double natural_log(double x) {
  return natural_log(Scalar(x)).value;
}

double exponential(double x) {
  return exponential(Scalar(x)).value;
}

Direction direction(double turns) {
  const int quarter = static_cast<int>(4 * turns + 0.5);
  const double angle = (turns - 0.25 * quarter) * 6.28318530717958648, a2 = angle * angle;  // |angle| ≤ π/4
  static constexpr double in_sine[] = {-1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
                                       -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  static constexpr double in_cosine[] = {1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
                                         1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
  const double sine = std::fma(angle * a2, polynomial(in_sine, a2), angle);
  const double cosine = 1 - std::fma(-(a2 * a2), polynomial(in_cosine, a2), 0.5 * a2);
  switch (quarter % 4) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

Direction normal_pair(double u, double v) {
  const double length = std::sqrt(-2 * natural_log(u));
  const Direction d = direction(v);
  return {length * d.cosine, length * d.sine};
}

}  // namespace orrery::sim
