// SPDX-License-Identifier: MIT
// The pair loops in the canonical order, for the SIMD target that ORRERY_SIMD_TARGET names.
#include "sim/backends/simd/kernels.hpp"

#include <algorithm>
#include <type_traits>

#include "sim/backends/simd/bodies.hpp"
#include "sim/forces/list.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using std::size_t;

template <class P>
double softening2_of(const Field& f) {
  return P::floats ? f.softening2 * f.length * f.length : f.softening2;
}

/// `count` bodies from j on, in a tile, act on V vectors of bodies from i on, one body after the other; `first` says
/// that nobody acted on them before.
template <class Law, class P, Wanted wanted, size_t V>
HWY_INLINE void column(const Law& law, const Field& f, const Tile<P, wanted>& tile, size_t j, size_t count, size_t i,
                       SumsView on, bool first) {
  using T = typename P::T;
  using Real = Lanes<T, V, P::exact_root>;
  constexpr size_t wide = V * width<T>;
  Places<P, wanted, wide> places;
  places.bring(f, i, wide);
  const auto x = Point<P, V>::load(places.x, 0);
  // Where bodies i are in the tile; before it they count from below zero.
  const double offset = i < j ? -static_cast<double>(j - i) : static_cast<double>(i - j);
  Real index, sum[sums_of(wanted)];
  for (size_t v = 0; v < V; ++v) {
    index.v[v] = hn::Iota(Tag<T>(), static_cast<T>(offset + static_cast<double>(v * width<T>)));
    if (P::floats || first) continue;
    for (size_t q = 0; q < sums_of(wanted); ++q) {
      if constexpr (!P::floats) sum[q].v[v] = hn::LoadU(Tag<T>(), on.values + q * on.stride + v * width<T>);
    }
  }
  const Real softening2(softening2_of<P>(f));
  const auto meet = [&](size_t k, auto is_among_i) HWY_ATTR __attribute__((always_inline)) {
    const Triple<Real> d = Point<P, V>::of_one(tile.places.x, k) - x;
    const Real wj(hn::Set(Tag<T>(), tile.places.w[k]));
    const Real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, softening2)));
    // A body does not meet itself: masked after the law, since 0 · ∞ would be NaN.
    const auto met = [&](Real value) HWY_ATTR {
      if constexpr (is_among_i) return unless_equal(index, static_cast<double>(k), value);
      return value;
    };
    const auto add = [&](size_t q, const Triple<Real>& g, Real s) HWY_ATTR {
      sum[q] = fma(g.x, s, sum[q]), sum[q + 1] = fma(g.y, s, sum[q + 1]), sum[q + 2] = fma(g.z, s, sum[q + 2]);
    };
    const Real c = met(law.c(r2));
    add(0, d, wj * c);
    if constexpr (wanted == Wanted::potential) sum[3] = fma(wj, met(law.u(r2)), sum[3]);
    if constexpr (wanted == Wanted::jerk) {
      const Triple<Real> v = Point<P, V>::of_one(tile.places.v, k) - Point<P, V>::load(places.v, 0);
      add(3, rate_of_change(d, v, c, met(law.slope(r2))), wj);
    }
  };
  const size_t from = std::clamp(i, j, j + count) - j, to = std::clamp(i + wide, j, j + count) - j;
  for (size_t k = 0; k < from; ++k) meet(k, std::false_type());
  for (size_t k = from; k < to; ++k) meet(k, std::true_type());
  for (size_t k = to; k < count; ++k) meet(k, std::false_type());
  HWY_ALIGN T kept[wide];
  for (size_t q = 0; q < sums_of(wanted); ++q) {
    sum[q].store(kept);
    for (size_t v = 0; v < wide; v += width<T>) settle(on.values + q * on.stride + v, kept + v, !P::floats || first);
  }
}

template <class Law, class P, Wanted wanted>
void within(const Field& f, size_t begin, size_t end, SumsView on) {
  constexpr size_t wide = width<typename P::T>;
  const Law law(f.number);
  Tile<P, wanted> tile;
  // Sums in float stay short: that is what their error grows with.
  constexpr size_t at_once = P::floats ? group_size : tile_size;
  for (size_t j = begin; j < end; j += at_once) {
    const size_t count = std::min(at_once, end - j);
    tile.places.bring(f, j, count);
    size_t i = begin;
    const auto act = [&](auto vectors) HWY_ATTR {
      column<Law, P, wanted, vectors>(law, f, tile, j, count, i, {on.values + (i - begin), on.stride}, j == begin);
      i += vectors * wide;
    };
    // The scalar target calls the library for each fma: wider columns gain nothing there and take long to compile.
    if constexpr (HWY_TARGET != HWY_SCALAR) {
      while (i + 3 * wide < end) act(std::integral_constant<size_t, 4>());
      while (i + wide < end) act(std::integral_constant<size_t, 2>());
    }
    while (i < end) act(std::integral_constant<size_t, 1>());
  }
}

/// All 32 rotations of one group against a tile; `whole` says that every j of the group is a body.
template <class Law, class P, Wanted wanted, bool whole>
HWY_INLINE void rotate(const Law& law, Tile<P, wanted>& tile, Group<P, wanted>& group, double softening) {
  using T = typename P::T;
  using Real = Lanes<T, 1, P::exact_root>;
  const Real softening2(softening);
  for (size_t t = 0; t < group_size; ++t) {
    group.carry(t);
    for (size_t lane = 0; lane < group_size; lane += width<T>) {
      const size_t o = t + lane;
      const auto xj = Point<P, 1>::load(group.places.x, o);
      const Real wj = Real::load(group.places.w + o);
      // Names, no array: GCC would unroll the loop over lanes, which costs a tenth.
      Real ex = Real::load(group.sum[0] + o), ey = Real::load(group.sum[1] + o), ez = Real::load(group.sum[2] + o), eu;
      Triple<Real> ej;
      if constexpr (wanted == Wanted::potential) eu = Real::load(group.sum[3] + o);
      if constexpr (wanted == Wanted::jerk) {
        ej = {Real::load(group.sum[3] + o), Real::load(group.sum[4] + o), Real::load(group.sum[5] + o)};
      }
#pragma GCC unroll 4
      for (size_t k = lane; k < tile_size; k += group_size) {
        const Triple<Real> d = xj - Point<P, 1>::load(tile.places.x, k);
        const Real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, softening2)));
        const auto met = [&](Real value) HWY_ATTR {
          if constexpr (!whole) return unless_equal(Real::load(group.is_body + o), 0.0, value);
          return value;
        };
        const auto add = [&](size_t q, Real g, Real s)
                             HWY_ATTR { fma(g, s, Real::load(tile.sum[q] + k)).store(tile.sum[q] + k); };
        const Real c = met(law.c(r2)), wi = Real::load(tile.places.w + k);
        const Real si = wj * c, sj = wi * c;
        add(0, d.x, si), add(1, d.y, si), add(2, d.z, si);
        ex = nfma(d.x, sj, ex), ey = nfma(d.y, sj, ey), ez = nfma(d.z, sj, ez);
        if constexpr (wanted == Wanted::potential) {
          const Real u = met(law.u(r2));
          add(3, wj, u);
          eu = fma(wi, u, eu);
        }
        if constexpr (wanted == Wanted::jerk) {
          const Triple<Real> v = Point<P, 1>::load(group.places.v, o) - Point<P, 1>::load(tile.places.v, k);
          const Triple<Real> g = rate_of_change(d, v, c, met(law.slope(r2)));
          add(3, g.x, wj), add(4, g.y, wj), add(5, g.z, wj);
          ej = {nfma(g.x, wi, ej.x), nfma(g.y, wi, ej.y), nfma(g.z, wi, ej.z)};
        }
      }
      ex.store(group.sum[0] + o), ey.store(group.sum[1] + o), ez.store(group.sum[2] + o);
      if constexpr (wanted == Wanted::potential) eu.store(group.sum[3] + o);
      if constexpr (wanted == Wanted::jerk) {
        ej.x.store(group.sum[3] + o), ej.y.store(group.sum[4] + o), ej.z.store(group.sum[5] + o);
      }
    }
  }
  group.carry(group_size);
}

template <class Law, class P, Wanted wanted>
void between(const Field& f, size_t I, size_t J, size_t chunk, SumsView on_i, SumsView on_j) {
  using T = typename P::T;
  const size_t end = std::min(J + chunk, f.n);
  const Law law(f.number);
  Tile<P, wanted> tile;
  Group<P, wanted> group;
  for (size_t i = 0; i < chunk; i += tile_size) {
    tile.begin(f, I + i);
    const auto keep = [&](bool first) HWY_ATTR {
      for (size_t q = 0; q < sums_of(wanted); ++q) {
        for (size_t k = 0; k < tile_size; k += width<T>)
          settle(on_i.values + q * on_i.stride + i + k, tile.sum[q] + k, first);
      }
    };
    for (size_t j = J; j < end; j += group_size) {
      const size_t bodies = std::min(group_size, end - j);
      group.begin(f, j, bodies);
      if (bodies == group_size) {
        rotate<Law, P, wanted, true>(law, tile, group, softening2_of<P>(f));
      } else {
        rotate<Law, P, wanted, false>(law, tile, group, softening2_of<P>(f));
      }
      for (size_t q = 0; q < sums_of(wanted); ++q) {
        double* on = on_j.values + q * on_j.stride + (j - J);
        for (size_t k = 0; k < group_size; k += width<T>) settle(on + k, group.sum[q] + group_size + k, i == 0);
      }
      if constexpr (P::floats) keep(j == J), tile.clear();
    }
    if constexpr (!P::floats) keep(true);
  }
}

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
  // Four vectors at a time: their chains of additions alternate.
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
    // +0 and a sum: what a sum over chunks starts from, which tells −0 from +0.
    const Real sum = Real(unit) * (Real(0) + Real::load(sums + i)), s = Real::load(response + i);
    Real a = added ? fma(s, sum, Real::load(target + i)) : s * sum;
    if (const size_t left = count - i; left < width<double>) {
      a.v[0] = hn::IfThenElseZero(hn::FirstN(Tag<double>(), left), a.v[0]);
    }
    a.store(target + i);
  }
}

Conserved conserved(const Moment& m) {
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
    return m.n < sum_block ? sum + 0.0 : sum;  // as a tree of 256 has it
  };
  return {total(0), total(1), {total(2), total(3), total(4)}};
}

template <class Law, class P, Wanted wanted>
constexpr PairKernels loops{within<Law, P, wanted>, between<Law, P, wanted>};

template <class Law, class P>
constexpr LawKernels kernels_of{
    {loops<Law, P, Wanted::forces>, loops<Law, P, Wanted::potential>, {}},
};
template <class Law>
constexpr LawKernels kernels_of<Law, Float64>{
    {loops<Law, Float64, Wanted::forces>, loops<Law, Float64, Wanted::potential>, loops<Law, Float64, Wanted::jerk>},
};

template <class... Law>
auto table(LawList<Law...>) {
  static constexpr LawKernels laws[][kinds_of_numbers] = {
      {kernels_of<typename Law::Interaction, Float64>, kernels_of<typename Law::Interaction, Mixed>,
       kernels_of<typename Law::Interaction, Float32>, kernels_of<typename Law::Interaction, Float32ExactRoot>}...};
  return &laws[0];
}

}  // namespace

#define ORRERY_NAME_OF(target) #target
#define ORRERY_NAME(target) ORRERY_NAME_OF(target)
extern const Kernels kernels;
const Kernels kernels{.name = ORRERY_NAME(ORRERY_SIMD_TARGET),
                      .laws = table(Laws{}),
                      .combine = combine,
                      .add = add,
                      .respond = respond,
                      .conserved = conserved};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
