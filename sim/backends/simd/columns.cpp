// SPDX-License-Identifier: MIT
#include "sim/backends/simd/columns.hpp"

#include "sim/backends/simd/lanes.hpp"
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

void respond(double* target, const double* sums, const double* response, double unit, bool added, size_t count) {
  using Real = Lanes<double>;
  for (size_t i = 0; i < count; i += width<double>) {
    // +0 is the start of a sum over chunks, which turns −0 into +0.
    const Real sum = Real(unit) * (Real(0) + Real::load(sums + i)), s = Real::load(response + i);
    Real a = added ? fma(s, sum, Real::load(target + i)) : s * sum;
    if (const size_t left = count - i; left < width<double>) {
      a.v[0] = hn::IfThenElseZero(hn::FirstN(Tag<double>(), left), a.v[0]);
    }
    a.store(target + i);
  }
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
      const auto moment = [](Real a, Real b, Real c, Real d) HWY_ATTR { return fma(a, b, (Real(-1) * c) * d); };
      terms[0] = half * fma(vx, vx, fma(vy, vy, vz * vz));
      terms[1] = half * Real::load(m.potential + i);
      terms[2] = mass * moment(y, vz, z, vy);
      terms[3] = mass * moment(z, vx, x, vz);
      terms[4] = mass * moment(x, vy, y, vx);
      if (const size_t left = m.n - i; left < w) {
        for (Real& term : terms) term.v[0] = hn::IfThenElseZero(hn::FirstN(Tag<double>(), left), term.v[0]);
      }
    }
    for (size_t q = 0; q < sums; ++q) terms[q].store(t[q] + i);
  }
  for (size_t half = padded / 2; half >= w; half /= 2) {
    for (size_t q = 0; q < sums; ++q) {
      for (size_t k = 0; k < half; k += w) (Real::load(t[q] + k) + Real::load(t[q] + k + half)).store(t[q] + k);
    }
  }
  const auto total = [&](size_t q) HWY_ATTR {
    const double sum = tree(Tag<double>(), Real::load(t[q]).v[0]);
    return m.n < sum_block ? sum + 0.0 : sum;  // as in a tree of 256
  };
  return {total(0), total(1), {total(2), total(3), total(4)}};
}

constexpr ColumnKernels all{.combine = combine, .add = add, .respond = respond, .conserved = conserved};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::ColumnKernels& orrery::sim::simd::column_kernels(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
