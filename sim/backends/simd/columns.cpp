// SPDX-License-Identifier: MIT
#include "sim/backends/simd/columns.hpp"

#include <cmath>

#include "sim/backends/simd/lanes.hpp"
#include "sim/extremes.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using std::size_t;

void combine(double* target, const double* const* sources, const double* factors, size_t terms, size_t count) {
  using Real = Lanes<double>;
  for (size_t i = 0; i < count; i += width<double>) {
    const Real first = Real::load(sources[0] + i);
    Real sum = factors[0] == 1.0 ? first : Real(factors[0]) * first;
    for (size_t k = 1; k < terms; ++k) sum = fma(Real(factors[k]), Real::load(sources[k] + i), sum);
    sum.store(target + i);
  }
}

void add(double* total, const double* parts, size_t step, size_t number, bool from_zero, size_t count) {
  // Four independent chains of additions at a time.
  using Real = Lanes<double, 4>;
  constexpr size_t wide = 4 * width<double>;
  for (size_t i = 0; i < count; i += wide) {
    Real sum;
    if (!from_zero) sum = Real::load(total + i);
    for (size_t k = 0; k < number; ++k) sum = sum + Real::load(parts + k * step + i);
    sum.store(total + i);
  }
}

void respond(double* target, const double* sums, const double* target_factor, double unit, bool added, size_t count) {
  using Real = Lanes<double>;
  for (size_t i = 0; i < count; i += width<double>) {
    // +0 is the start of a sum over chunks, which turns −0 into +0.
    const Real sum = Real(unit) * (Real(0) + Real::load(sums + i)), s = Real::load(target_factor + i);
    Real a = added ? fma(s, sum, Real::load(target + i)) : s * sum;
    if (const size_t left = count - i; left < width<double>) {
      a.v[0] = hn::IfThenElseZero(hn::FirstN(Tag<double>(), left), a.v[0]);
    }
    a.store(target + i);
  }
}

/// to[k] ← function(x[k]); the last vector may be incomplete.
template <class Function>
HWY_INLINE void map(const double* x, double* to, size_t count, const Function& function) {
  using Real = Lanes<double>;
  size_t k = 0;
  for (; k + width<double> <= count; k += width<double>) function(Real::load(x + k)).store(to + k);
  if (k == count) return;
  HWY_ALIGN double last[width<double>] = {};
  for (size_t l = 0; k + l < count; ++l) last[l] = x[k + l];
  function(Real::load(last)).store(last);
  for (size_t l = 0; k + l < count; ++l) to[k + l] = last[l];
}

void inverse_roots(const double* x, double* to, size_t count) {
  map(
      x, to, count, [](Lanes<double> of) HWY_ATTR __attribute__((always_inline)) { return inverse_root(of); });
}
void inverse_cubes(const double* x, double* to, size_t count) {
  map(
      x, to, count, [](Lanes<double> of) HWY_ATTR __attribute__((always_inline)) { return inverse_cube(of); });
}

Conserved conserved(const ObservedState& m) {
  using Real = Lanes<double>;
  constexpr size_t w = width<double>, sums = 5;
  size_t padded = w;
  while (padded < m.n) padded *= 2;
  HWY_ALIGN double t[sums][sum_block > w ? sum_block : w];
  for (size_t i = 0; i < padded; i += w) {
    Real terms[sums];
    if (i < m.n) {
      const Real mass = Real::load(m.mass + i), half = Real(0.5) * mass;
      const Real x = Real::load(m.position[0] + i), y = Real::load(m.position[1] + i),
                 z = Real::load(m.position[2] + i);
      const Real vx = Real::load(m.velocity[0] + i), vy = Real::load(m.velocity[1] + i),
                 vz = Real::load(m.velocity[2] + i);
      const auto cross_component = [](Real a, Real b, Real c, Real d)
                                       HWY_ATTR { return fma(a, b, (Real(-1) * c) * d); };
      terms[0] = half * fma(vx, vx, fma(vy, vy, vz * vz));
      terms[1] = half * Real::load(m.potential + i);
      terms[2] = mass * cross_component(y, vz, z, vy);
      terms[3] = mass * cross_component(z, vx, x, vz);
      terms[4] = mass * cross_component(x, vy, y, vx);
      if (const size_t left = m.n - i; left < w) {
        for (Real& term : terms) term.v[0] = hn::IfThenElseZero(hn::FirstN(Tag<double>(), left), term.v[0]);
      }
    }
    for (size_t q = 0; q < sums; ++q) terms[q].store(t[q] + i);
  }
  for (size_t half = padded / 2; half >= w; half /= 2) {
    for (double* sum : t) {
      for (size_t k = 0; k < half; k += w) (Real::load(sum + k) + Real::load(sum + k + half)).store(sum + k);
    }
  }
  const auto total = [&](size_t q) HWY_ATTR {
    const double sum = tree(Tag<double>(), Real::load(t[q]).v[0]);
    return m.n < sum_block ? sum + 0.0 : sum;  // as in a tree of 256
  };
  return {total(0), total(1), {total(2), total(3), total(4)}};
}

template <bool is_periodic>
double closest(const double* const* position, size_t n, const double* periods) {
  using Real = Lanes<double, 2>;
  constexpr size_t w = 2 * width<double>;
  constexpr double none = HUGE_VAL;
  HWY_ALIGN double x[3][few_bodies + w];
  for (size_t q = 0; q < 3; ++q) {
    for (size_t i = 0; i < n + w; ++i) x[q][i] = i < n ? position[q][i] : none;
  }
  Real least(none);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; j += w) {
      Real r2;
      for (size_t q = 0; q < 3; ++q) {
        Real d = Real::load(x[q] + j) - Real(x[q][i]);
        if constexpr (is_periodic) {
          const double period = periods[q], half = period > 0 ? 0.5 * period : none;
          d = select(less(Real(half), d), d - Real(period), select(less(d, Real(-half)), d + Real(period), d));
        }
        r2 = q == 0 ? d * d : r2 + d * d;
      }
      least = select(less(r2, least), r2, least);  // not where r2 is NaN
    }
  }
  least.store(x[0]);
  double found = none;
  for (size_t k = 0; k < w; ++k) found = x[0][k] < found ? x[0][k] : found;
  return found;
}

double closest(const double* const* position, size_t n, const double* periods) {
  const bool is_periodic = periods[0] > 0 || periods[1] > 0 || periods[2] > 0;
  return is_periodic ? closest<true>(position, n, periods) : closest<false>(position, n, periods);
}

/// More than latency × units of current processors, as registers allow: AVX2 has 16, the others 32.
constexpr size_t chains = HWY_MAX_BYTES == 32 ? 12 : 16;

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

template <class T>
HWY_INLINE Vector<T> fused(Vector<T> a, Vector<T> x, Vector<T> b) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, x, b);
#else
  const hn::ScalableTag<T> tag;  // lane by lane, as in the pair loops
  HWY_ALIGN T p[HWY_LANES(T)], q[HWY_LANES(T)], r[HWY_LANES(T)];
  hn::Store(a, tag, p), hn::Store(x, tag, q), hn::Store(b, tag, r);
  for (size_t k = 0; k < HWY_LANES(T); ++k) r[k] = std::fma(p[k], q[k], r[k]);
  return hn::Load(tag, r);
#endif
}

template <class T>
double run_fma_chains(size_t rounds) {
  const hn::ScalableTag<T> tag;
  const Vector<T> a = hn::Set(tag, T(0.999)), b = hn::Set(tag, T(0.001));  // converges to 1
  Vector<T> x[chains];
  for (size_t k = 0; k < chains; ++k) x[k] = hn::Iota(tag, static_cast<T>(k));
  for (; rounds > 0; --rounds) {
    for (Vector<T>& chain : x) chain = fused<T>(a, chain, b);
  }
  for (size_t k = 1; k < chains; ++k) x[0] = hn::Add(x[0], x[k]);
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, x[0])));
}

template <class T>
constexpr FmaChains chains_of{.each_round = chains * HWY_LANES(T), .run = run_fma_chains<T>};

constexpr ColumnKernels all{.combine = combine,
                            .add = add,
                            .respond = respond,
                            .inverse_root = inverse_roots,
                            .inverse_cube = inverse_cubes,
                            .conserved = conserved,
                            .closest = closest,
                            .fma_in_double = chains_of<double>,
                            .fma_in_float = chains_of<float>};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::ColumnKernels& orrery::sim::simd::column_kernels(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
