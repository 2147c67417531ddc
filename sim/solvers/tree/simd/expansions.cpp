// SPDX-License-Identifier: MIT
// Moments and series of the tree for the SIMD target ORRERY_SIMD_TARGET.
#include "sim/solvers/tree/simd/expansions.hpp"

#include <type_traits>
#include <utility>

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/tree/acceptance.hpp"
#include "sim/solvers/tree/radial.hpp"
#include "sim/solvers/tree/simd/eight.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using sim::tree::lanes;
using sim::tree::Numbers;
using sim::tree::Powers;
using sim::tree::size_of;
using sim::tree::Upto;
using std::size_t;

/// Components that a register file holds side by side, beside what else a loop needs.
constexpr int side_by_side = HWY_MAX_BYTES == 32 ? 10 : 20;

/// The first `left` lanes of a, and 0 in the others.
HWY_INLINE Real first_lanes(size_t left, Real a) {
  if (left < wide) a.v[0] = hn::IfThenElseZero(hn::FirstN(Tag<double>(), left), a.v[0]);
  return a;
}

/// Room for numbers that need no initial value.
template <size_t count>
class Room {
 public:
  HWY_INLINE Real* get() { return reinterpret_cast<Real*>(raw_); }

 private:
  alignas(64) unsigned char raw_[count * sizeof(Real)];
};

/// Rows of tensors, a component at a time: [component][lanes].
struct Transposed {
  const double* from;
  HWY_INLINE Real operator[](int k) const { return Real::load(from + static_cast<size_t>(k) * lanes); }
};
/// One tensor in every lane.
struct Same {
  const double* from;
  HWY_INLINE Real operator[](int k) const { return Real(hn::Set(Tag<double>(), from[k])); }
};

/// to[k][lane] ← rows[lane][k]
template <size_t stride>
HWY_INLINE void transpose(const double* const (&rows)[lanes], double (&to)[stride][lanes]) {
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32
  const hn::FixedTag<double, 4> four;
  for (size_t k = 0; k < stride; k += 4) {
    for (size_t lane = 0; lane < lanes; lane += 4) {
      const auto a = hn::LoadU(four, rows[lane] + k), b = hn::LoadU(four, rows[lane + 1] + k),
                 c = hn::LoadU(four, rows[lane + 2] + k), d = hn::LoadU(four, rows[lane + 3] + k);
      const auto even_ab = hn::InterleaveLower(four, a, b), odd_ab = hn::InterleaveUpper(four, a, b);
      const auto even_cd = hn::InterleaveLower(four, c, d), odd_cd = hn::InterleaveUpper(four, c, d);
      hn::StoreU(hn::ConcatLowerLower(four, even_cd, even_ab), four, to[k] + lane);
      hn::StoreU(hn::ConcatLowerLower(four, odd_cd, odd_ab), four, to[k + 1] + lane);
      hn::StoreU(hn::ConcatUpperUpper(four, even_cd, even_ab), four, to[k + 2] + lane);
      hn::StoreU(hn::ConcatUpperUpper(four, odd_cd, odd_ab), four, to[k + 3] + lane);
    }
  }
#else
  for (size_t k = 0; k < stride; ++k) {
    for (size_t lane = 0; lane < lanes; ++lane) to[k][lane] = rows[lane][k];
  }
#endif
}

template <int P>
HWY_INLINE void fold_all(double (&sums)[size_of(P)][lanes], double* to) {
  for (size_t k = 0; k < size_of(P); ++k) to[k] = fold(sums[k]);
}

template <int P>
void leaf_moments(const TreeColumns& sources, size_t first, size_t last, const double* centre, double* moments) {
  alignas(64) double sums[size_of(P)][lanes];
  for (size_t v = 0; v < vectors; ++v) {
    Real m[size_of(P)];
    for (size_t i = first + v * wide; i < last; i += lanes) {
      const Triple<Real> d{Real(centre[0]) - Real::load(sources.x + i), Real(centre[1]) - Real::load(sources.y + i),
                           Real(centre[2]) - Real::load(sources.z + i)};
      sim::tree::add_body<P>(first_lanes(last - i, Real::load(sources.w + i)), Powers<P, Real>(d), m);
    }
    for (size_t k = 0; k < size_of(P); ++k) m[k].store(sums[k] + v * wide);
  }
  fold_all<P>(sums, moments);
}

template <int P, int... k>
HWY_INLINE void shift_moments(const Transposed& m, const Powers<P, Real>& t, double* sums, Numbers<k...>) {
  // A partial sum that begins at +0.
  ((Real(0.0) + sim::tree::shifted_moment<k>(m, t)).store(sums + static_cast<size_t>(k) * lanes), ...);
}

template <int P>
void cell_moments(const TreeCell* cells, const double* moments, size_t cell, double* to) {
  constexpr size_t stride = tensor_stride(P);
  static constexpr double nothing[stride] = {};
  const TreeCell& me = cells[cell];
  const double* rows[lanes];
  alignas(64) double d[3][lanes] = {}, m[stride][lanes], sums[size_of(P)][lanes];
  for (size_t lane = 0; lane < lanes; ++lane) {
    rows[lane] = nothing;
    if (lane >= me.children) continue;
    const TreeCell& child = cells[me.child + lane];
    rows[lane] = moments + (me.child + lane) * stride;
    d[0][lane] = me.x - child.x, d[1][lane] = me.y - child.y, d[2][lane] = me.z - child.z;
  }
  transpose(rows, m);
  for (size_t v = 0; v < lanes; v += wide) {
    const Powers<P, Real> t(Triple<Real>{Real::load(d[0] + v), Real::load(d[1] + v), Real::load(d[2] + v)});
    shift_moments<P>(Transposed{m[0] + v}, t, sums[0] + v, Upto<size_of(P)>());
  }
  fold_all<P>(sums, to);
}

/// Components first … first + count − 1 of the series, in registers.
template <int P, int first, int count, bool dipoles>
HWY_INLINE void contract(const Transposed& m, const Real* D, double* sums) {
  Real l[count];
  for (int i = 0; i < count; ++i) l[i] = Real::load(sums + static_cast<size_t>(first + i) * lanes);
  sim::tree::contract<P, first, count, dipoles>(m, D, l);
  for (int i = 0; i < count; ++i) l[i].store(sums + static_cast<size_t>(first + i) * lanes);
}
/// The components of an order from `first` on, in blocks of about the same size.
template <int P, int order, int first, bool dipoles>
HWY_INLINE void contract_order(const Transposed& m, const Real* D, double* sums) {
  constexpr int left = size_of(order) - first;
  if constexpr (left > 0) {
    constexpr int blocks = (left + side_by_side - 1) / side_by_side, count = (left + blocks - 1) / blocks;
    contract<P, first, count, dipoles>(m, D, sums);
    contract_order<P, order, first + count, dipoles>(m, D, sums);
  }
}
template <int P, bool dipoles, int order>
HWY_INLINE void contract_from(const Transposed& m, const Real* D, double* sums) {
  if constexpr (order <= P) {
    contract_order<P, order, order == 0 ? 0 : size_of(order - 1), dipoles>(m, D, sums);
    contract_from<P, dipoles, order + 1>(m, D, sums);
  }
}

template <int P, bool dipoles, bool potential>
void m2l(const TreeFar& field, size_t target, const std::uint32_t* list, size_t count, double* series) {
  constexpr size_t stride = tensor_stride(P);
  static constexpr double nothing[stride] = {};
  alignas(64) double sums[size_of(P)][lanes] = {}, m[stride][lanes], d[3][lanes];
  const TreeCell& me = field.cells[target];
  for (size_t i = 0; i < count; i += lanes) {
    const double* rows[lanes];
    for (size_t lane = 0; lane < lanes; ++lane) {
      const bool there = i + lane < count;
      const size_t s = list[there ? i + lane : i];
      const TreeCell& source = field.cells[s];
      rows[lane] = there ? field.moments + s * stride : nothing;
      d[0][lane] = me.x - source.x, d[1][lane] = me.y - source.y, d[2][lane] = me.z - source.z;
    }
    transpose(rows, m);
    for (size_t v = 0; v < lanes; v += wide) {
      const Triple<Real> apart{Real::load(d[0] + v), Real::load(d[1] + v), Real::load(d[2] + v)};
      const Real r2 = fma(apart.x, apart.x, fma(apart.y, apart.y, fma(apart.z, apart.z, Real(field.softening2))));
      Room<P + 1> f;
      Room<size_of(P)> D;
      sim::tree::radial_sequence<P, potential>(r2, field.power, f.get());
      sim::tree::derivatives<P>(apart, f.get(), D.get());
      contract_from<P, dipoles, potential ? 0 : 1>(Transposed{m[0] + v}, D.get(), sums[0] + v);
    }
  }
  for (size_t k = 0; k < size_of(P); ++k) series[k] += fold(sums[k]);
}

template <int P, int... k>
HWY_INLINE void shift_series(const Same& l, const Powers<P, Real>& t, double* to, Numbers<k...>) {
  (sim::tree::shifted_series<k>(l, t).store(to + static_cast<size_t>(k) * wide), ...);
}

template <int P>
void l2l(const TreeCell* cells, size_t cell, const double* series, double* to) {
  constexpr size_t stride = tensor_stride(P);
  const TreeCell& me = cells[cell];
  alignas(64) double d[3][wide], shifted[size_of(P)][wide];
  for (size_t first = 0; first < me.children; first += wide) {
    const size_t count = me.children - first < wide ? me.children - first : wide;
    for (size_t lane = 0; lane < wide; ++lane) {
      const TreeCell& child = cells[me.child + first + (lane < count ? lane : 0)];
      d[0][lane] = child.x - me.x, d[1][lane] = child.y - me.y, d[2][lane] = child.z - me.z;
    }
    const Powers<P, Real> t(Triple<Real>{Real::load(d[0]), Real::load(d[1]), Real::load(d[2])});
    shift_series<P>(Same{series}, t, shifted[0], Upto<size_of(P)>());
    for (size_t lane = 0; lane < count; ++lane) {
      double* one = to + (first + lane) * stride;
      for (size_t k = 0; k < size_of(P); ++k) one[k] = shifted[k][lane];
    }
  }
}

template <int P, bool potential>
void l2p(const TreeCell& leaf, const double* series, const TreeColumns& bodies, double* const* out) {
  const Same l{series};
  for (size_t i = leaf.begin; i < leaf.end; i += wide) {
    const Triple<Real> d{Real::load(bodies.x + i) - Real(leaf.x), Real::load(bodies.y + i) - Real(leaf.y),
                         Real::load(bodies.z + i) - Real(leaf.z)};
    const Powers<P, Real> t(d);
    const size_t to = i - leaf.begin;
    (sim::tree::shifted_series<1>(l, t) + Real::load(out[0] + to)).store(out[0] + to);
    (sim::tree::shifted_series<2>(l, t) + Real::load(out[1] + to)).store(out[1] + to);
    (sim::tree::shifted_series<3>(l, t) + Real::load(out[2] + to)).store(out[2] + to);
    if constexpr (potential) (Real::load(out[3] + to) - sim::tree::shifted_series<0>(l, t)).store(out[3] + to);
  }
}

void weighted_centre(const TreeColumns& sources, size_t first, size_t last, double* weight_and_sums) {
  alignas(64) double sums[4][lanes];
  for (size_t v = 0; v < vectors; ++v) {
    Real weight, x, y, z;
    for (size_t i = first + v * wide; i < last; i += lanes) {
      Real w(1.0);
      if (sources.w != nullptr) w.v[0] = hn::Abs(Real::load(sources.w + i).v[0]);
      w = first_lanes(last - i, w);
      weight = weight + w;
      x = fma(w, Real::load(sources.x + i), x);
      y = fma(w, Real::load(sources.y + i), y);
      z = fma(w, Real::load(sources.z + i), z);
    }
    weight.store(sums[0] + v * wide), x.store(sums[1] + v * wide);
    y.store(sums[2] + v * wide), z.store(sums[3] + v * wide);
  }
  for (size_t q = 0; q < 4; ++q) weight_and_sums[q] = fold(sums[q]);
}

double radius2(const TreeColumns& bodies, size_t first, size_t last, const double* centre) {
  const Triple<Real> c{Real(centre[0]), Real(centre[1]), Real(centre[2])};
  Real greatest;
  for (size_t i = first; i < last; i += wide) {
    const Real x = Real::load(bodies.x + i) - c.x, y = Real::load(bodies.y + i) - c.y,
               z = Real::load(bodies.z + i) - c.z;
    greatest = maximum(greatest, first_lanes(last - i, fma(x, x, fma(y, y, z * z))));
  }
  alignas(64) double all[wide];
  greatest.store(all);
  double most = 0;
  for (const double one : all) most = one > most ? one : most;
  return most;
}

void reaches(TreeCell* cells, const double* weights, size_t begin, size_t end, double total, int order, double narrow,
             double wide_angle) {
  alignas(64) double r2[wide] = {};
  for (size_t i = begin; i < end; i += wide) {
    const size_t count = end - i < wide ? end - i : wide;
    for (size_t k = 0; k < count; ++k) r2[k] = cells[i + k].reach;
    const Real share = first_lanes(count, Real::load(weights + i)) / Real(total);
    Real r;
    r.v[0] = hn::Sqrt(hn::Load(Tag<double>(), r2));
    (r / sim::tree::opening_angle(share, order, Real(narrow), Real(wide_angle))).store(r2);
    for (size_t k = 0; k < count; ++k) cells[i + k].reach = r2[k];
  }
}

void apart(const TreeCell* cells, size_t target, const std::uint32_t* list, size_t count, std::uint8_t* result) {
  const TreeCell& me = cells[target];
  const Triple<Real> centre{Real(me.x), Real(me.y), Real(me.z)};
  const Real reach(me.reach);
  alignas(64) double all[4][lanes];
  for (size_t i = 0; i < count; i += lanes) {
    const size_t some = count - i < lanes ? count - i : lanes;
    const double* rows[lanes];
    for (size_t k = 0; k < lanes; ++k) rows[k] = &cells[list[i + (k < some ? k : 0)]].x;
    transpose(rows, all);
    alignas(64) double yes[lanes];
    for (size_t v = 0; v < lanes; v += wide) {
      const Triple<Real> d{centre.x - Real::load(all[0] + v), centre.y - Real::load(all[1] + v),
                           centre.z - Real::load(all[2] + v)};
      select(sim::tree::are_apart(d, reach, Real::load(all[3] + v)), Real(1.0), Real(0.0)).store(yes + v);
    }
    for (size_t k = 0; k < some; ++k) result[i + k] = yes[k] != 0 ? 1 : 0;
  }
}

template <int P>
constexpr TreeOrder loops_of{.leaf_moments = leaf_moments<P>,
                             .cell_moments = cell_moments<P>,
                             .m2l = {m2l<P, false, false>, m2l<P, false, true>, m2l<P, true, true>},
                             .l2l = l2l<P>,
                             .l2p = {l2p<P, false>, l2p<P, true>}};

constexpr TreeLoops all{.orders = {loops_of<3>, loops_of<4>, loops_of<5>, loops_of<6>},
                        .weighted_centre = weighted_centre,
                        .radius2 = radius2,
                        .reaches = reaches,
                        .apart = apart};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::TreeLoops& orrery::sim::simd::tree_loops(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
