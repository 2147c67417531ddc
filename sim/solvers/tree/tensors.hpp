// SPDX-License-Identifier: MIT
// Expansions in Cartesian tensors about two centres: one definition for SIMD lanes and CUDA threads, in the operations of
// sim/arithmetic.hpp; `Real` also needs a default constructor. A tensor of orders 0 … P is an array of size_of(P)
// components, numbered by `at`.
//
// All components are kept, not only the traceless part, so that every law that depends on the distance can be expanded,
// softened or not (Dehnen 2002, J. Comput. Phys. 179, 27). Each result is one chain of fused multiply-adds. Functions
// for a range of results, first … first + count − 1, let the caller choose how many chains run side by side.
#pragma once

#include <utility>

#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::tree {

/// The numbers 0 … count − 1, to unroll a loop at compile time.
template <int count>
using Upto = std::make_integer_sequence<int, count>;
template <int... i>
using Numbers = std::integer_sequence<int, i...>;

/// t_k = x^a/a! · y^b/b! · z^c/c! for the components k of orders 0 … P.
template <int P, class Real>
class Powers {
 public:
  ORRERY_EVERYWHERE explicit Powers(const Triple<Real>& d) { raise(d, Upto<P>()); }

  /// Factors with exponent 0 are 1 and left out.
  template <int k>
  [[nodiscard]] ORRERY_EVERYWHERE Real component() const {
    constexpr Index K = indices.of[k];
    if constexpr (K.n == 0) return Real(1.0);
    if constexpr (K.n == K.a) return x_[K.a];
    if constexpr (K.n == K.b) return y_[K.b];
    if constexpr (K.n == K.c) return z_[K.c];
    if constexpr (K.a == 0) return y_[K.b] * z_[K.c];
    if constexpr (K.b == 0) return x_[K.a] * z_[K.c];
    if constexpr (K.c == 0) return x_[K.a] * y_[K.b];
    return (x_[K.a] * y_[K.b]) * z_[K.c];
  }

 private:
  template <int... n>
  ORRERY_EVERYWHERE void raise(const Triple<Real>& d, Numbers<n...>) {
    (raise_to<n + 1>(d), ...);
  }
  template <int n>
  ORRERY_EVERYWHERE void raise_to(const Triple<Real>& d) {
    if constexpr (n == 1) {
      x_[1] = d.x, y_[1] = d.y, z_[1] = d.z;
    } else {
      const Real r(1.0 / n);
      x_[n] = x_[n - 1] * (d.x * r), y_[n] = y_[n - 1] * (d.y * r), z_[n] = z_[n - 1] * (d.z * r);
    }
  }

  Real x_[P + 1], y_[P + 1], z_[P + 1];  // [0] is not used
};

/// sum + a·b where `counts`, else sum.
template <bool counts, class Real>
ORRERY_EVERYWHERE Real add_if(Real a, Real b, Real sum) {
  if constexpr (counts) return fma(a, b, sum);
  return sum;
}

/// Moments of one more body: m_k ← m_k + w t_k, for t of centre − body.
template <int P, int k = 0, class Real>
ORRERY_EVERYWHERE void add_body(Real w, const Powers<P, Real>& t, Real* m) {
  if constexpr (k < size_of(P)) {
    m[k] = fma(w, t.template component<k>(), m[k]);
    add_body<P, k + 1>(w, t, m);
  }
}

ORRERY_EVERYWHERE constexpr bool at_most(Index j, Index k) {
  return j.a <= k.a && j.b <= k.b && j.c <= k.c;
}
/// The number of k − j, 0 if j is not at most k along each axis.
ORRERY_EVERYWHERE constexpr int difference_at(Index k, Index j) {
  return at_most(j, k) ? at(k.a - j.a, k.b - j.b, k.c - j.c) : 0;
}

template <int k, int P, class Real, class Moments, int... j>
ORRERY_EVERYWHERE Real shifted_moment(const Moments& m, const Powers<P, Real>& t, Numbers<j...>) {
  constexpr Index K = indices.of[k];
  Real sum(0.0);
  ((sum = add_if<at_most(indices.of[j], K)>(m[j], t.template component<difference_at(K, indices.of[j])>(), sum)), ...);
  return sum;
}
/// Component k of moments about another centre, Σ_j m_j t_(k−j) over the j of at most k along each axis, for t of new
/// centre − old centre. `m[j]` is a Real.
template <int k, int P, class Real, class Moments>
ORRERY_EVERYWHERE Real shifted_moment(const Moments& m, const Powers<P, Real>& t) {
  return shifted_moment<k>(m, t, Upto<k + 1>());
}

template <int k, int P, class Real, class Series, int... j>
ORRERY_EVERYWHERE Real shifted_series(const Series& l, const Powers<P, Real>& t, Numbers<j...>) {
  Real sum(0.0);
  ((sum = fma(l[sum_at(indices.of[k], indices.of[j])], t.template component<j>(), sum)), ...);
  return sum;
}
/// Component k of a series about another centre, Σ_j l_(k+j) t_j over the orders of j up to P − |k|, for t of new centre
/// − old centre. The component of order 0 about the place of a body is minus the potential there, those of order 1 are
/// the acceleration. `l[k]` is a Real.
template <int k, int P, class Real, class Series>
ORRERY_EVERYWHERE Real shifted_series(const Series& l, const Powers<P, Real>& t) {
  return shifted_series<k>(l, t, Upto<size_of(P - indices.of[k].n)>());
}

/// The first axis along which k is not 0, and the exponent there.
ORRERY_EVERYWHERE constexpr int axis_of(Index k) {
  return k.a > 0 ? 0 : k.b > 0 ? 1 : 2;
}
ORRERY_EVERYWHERE constexpr int exponent_of(Index k) {
  return k.a > 0 ? k.a : k.b > 0 ? k.b : k.c;
}
/// The number of k with that exponent less by `by`.
ORRERY_EVERYWHERE constexpr int lowered_at(Index k, int by) {
  const int axis = axis_of(k);
  return at(k.a - (axis == 0 ? by : 0), k.b - (axis == 1 ? by : 0), k.c - (axis == 2 ? by : 0));
}

/// Component k of the derivatives of one order more, from the lower ones of the step before.
template <int k, class Real>
ORRERY_EVERYWHERE Real raised(const Triple<Real>& d, const Real* of) {
  constexpr Index K = indices.of[k];
  constexpr int axis = axis_of(K), n = exponent_of(K), below = lowered_at(K, 1);
  const Real along = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
  if constexpr (n == 1) {
    return along * of[below];
  } else {
    constexpr int second = lowered_at(K, 2);
    if constexpr (n == 2) return fma(along, of[below], of[second]);
    return fma(along, of[below], Real(n - 1.0) * of[second]);
  }
}
template <int order, class Real, int... i>
ORRERY_EVERYWHERE void raise(const Triple<Real>& d, Real lowest, Real* of, Numbers<i...>) {
  // From the highest component down, since each needs lower ones of the step before.
  ((of[size_of(order) - 1 - i] = raised<size_of(order) - 1 - i>(d, of)), ...);
  of[0] = lowest;
}
template <int P, class Real, int... step>
ORRERY_EVERYWHERE void derivatives(const Triple<Real>& d, const Real* f, Real* of, Numbers<step...>) {
  of[0] = f[P];
  (raise<step + 1>(d, f[P - 1 - step], of, Upto<size_of(step + 1) - 1>()), ...);
}
/// The partial derivatives of orders 0 … P of a function of r² = d·d + const at d, from its radial sequence f_0 … f_P,
/// f_m = ((1/r) d/dr)^m f_0 (McMurchie & Davidson 1978): each step raises the order by one.
template <int P, class Real>
ORRERY_EVERYWHERE void derivatives(const Triple<Real>& d, const Real* f, Real* of) {
  derivatives<P>(d, f, of, Upto<P>());
}

template <int first, bool dipoles, int j, class Real, class Moments, int... i>
ORRERY_EVERYWHERE void meet_component(const Moments& m, const Real* d, Real* l, Numbers<i...>) {
  constexpr Index J = indices.of[j];
  if constexpr (J.n != 1 || dipoles) {
    const Real moment = m[j];
    ((l[i] = fma(moment, d[sum_at(indices.of[first + i], J)], l[i])), ...);
  }
}
template <int first, int count, bool dipoles, class Real, class Moments, int... j>
ORRERY_EVERYWHERE void contract(const Moments& m, const Real* d, Real* l, Numbers<j...>) {
  (meet_component<first, dipoles, j>(m, d, l, Upto<count>()), ...);
}
/// Adds the effect of moments m on components k = first … first + count − 1, of one order, of a series to order P: l[k −
/// first] increases by Σ_j m_j d_(k+j), j ascending, over the orders of j up to P − |k|; without order 1 unless
/// `dipoles`, since there are none about a centre of mass. d: derivatives at target centre − source centre. `m[j]` is a
/// Real.
template <int P, int first, int count, bool dipoles, class Real, class Moments>
ORRERY_EVERYWHERE void contract(const Moments& m, const Real* d, Real* l) {
  constexpr int order = indices.of[first].n;
  static_assert(indices.of[first + count - 1].n == order);
  contract<first, count, dipoles>(m, d, l, Upto<size_of(P - order)>());
}

}  // namespace orrery::sim::tree
