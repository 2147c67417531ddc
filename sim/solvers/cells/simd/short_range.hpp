// SPDX-License-Identifier: MIT
// The cpu's loops for forces with a cutoff, compiled once for each SIMD target; in double the bits are the same for all.
//
// `T` is double or float: that of positions and velocities too. Arrays of bodies can be read on to `cell_padding` more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/backends/simd/targets.hpp"
#include "sim/law_numbers.hpp"

namespace orrery::sim::simd {

/// Bodies of one block, whose sums stay in the first cache, and how far arrays go on behind the last body.
inline constexpr std::size_t cell_block = 256, cell_padding = 32;

/// Which cell a place is in: cells in rows along x, rows along y, those in planes along z. The number along an axis is
/// (x − low)·inverse, cut off, and held within 0 … last, so that it never falls where x rises: what is outside lies in the
/// outermost cells, and rounding can lose nobody.
template <class T>
struct CellGrid {
  T low[3], inverse[3], last[3];
  std::int32_t step[3];  ///< from a cell to the next one along that axis
};

/// Bodies sorted by the cell that they were in a while ago.
template <class T>
struct CellBodies {
  const T* x[3];   ///< behind the last one NaN
  const T* woven;  ///< the same as x, y, z, 0 of each, where there are lists; behind the last one NaN
  std::size_t n;
  const std::uint32_t* id;  ///< their places in the order of the system
  CellGrid<T> grid;
  const std::uint32_t*
      start;  ///< of each cell; every row but those along x, and every plane, has an empty one behind the last
  T reach;    ///< the cutoff and as far as anybody has moved since; times `slack`·|x| more is rounding
  T slack;
  T cutoff2;
  /// Who is within these meets no images; the others ask for cells around each image. ±infinity along axes that are not joined.
  T inner_low[3], inner_high[3];
  T low[3], high[3];        ///< where the box begins and ends
  T period[3], half[3];     ///< of joined axes; 0 and infinity for others
  bool joined, everywhere;  ///< some axis is; and bodies may be outside
  LawNumbers numbers;
};

/// Where pairs wait: slots of the body and of the other, which is of the width of T.
template <class T>
struct PairRoom {
  using Index = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  Index *i, *j;
  std::size_t size;
  /// Makes room for so many, and keeps what there is.
  void (*grow)(PairRoom& room, std::size_t pairs);
  /// Others of one body by ascending id, where they are many.
  void (*sort)(Index* begin, Index* end, const std::uint32_t* id);
};

/// Whom each body of a block meets, its neighbours within a while: bodies in groups as wide as a vector, each lane with a list of
/// its own by ascending id.
struct ListRoom {
  /// 4·slot of the neighbours: the k-th of all lanes side by side, as many of them as the longest list has; where others end
  /// before, the slot behind the last body, where nobody is.
  std::uint32_t* entries;
  std::size_t size;
  std::uint32_t lengths[cell_block];  ///< of each group: 2·length, and 1 where images come into it
  void (*grow)(ListRoom& room, std::size_t entries);
};

/// What a block of bodies does between two evaluations.
template <class T>
struct Motion {
  const T *a[3], *own;  ///< accelerations but for their factors: each body's own, or the same of all where that is null
  T same;
  T kicks[8];  ///< v ← v + dt·(s·a)
  std::size_t kick_count;
  bool drifts;
  T dt;  ///< to ← x + dt·v
  T* v[3];
  const T* x[3];
  T* to[3];
  T low[3], high[3];  ///< infinite where there is no end
};

/// The greatest component of velocities and the greatest square of one, leaving out what is no number.
template <class T>
struct Fastest {
  T component = 0, square = 0;
};

/// Loops that know nothing of laws.
template <class T>
struct MotionKernels {
  /// cell[k] ← that of body begin + k
  void (*place)(const CellGrid<T>& grid, const T* const* x, std::size_t dimensions, std::size_t begin, std::size_t end,
                std::uint32_t* cell);
  /// a ← s·a, all with one s or each with its own.
  void (*respond)(T* a, T same, const T* own, std::size_t n);
  /// Kicks and a drift; gives back how many slots it wrote to `outside`: of those that are not in [low, high) then.
  std::size_t (*move)(const Motion<T>& motion, std::size_t dimensions, std::size_t n, Fastest<T>& fastest,
                      std::uint32_t* outside);
  /// to[4k + q] ← x[q][k]
  void (*weave)(T* to, const T* const* x, std::size_t dimensions, std::size_t n);
  /// Lists of all within b.cutoff2; for two and three dimensions.
  void (*list[2])(const CellBodies<T>& bodies, PairRoom<T>& room, std::size_t begin, std::size_t end, ListRoom& lists);
};

template <class T>
struct SumKernels {
  /// Of bodies begin … end, at most a block: sums of c·d, and where potentials are wanted of u and c·r².
  void (*sum[2])(const CellBodies<T>& bodies, PairRoom<T>& room, std::size_t begin, std::size_t end, T* const* sums);
  /// The same by lists.
  void (*sum_listed[2])(const CellBodies<T>& bodies, const ListRoom& lists, std::size_t begin, std::size_t end,
                        T* const* sums);
};

template <class T>
struct CellLoops {
  MotionKernels<T> motion;
  const SumKernels<T> (*laws)[2];  ///< in the order of sim/forces/list.hpp; for two and three dimensions
};

struct ShortRangeLoops {
  CellLoops<double> in_double;
  CellLoops<float> in_float;
};

const ShortRangeLoops& short_range_loops(target::avx512);
const ShortRangeLoops& short_range_loops(target::avx2);
const ShortRangeLoops& short_range_loops(target::neon);
const ShortRangeLoops& short_range_loops(target::generic);

}  // namespace orrery::sim::simd
