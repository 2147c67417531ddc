// SPDX-License-Identifier: MIT
// The radial sequence of a power law: all that expansions know of it.
#pragma once

#include "sim/elementary.hpp"
#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::tree {

/// y^k as the product of those of y, y², y⁴, y⁸ whose bits are set in k, from the lowest; k ≥ 1.
template <class Real>
ORRERY_EVERYWHERE Real power(Real y, int k) {
  for (; (k & 1) == 0; k /= 2) y = y * y;
  Real product = y;
  while (k > 1) {
    k /= 2, y = y * y;
    if ((k & 1) != 0) product = product * y;
  }
  return product;
}

/// f_0 … f_P at r2 = r² + ε² for c = r^−(n+1): f_0 = −u, f_1 = −c and f_(m+1) = (1/r) f_m′. Without the potential f_0 is
/// not computed.
template <int P, bool potential, class Real>
ORRERY_EVERYWHERE void radial_sequence(Real r2, int n, Real* f) {
  const Real y = inverse_root(r2), y2 = y * y;
  f[0] = Real(0.0);
  if constexpr (potential) {
    f[0] = n == 1 ? Real(-0.5) * natural_log(r2) : n == 2 ? y : Real(1.0 / (n - 1)) * power(y, n - 1);
  }
  f[1] = Real(0.0) - (n == 2 ? y * y2 : power(y, n + 1));
  for (int m = 1; m < P; ++m) f[m + 1] = f[m] * (y2 * Real(static_cast<double>(1 - n - 2 * m)));
}

}  // namespace orrery::sim::tree
