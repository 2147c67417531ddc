// SPDX-License-Identifier: MIT
// The pair loops in the canonical order, for the SIMD target that ORRERY_SIMD_TARGET names.
#include "sim/backends/simd/kernels.hpp"

#include <algorithm>
#include <cstring>

#include "sim/backends/simd/lanes.hpp"
#include "sim/forces/list.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using std::size_t;

constexpr size_t most(bool potential) {
  return potential ? 4 : 3;
}

/// Bodies begin … end act on V vectors of bodies i, one body j after the other.
template <class Law, bool potential, size_t V>
HWY_INLINE void column(const Field& f, size_t begin, size_t end, size_t i, SumsView on) {
  Lanes x[V], y[V], z[V], index[V], sum[4][V];
  for (size_t v = 0; v < V; ++v) {
    x[v] = Lanes::load(f.x + i + v * width);
    y[v] = Lanes::load(f.y + i + v * width);
    z[v] = Lanes::load(f.z + i + v * width);
    index[v] = Lanes(hn::Iota(Tag(), static_cast<double>(i + v * width)));
  }
  const Law law(f.number);
  const Lanes softening2(f.softening2);
  const auto meet = [&](size_t j, auto is_among_i) HWY_ATTR {
    const Lanes xj(f.x[j]), yj(f.y[j]), zj(f.z[j]), wj(f.source[j]);
    for (size_t v = 0; v < V; ++v) {
      const Lanes dx = xj - x[v], dy = yj - y[v], dz = zj - z[v];
      const Lanes r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening2)));
      // A body does not meet itself: masked after the law, since 0 · ∞ would be NaN.
      const auto met = [&](Lanes value) HWY_ATTR {
        if constexpr (is_among_i) return unless_equal(index[v], static_cast<double>(j), value);
        return value;
      };
      const Lanes s = wj * met(law.c(r2));
      sum[0][v] = fma(dx, s, sum[0][v]);
      sum[1][v] = fma(dy, s, sum[1][v]);
      sum[2][v] = fma(dz, s, sum[2][v]);
      if constexpr (potential) sum[3][v] = fma(wj, met(law.u(r2)), sum[3][v]);
    }
  };
  const size_t first = std::min(i, end), last = std::min(i + V * width, end);
  for (size_t j = begin; j < first; ++j) meet(j, std::false_type());
  for (size_t j = first; j < last; ++j) meet(j, std::true_type());
  for (size_t j = last; j < end; ++j) meet(j, std::false_type());
  for (size_t q = 0; q < most(potential); ++q) {
    for (size_t v = 0; v < V; ++v) sum[q][v].store(on.values + q * on.stride + i + v * width);
  }
}

template <class Law, bool potential>
void within(const Field& f, size_t begin, size_t end, SumsView on) {
  size_t i = begin;
  for (; i + 3 * width < end; i += 4 * width) column<Law, potential, 4>(f, begin, end, i, on);
  for (; i + width < end; i += 2 * width) column<Law, potential, 2>(f, begin, end, i, on);
  for (; i < end; i += width) column<Law, potential, 1>(f, begin, end, i, on);
}

/// A group of 32 bodies j written out twice, so that the rotation by t is a contiguous load.
struct Group {
  HWY_ALIGN double x[2 * group_size], y[2 * group_size], z[2 * group_size], w[2 * group_size];
  HWY_ALIGN double is_body[2 * group_size];
  HWY_ALIGN double sum[4][2 * group_size];

  Group(const Field& f, size_t j, size_t bodies) {
    const auto twice = [](double* to, const double* from) {
      std::memcpy(to, from, group_size * sizeof(double));
      std::memcpy(to + group_size, from, group_size * sizeof(double));
    };
    twice(x, f.x + j), twice(y, f.y + j), twice(z, f.z + j), twice(w, f.source + j);
    for (size_t k = 0; k < 2 * group_size; ++k) is_body[k] = k % group_size < bodies ? 1.0 : 0.0;
    std::memset(sum, 0, sizeof sum);
  }
  /// A body's sum wraps round after step 31 − k; it must go on from there, not start again in the upper half.
  void carry(size_t t) {
    if (t > 0) {
      for (auto& s : sum) s[t + group_size - 1] = s[t - 1];
    }
  }
  [[nodiscard]] double total(size_t q, size_t k) const { return sum[q][k + 1 < group_size ? k + group_size : k]; }
};

/// 128 bodies i, four a lane, and their sums.
struct Tile {
  const double *x, *y, *z, *w;
  HWY_ALIGN double sum[4][tile_size];

  Tile(const Field& f, size_t i) : x(f.x + i), y(f.y + i), z(f.z + i), w(f.source + i) {
    std::memset(sum, 0, sizeof sum);
  }
};

/// All 32 rotations of one group against a tile; `whole` says that every j of the group is a body.
template <class Law, bool potential, bool whole>
HWY_INLINE void rotate(Law law, Tile& tile, Group& group, Lanes softening2) {
  for (size_t t = 0; t < group_size; ++t) {
    group.carry(t);
    for (size_t lane = 0; lane < group_size; lane += width) {
      const size_t o = t + lane;
      const Lanes xj = Lanes::load(group.x + o), yj = Lanes::load(group.y + o), zj = Lanes::load(group.z + o);
      const Lanes wj = Lanes::load(group.w + o);
      Lanes ex = Lanes::load(group.sum[0] + o), ey = Lanes::load(group.sum[1] + o), ez = Lanes::load(group.sum[2] + o);
      Lanes eu = Lanes::load(group.sum[3] + o);
#pragma GCC unroll 4
      for (size_t r = 0; r < bodies_per_lane; ++r) {
        const size_t k = group_size * r + lane;
        const Lanes dx = xj - Lanes::load(tile.x + k), dy = yj - Lanes::load(tile.y + k);
        const Lanes dz = zj - Lanes::load(tile.z + k);
        const Lanes r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening2)));
        const auto met = [&](Lanes value) HWY_ATTR {
          if constexpr (!whole) return unless_equal(Lanes::load(group.is_body + o), 0.0, value);
          return value;
        };
        const Lanes c = met(law.c(r2)), wi = Lanes::load(tile.w + k);
        const Lanes si = wj * c, sj = wi * c;
        const auto add = [&](size_t q, Lanes d, Lanes s)
                             HWY_ATTR { fma(d, s, Lanes::load(tile.sum[q] + k)).store(tile.sum[q] + k); };
        add(0, dx, si), add(1, dy, si), add(2, dz, si);
        ex = nfma(dx, sj, ex), ey = nfma(dy, sj, ey), ez = nfma(dz, sj, ez);
        if constexpr (potential) {
          const Lanes u = met(law.u(r2));
          add(3, wj, u);
          eu = fma(wi, u, eu);
        }
      }
      ex.store(group.sum[0] + o), ey.store(group.sum[1] + o), ez.store(group.sum[2] + o);
      if constexpr (potential) eu.store(group.sum[3] + o);
    }
  }
}

template <class Law, bool potential>
void between(const Field& f, size_t I, size_t J, size_t chunk, SumsView on_i, SumsView on_j) {
  const size_t end = std::min(J + chunk, f.n);
  const Law law(f.number);
  const Lanes softening2(f.softening2);
  for (size_t q = 0; q < most(potential); ++q) {
    std::memset(on_j.values + q * on_j.stride + J, 0, (end - J) * sizeof(double));
  }
  for (size_t i = I; i < I + chunk; i += tile_size) {
    Tile tile(f, i);
    for (size_t j = J; j < end; j += group_size) {
      const size_t bodies = std::min(group_size, end - j);
      Group group(f, j, bodies);
      if (bodies == group_size) {
        rotate<Law, potential, true>(law, tile, group, softening2);
      } else {
        rotate<Law, potential, false>(law, tile, group, softening2);
      }
      for (size_t q = 0; q < most(potential); ++q) {
        for (size_t k = 0; k < bodies; ++k) on_j.values[q * on_j.stride + j + k] += group.total(q, k);
      }
    }
    for (size_t q = 0; q < most(potential); ++q) {
      std::memcpy(on_i.values + q * on_i.stride + i, tile.sum[q], sizeof tile.sum[q]);
    }
  }
}

void combine(double* target, const double* const* sources, const double* factors, size_t terms, size_t count) {
  for (size_t i = 0; i < count; i += width) {
    const Lanes first = Lanes::load(sources[0] + i);
    Lanes sum = factors[0] == 1.0 ? first : Lanes(factors[0]) * first;
    for (size_t k = 1; k < terms; ++k) sum = fma(Lanes(factors[k]), Lanes::load(sources[k] + i), sum);
    sum.store(target + i);
  }
}

template <class Law>
constexpr LawKernels kernels_of{
    .forces = {within<Law, false>, between<Law, false>},
    .forces_and_potential = {within<Law, true>, between<Law, true>},
};

template <class... Law>
const LawKernels* table(LawList<Law...>) {
  static constexpr LawKernels laws[] = {kernels_of<Law>...};
  return laws;
}

}  // namespace

#define ORRERY_NAME_OF(target) #target
#define ORRERY_NAME(target) ORRERY_NAME_OF(target)
extern const Kernels kernels;
const Kernels kernels{.name = ORRERY_NAME(ORRERY_SIMD_TARGET), .laws = table(Laws{}), .combine = combine};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
