// SPDX-License-Identifier: MIT
// The pair loops in the canonical order for the SIMD target ORRERY_SIMD_TARGET.
#include "sim/solvers/direct/simd/pairs.hpp"

#include <algorithm>
#include <type_traits>

#include "sim/forces/list.hpp"
#include "sim/forces/pair_law.hpp"
#include "sim/pair_order.hpp"
#include "sim/solvers/direct/simd/bodies.hpp"
#include "sim/solvers/direct/simd/foreign.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using std::size_t;

template <class P>
double softening2_of(const ParticleView& f) {
  return P::floats ? f.softening2 * f.length * f.length : f.softening2;
}

/// Adds the action of `count` bodies from j on, in a tile, on V vectors of bodies from i on, in ascending order.
/// `first`: the sums start from zero.
template <class Law, class P, Outputs outputs, size_t V>
HWY_INLINE void column(const Law& law, const ParticleView& f, const Tile<P, outputs>& tile, size_t j, size_t count,
                       size_t i, SumsView on, bool first) {
  using T = typename P::Number;
  using Real = Lanes<T, V, P::exact_root>;
  constexpr size_t wide = V * width<T>;
  Places<P, outputs, wide> places;
  places.load(f, i, wide);
  const auto x = Point<P, V>::load(places.x, 0);
  // Indices of bodies i in the tile, negative before it.
  const double offset = i < j ? -static_cast<double>(j - i) : static_cast<double>(i - j);
  Real index;
  for (size_t v = 0; v < V; ++v) {
    index.v[v] = hn::Iota(Tag<T>(), static_cast<T>(offset + static_cast<double>(v * width<T>)));
  }
  Sums<Real, outputs> sum;
  if constexpr (!P::floats) {
    if (!first) {
      sum.each([&](size_t q, Real & one) HWY_ATTR
               __attribute__((always_inline)) { one = Real::load(on.values + q * on.stride); });
    }
  }
  const Real softening2(softening2_of<P>(f));
  const auto add = [&](const auto& form, size_t k, auto is_among_i) HWY_ATTR __attribute__((always_inline)) {
    if (tile.places.w[k] == 0) return;
    const Real wj(hn::Set(Tag<T>(), tile.places.w[k]));
    Pair<Real, outputs> pair(form, Point<P, V>::of_one(tile.places.x, k) - x, softening2, [&]() HWY_ATTR {
      return Point<P, V>::of_one(tile.places.v, k) - Point<P, V>::load(places.v, 0);
    });
    if constexpr (asks<decltype(form)>) return;
    // No body acts on itself.
    if constexpr (is_among_i) {
      pair.mask([&](Real value) HWY_ATTR { return unless_equal(index, static_cast<double>(k), value); });
    }
    sum.add_to_i(pair, wj);
  };
  const size_t from = std::clamp(i, j, j + count) - j, to = std::clamp(i + wide, j, j + count) - j;
  // One loop for those before and those behind, since each contains the whole pair.
  over_block<group_size * wide, outputs>(
      law, [&](const auto& form) HWY_ATTR __attribute__((always_inline)) {
#pragma GCC unroll 1
        for (size_t k = 0, end = from; k < count; end = count) {
          for (; k < end; ++k) add(form, k, std::false_type());
          for (; k < to; ++k) add(form, k, std::true_type());
        }
      });
  HWY_ALIGN T kept[wide];
  sum.each([&](size_t q, const Real& one) HWY_ATTR {
    one.store(kept);
    for (size_t v = 0; v < wide; v += width<T>)
      accumulate(on.values + q * on.stride + v, kept + v, !P::floats || first);
  });
}

template <class Law, class P, Outputs outputs>
void within(const ParticleView& f, size_t begin, size_t end, SumsView on) {
  constexpr size_t wide = width<typename P::Number>;
  const Law law = law_of<Law>(f);
  Tile<P, outputs> tile;
  // Short sums in float, since their error grows with the number of terms; and blocks of pairs that stay in the cache.
  constexpr size_t at_once = P::floats || is_function<Law> ? group_size : tile_size;
  for (size_t j = begin; j < end; j += at_once) {
    const size_t count = std::min(at_once, end - j);
    tile.places.load(f, j, count);
    size_t i = begin;
    const auto act = [&](auto vectors) HWY_ATTR {
      column<Law, P, outputs, vectors>(law, f, tile, j, count, i, {on.values + (i - begin), on.stride}, j == begin);
      i += vectors * wide;
    };
    // NOLINTBEGIN(bugprone-infinite-loop): `act` advances i
    // The scalar target calls the library for each fma: wider columns are no faster there and take long to compile.
    if constexpr (HWY_TARGET != HWY_SCALAR) {
      while (i + 3 * wide < end) act(std::integral_constant<size_t, 4>());
      while (i + wide < end) act(std::integral_constant<size_t, 2>());
    }
    while (i < end) act(std::integral_constant<size_t, 1>());
    // NOLINTEND(bugprone-infinite-loop)
  }
}

/// All 32 rotations of a group against a tile. `whole`: all of their bodies are sources.
template <class Law, class P, Outputs outputs, bool whole>
HWY_INLINE void rotate(const Law& law, Tile<P, outputs>& tile, Group<P, outputs>& group, double softening) {
  using T = typename P::Number;
  using Real = Lanes<T, 1, P::exact_root>;
  const Real softening2(softening);
  // A function of the program is called for so many rotations at once: for few, the calls themselves cost, for more, its arrays
  // leave the first cache.
  constexpr size_t turns = is_function<Law> ? 8 : 1;
  for (size_t first = 0; first < group_size; first += turns) {
    over_block<turns * tile_size, outputs>(
        law, [&](const auto& form) HWY_ATTR __attribute__((always_inline)) {
          for (size_t t = first; t < first + turns; ++t) {
            if constexpr (!asks<decltype(form)>) group.carry(t);
            for (size_t lane = 0; lane < group_size; lane += width<T>) {
              const size_t o = t + lane;
              const auto xj = Point<P, 1>::load(group.places.x, o);
              const Real wj = Real::load(group.places.w + o);
              auto on_j = load<Real, outputs>(group.sum, o);
#pragma GCC unroll 4
              for (size_t k = lane; k < tile_size; k += group_size) {
                const Pair<Real, outputs> pair(
                    form, xj - Point<P, 1>::load(tile.places.x, k), softening2, [&]() HWY_ATTR {
                      return Point<P, 1>::load(group.places.v, o) - Point<P, 1>::load(tile.places.v, k);
                    });
                if constexpr (asks<decltype(form)>) continue;
                const Real wi = Real::load(tile.places.w + k);
                const auto by = [&](Real weight) HWY_ATTR __attribute__((always_inline)) {
                  auto counted = pair;
                  if constexpr (!whole)
                    counted.mask([&](Real value) HWY_ATTR { return unless_equal(weight, 0.0, value); });
                  return counted;
                };
                auto on_i = load<Real, outputs>(tile.sum, k);
                on_i.add_to_i(by(wj), wj);
                store(on_i, tile.sum, k);
                on_j.add_to_j(by(wi), wi);
              }
              store(on_j, group.sum, o);
            }
          }
        });
  }
  group.carry(group_size);
}

template <class T>
bool all_sources(const T* weights, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    if (weights[k] == 0) return false;
  }
  return true;
}

template <class Law, class P, Outputs outputs>
void between(const ParticleView& f, size_t I, size_t J, size_t chunk, SumsView on_i, SumsView on_j) {
  using T = typename P::Number;
  const size_t end = std::min(J + chunk, f.n);
  const Law law = law_of<Law>(f);
  Tile<P, outputs> tile;
  Group<P, outputs> group;
  for (size_t i = 0; i < chunk; i += tile_size) {
    tile.begin(f, I + i);
    const bool sources = all_sources(tile.places.w, tile_size);
    const auto keep = [&](bool first) HWY_ATTR {
      for (size_t q = 0; q < outputs_per_body(outputs); ++q) {
        for (size_t k = 0; k < tile_size; k += width<T>)
          accumulate(on_i.values + q * on_i.stride + i + k, tile.sum[q] + k, first);
      }
    };
    for (size_t j = J; j < end; j += group_size) {
      group.begin(f, j);
      if (sources && all_sources(group.places.w, group_size)) {
        rotate<Law, P, outputs, true>(law, tile, group, softening2_of<P>(f));
      } else {
        rotate<Law, P, outputs, false>(law, tile, group, softening2_of<P>(f));
      }
      for (size_t q = 0; q < outputs_per_body(outputs); ++q) {
        double* on = on_j.values + q * on_j.stride + (j - J);
        for (size_t k = 0; k < group_size; k += width<T>) accumulate(on + k, group.sum[q] + group_size + k, i == 0);
      }
      if constexpr (P::floats) keep(j == J), tile.clear();
    }
    if constexpr (!P::floats) keep(true);
  }
}

/// The order of sources: of a body's own chunk, of a later chunk, or of an earlier one.
enum class Way { own, upwards, downwards };

/// V vectors of bodies of one group, and their sums over runs of sources.
template <class Law, class P, Outputs outputs, size_t V>
class Walk {
  using T = typename P::Number;
  using Real = Lanes<T, V, P::exact_root>;
  static constexpr size_t wide = V * width<T>;

 public:
  HWY_INLINE Walk(const ParticleView& f, size_t first)
      : law_(law_of<Law>(f)), softening2_(softening2_of<P>(f)), first_(first) {
    places_.load(f, first, wide);
    for (size_t v = 0; v < V; ++v) {
      lane_.v[v] = hn::Iota(Tag<T>(), static_cast<T>(first % group_size + v * width<T>));
    }
  }

  /// Adds the sources of a run: in ascending order within the own chunk; else cyclically, first those from a body's own
  /// lane on, then those before it. One function for all three, since the whole pair is inlined here.
  HWY_INLINE void add_run(const ParticleView& f, const std::vector<std::uint32_t>& sources, const SourceList::Run& run,
                          Way way) {
    run_.load(f, run.begin, run.end - run.begin);
    const size_t low = first_ % group_size, high = low + wide - 1;
    const bool own = way == Way::own, upwards = way == Way::upwards;
    for (const bool begun : {false, true}) {
      if (own && begun) break;
      over_block<tile_size * wide, outputs>(
          law_, [&](const auto& form) HWY_ATTR __attribute__((always_inline)) {
            for (size_t k = run.begin; k < run.end; ++k) {
              const size_t lane = sources[k] % group_size;
              const bool none = begun ? (upwards ? high <= lane : low >= lane) : (upwards ? low > lane : high < lane);
              if (!own && none) continue;
              Real w = Real(hn::Set(Tag<T>(), run_.w[k - run.begin]));
              if (!own) w = masked_weight(begun, upwards, lane, w);
              auto pair = pair_with(form, k - run.begin);
              if constexpr (asks<decltype(form)>) continue;
              if (own && sources[k] - first_ < wide) {
                const auto at = static_cast<double>(lane);
                pair.mask([&](Real value) HWY_ATTR { return unless_equal(lane_, at, value); });
              }
              sum_.add_to_i(pair, w);
            }
          });
    }
  }
  /// Adds the sums to `to` in double, and resets them.
  HWY_INLINE void flush_to(double (&to)[outputs_per_body(outputs)][wide]) {
    HWY_ALIGN T kept[wide];
    sum_.each([&](size_t q, const Real& one) HWY_ATTR {
      one.store(kept);
      for (size_t v = 0; v < wide; v += width<T>) accumulate(to[q] + v, kept + v, false);
    });
    sum_ = {};
  }

 private:
  /// Returns w for bodies that reach a source in `lane` before they wrap around, or after it if `begun`; else 0.
  [[nodiscard]] HWY_INLINE Real masked_weight(bool begun, bool upwards, size_t lane, Real w) const {
    const auto at = hn::Set(Tag<T>(), static_cast<T>(lane));
    for (size_t v = 0; v < V; ++v) {
      const auto is_behind = upwards ? hn::Gt(lane_.v[v], at) : hn::Lt(lane_.v[v], at);
      w.v[v] = begun ? hn::IfThenElseZero(is_behind, w.v[v]) : hn::IfThenZeroElse(is_behind, w.v[v]);
    }
    return w;
  }
  template <class Form>
  [[nodiscard]] HWY_INLINE Pair<Real, outputs> pair_with(const Form& form, size_t k) const {
    const auto x = Point<P, V>::of_one(run_.x, k) - Point<P, V>::load(places_.x, 0);
    return {form, x, softening2_,
            [&]() HWY_ATTR { return Point<P, V>::of_one(run_.v, k) - Point<P, V>::load(places_.v, 0); }};
  }

  Law law_;
  Real softening2_, lane_;
  size_t first_;
  Places<P, outputs, wide> places_;
  Places<P, outputs, tile_size> run_;
  Sums<Real, outputs> sum_;
};

template <class Law, class P, Outputs outputs>
void walk(const ParticleView& f, const SourceFields& sources, size_t begin, size_t end, SumsView on) {
  using T = typename P::Number;
  constexpr size_t vectors = HWY_TARGET == HWY_SCALAR ? 1 : std::min<size_t>(4, group_size / width<T>);
  constexpr size_t wide = vectors * width<T>;
  const SourceList& list = sources.list;
  for (size_t i = begin; i < end; i += wide) {
    Walk<Law, P, outputs, vectors> bodies(f, i);
    HWY_ALIGN double total[outputs_per_body(outputs)][wide] = {};
    for (const SourceList::Chunk& chunk : list.chunks) {
      HWY_ALIGN double sum[outputs_per_body(outputs)][wide] = {};
      const size_t first = chunk.chunk * sources.chunk;
      const bool before = i >= first + sources.chunk;
      const auto& list_of = before ? list.tiles : list.groups;
      const auto& ids = before ? list.by_tile : list.by_group;
      const Way way = before ? Way::downwards : i < first ? Way::upwards : Way::own;
      const size_t begin_run = before ? chunk.first_tile : chunk.first_group;
      const size_t end_run = before ? chunk.last_tile : chunk.last_group;
      for (size_t r = begin_run; r < end_run; ++r) {
        bodies.add_run(before ? sources.by_tile : sources.by_group, ids, list_of[r], way);
        if (P::floats || before || r + 1 == end_run) bodies.flush_to(sum);
      }
      for (size_t q = 0; q < outputs_per_body(outputs); ++q) {
        for (size_t k = 0; k < wide; ++k) total[q][k] += sum[q][k];
      }
    }
    for (size_t q = 0; q < outputs_per_body(outputs); ++q) {
      for (size_t k = 0; k < wide; ++k) on.values[q * on.stride + (i - begin) + k] = total[q][k];
    }
  }
}

template <class Law, class P, Outputs outputs>
constexpr PairKernels loops{within<Law, P, outputs>, between<Law, P, outputs>, walk<Law, P, outputs>};

template <class Law, class P>
constexpr LawKernels kernels_of{
    {loops<Law, P, Outputs::forces>, loops<Law, P, Outputs::potential>, {}},
};
template <class Law>
constexpr LawKernels kernels_of<Law, PairNumbers<Precision::float64>>{
    {loops<Law, PairNumbers<Precision::float64>, Outputs::forces>,
     loops<Law, PairNumbers<Precision::float64>, Outputs::potential>,
     loops<Law, PairNumbers<Precision::float64>, Outputs::jerk>},
};

/// The kernels of every law of a list.
template <class List>
struct Table;
template <class... Law>
struct Table<LawList<Law...>> {
  static_assert(are_pair_laws<Lanes<double>>(LawList<Law...>{}) && are_pair_laws<Lanes<float>>(LawList<Law...>{}) &&
                are_pair_laws<Lanes<float, 1, true>>(LawList<Law...>{}));
  static constexpr LawKernels laws[][precision_count] = {
      {kernels_of<typename Law::Interaction, PairNumbers<Precision::float64>>,
       kernels_of<typename Law::Interaction, PairNumbers<Precision::mixed>>,
       kernels_of<typename Law::Interaction, PairNumbers<Precision::float32>>,
       kernels_of<typename Law::Interaction, PairNumbers<Precision::float32_exact_root>>}...};
};
constexpr PairLoops all{Table<Laws>::laws, &kernels_of<Function, PairNumbers<Precision::float64>>};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::PairLoops& orrery::sim::simd::pair_loops(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
