// SPDX-License-Identifier: MIT
// Near pairs of the tree for the SIMD target ORRERY_SIMD_TARGET.
#include "sim/solvers/tree/simd/near.hpp"

#include "sim/backends/simd/lanes.hpp"
#include "sim/forces/list.hpp"
#include "sim/solvers/direct/pair.hpp"
#include "sim/solvers/tree/simd/eight.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

/// Targets whose sums are in registers together.
// NOLINTNEXTLINE(misc-redundant-expression): both are macros
constexpr size_t at_once = HWY_TARGET == HWY_SCALAR ? 1 : HWY_MAX_BYTES == 64 ? 4 : 2;

/// Sums of R targets over sources begin, begin + lanes, … of a segment, up to `end`, in one vector of the eight lanes.
/// `with_self`: some of them are the targets.
template <class Law, Outputs outputs, size_t R, bool with_self>
HWY_INLINE void interact(const Law& law, const NearSegment& s, size_t begin, size_t end, const Triple<Real> (&x)[R],
                         const double* self, Sums<Real, outputs> (&sums)[R]) {
  const Real softening2(s.softening2);
  for (size_t j = begin; j < end; j += lanes) {
    const Real xj = Real::load(s.x + j), yj = Real::load(s.y + j), zj = Real::load(s.z + j), w = Real::load(s.w + j);
    for (size_t r = 0; r < R; ++r) {
      Pair<Real, outputs> pair(law, {xj - x[r].x, yj - x[r].y, zj - x[r].z}, softening2, 0);
      if constexpr (with_self) {
        const Real number(hn::Iota(Tag<double>(), static_cast<double>(j)));
        pair.mask([&](Real value) HWY_ATTR { return unless_equal(number, self[r], value); });
      }
      sums[r].add_to_i(pair, w);
    }
  }
}

template <class Law, Outputs outputs, size_t R>
HWY_INLINE void meet_all(const Law& law, const NearSegment& s, const NearTargets& targets, size_t first,
                         double* const* out) {
  const double* self = targets.self + first;
  // The whole lanes that hold those of the targets that are sources here.
  size_t from = s.count, to = s.count;
  for (size_t r = 0; r < R; ++r) {
    if (self[r] < 0) continue;
    const size_t begin = static_cast<size_t>(self[r]) / lanes * lanes;
    from = begin < from ? begin : from;
    to = begin + lanes;
  }
  Triple<Real> x[R];
  for (size_t r = 0; r < R; ++r)
    x[r] = {Real(targets.x[first + r]), Real(targets.y[first + r]), Real(targets.z[first + r])};
  alignas(64) double all[R][outputs_per_body(outputs)][lanes];
  for (size_t v = 0; v < lanes; v += wide) {
    Sums<Real, outputs> sums[R];
    interact<Law, outputs, R, false>(law, s, v, from, x, self, sums);
    if (from < s.count) {
      interact<Law, outputs, R, true>(law, s, from + v, to, x, self, sums);
      interact<Law, outputs, R, false>(law, s, to + v, s.count, x, self, sums);
    }
    for (size_t r = 0; r < R; ++r) sums[r].each([&](size_t q, const Real& sum) HWY_ATTR { sum.store(all[r][q] + v); });
  }
  for (size_t r = 0; r < R; ++r) {
    for (size_t q = 0; q < outputs_per_body(outputs); ++q) out[q][first + r] += fold(all[r][q]);
  }
}

/// The last targets, fewer than R.
template <class Law, Outputs outputs, size_t R>
HWY_INLINE void meet_rest(const Law& law, const NearSegment& s, const NearTargets& targets, size_t first,
                          double* const* out) {
  if constexpr (R > 1) {
    if (targets.count - first == R - 1) return meet_all<Law, outputs, R - 1>(law, s, targets, first, out);
    meet_rest<Law, outputs, R - 1>(law, s, targets, first, out);
  }
}

template <class Law, Outputs outputs>
void meet_targets(const NearSegment& segment, const NearTargets& targets, double* const* out) {
  const Law law(segment.parameters);
  size_t i = 0;
  for (; i + at_once <= targets.count; i += at_once) meet_all<Law, outputs, at_once>(law, segment, targets, i, out);
  meet_rest<Law, outputs, at_once>(law, segment, targets, i, out);
}

template <class List>
struct Table;
template <class... Law>
struct Table<LawList<Law...>> {
  static constexpr NearLoops::Meet laws[][2] = {{meet_targets<typename Law::Interaction, Outputs::forces>,
                                                 meet_targets<typename Law::Interaction, Outputs::potential>}...};
};
constexpr NearLoops all{Table<Laws>::laws};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::NearLoops& orrery::sim::simd::near_loops(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
