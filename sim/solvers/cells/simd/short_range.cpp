// SPDX-License-Identifier: MIT
// Forces with a cutoff on a block of bodies for the SIMD target ORRERY_SIMD_TARGET.
#include "sim/solvers/cells/simd/short_range.hpp"

#include <cmath>

#include "sim/arithmetic.hpp"
#include "sim/forces/list.hpp"
#include "sim/forces/pair_law.hpp"
#include "sim/solvers/cells/simd/lists.hpp"
#include "sim/solvers/cells/simd/motion.hpp"
#include "sim/solvers/cells/simd/tiles.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

template <class T>
HWY_INLINE T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}

/// Minimum number of pairs that are collected before they are summed.
constexpr size_t enough_pairs = 2048;

/// Sums over pairs in order: contributions in vectors, then additions one by one.
template <class Law, class T, size_t D, Outputs outputs, bool images>
void add_up(const CellBodies<T>& b, const PairRoom<T>& room, size_t found, size_t begin, T* const* sums) {
  using Real = Lanes<T>;
  const hn::RebindToSigned<Tag<T>> indices;
  constexpr size_t some = 64;
  const Law law(b.parameters);
  HWY_ALIGN T d[D][some], c[some], u[some], virial[some];
  for (size_t p = 0; p < found; p += some) {
    const size_t count = found - p < some ? found - p : some;
    for (size_t k = 0; k < count; k += width<T>) {
      const auto i = hn::LoadU(indices, room.i + p + k), j = hn::LoadU(indices, room.j + p + k);
      const auto apart = [&](size_t q) HWY_ATTR {
        Real one = Real(hn::GatherIndex(Tag<T>(), b.x[q], j)) - Real(hn::GatherIndex(Tag<T>(), b.x[q], i));
        if constexpr (images) one = nearest(one, b.period[q], b.half[q]);
        one.store(d[q] + k);
        return one;
      };
      const Real x = apart(0), y = apart(1), z = D == 3 ? apart(2) : Real();
      const Real r2 = square_of<D>(x, y, z), of_law = law.force_over_r(r2);
      of_law.store(c + k);
      if constexpr (outputs == Outputs::potential) law.u(r2).store(u + k), r2.store(virial + k);
    }
    for (size_t k = 0; k < count; ++k) {
      const size_t i = static_cast<size_t>(room.i[p + k]) - begin;
      for (size_t q = 0; q < D; ++q) sums[q][i] = fused(c[k], d[q][k], sums[q][i]);
      if constexpr (outputs == Outputs::potential) {
        sums[3][i] = sums[3][i] + u[k];
        sums[4][i] = fused(c[k], virial[k], sums[4][i]);
      }
    }
  }
}

template <class Law, class T, size_t D, Outputs outputs>
void sum(const CellBodies<T>& bodies, PairRoom<T>& room, size_t begin, size_t end, T* const* sums) {
  for (size_t q = 0; q < (outputs == Outputs::potential ? 5 : D); ++q) {
    if (q >= D && q < 3) continue;
    for (size_t i = 0; i < end - begin; ++i) sums[q][i] = 0;
  }
  const Search<T, D> search(bodies, begin, end);
  View<T, D> view(bodies, room);
  for (size_t i = begin; i < end;) {
    bool images = false;
    const size_t found = search.find(view, i, end, enough_pairs, images),
                 whole = found + width<T>;  // whole vectors of them
    if (whole > view.size) view.widen(whole);
    for (size_t k = found; k < whole; ++k) room.i[k] = room.j[k] = static_cast<typename PairRoom<T>::Index>(begin);
    if (images) {
      add_up<Law, T, D, outputs, true>(bodies, room, found, begin, sums);
    } else {
      add_up<Law, T, D, outputs, false>(bodies, room, found, begin, sums);
    }
  }
}

template <class Law, class T, size_t D>
constexpr SumKernels<T> kernels_of{{sum<Law, T, D, Outputs::forces>, sum<Law, T, D, Outputs::potential>},
                                   {sum_listed<Law, T, D, Outputs::forces>, sum_listed<Law, T, D, Outputs::potential>}};

/// The kernels of every law of a list.
template <class T, class List>
struct Table;
template <class T, class... Law>
struct Table<T, LawList<Law...>> {
  static_assert(are_short_range_laws<Lanes<T>>(LawList<Law...>{}));
  static constexpr SumKernels<T> laws[][2] = {{kernels_of<Law, T, 2>, kernels_of<Law, T, 3>}...};
};

template <class T>
constexpr CellLoops<T> loops_in{{place<T>, respond<T>, move<T>, weave<T>, {list<T, 2>, list<T, 3>}},
                                Table<T, ShortRangeLaws>::laws};
constexpr ShortRangeLoops all{loops_in<double>, loops_in<float>};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::ShortRangeLoops& orrery::sim::simd::short_range_loops(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
