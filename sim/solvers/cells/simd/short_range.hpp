// SPDX-License-Identifier: MIT
// The CPU's loops for forces with a cutoff, compiled once per SIMD target. In double all targets give the same bits.
//
// `T` is double or float, also for positions and velocities. Arrays of bodies are padded by `cell_padding` numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/backends/simd/targets.hpp"
#include "sim/law_parameters.hpp"

namespace orrery::sim::simd {

/// Bodies of a block, whose sums stay in the first-level cache, and the padding of arrays.
inline constexpr std::size_t cell_block = 256, cell_padding = 32;

/// Cells form rows along x, rows follow each other along y, planes along z. The index along an axis is (x −
/// low)·inverse, truncated and clamped to 0 … last: a monotonic function of x, so that bodies outside belong to the
/// outermost cells and rounding loses none.
template <class T>
struct CellGrid {
  T low[3], inverse[3], last[3];
  std::int32_t step[3];  ///< distance to the next cell along that axis
};

/// Bodies sorted by the cell in which they were at the last sort. Slots are positions in this order.
template <class T>
struct CellBodies {
  const T* x[3];   ///< NaN after the last body
  const T* woven;  ///< x, y, z, 0 of each body, if there are lists; NaN after the last body
  std::size_t n;
  const std::uint32_t* id;  ///< indices in the order of the system
  CellGrid<T> grid;
  const std::uint32_t* start;  ///< first slot of each cell; rows along y and planes end with an empty cell or row
  T reach;                     ///< the cutoff plus the maximum displacement; slack·|x| bounds the rounding error
  T slack;
  T cutoff2;
  /// Bodies within these bounds, ±infinity along open axes, have no images as neighbours.
  T inner_low[3], inner_high[3];
  T low[3], high[3];          ///< bounds of the box
  T period[3], half[3];       ///< of periodic axes; else 0 and infinity
  bool periodic, everywhere;  ///< some axis is periodic; bodies may be outside
  LawParameters parameters;
};

/// A list of pairs of slots, in integers of the width of T.
template <class T>
struct PairRoom {
  using Index = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  Index *i, *j;
  std::size_t size;
  /// Makes room for `pairs` pairs and keeps the present ones.
  void (*grow)(PairRoom& room, std::size_t pairs);
  /// Sorts the neighbours of one body by ascending id, if they are many.
  void (*sort)(Index* begin, Index* end, const std::uint32_t* id);
};

/// Neighbour lists of a block: bodies in groups as wide as a vector, each lane with a list of its own by ascending id.
struct ListRoom {
  /// 4·slot of the k-th neighbours of all lanes side by side. Shorter lists are padded by the slot after the last body.
  std::uint32_t* entries;
  std::size_t size;
  std::uint32_t lengths[cell_block];  ///< of each group: 2·length, plus 1 if images are involved
  void (*grow)(ListRoom& room, std::size_t entries);
};

/// Kicks and a drift of a block of bodies.
template <class T>
struct Motion {
  const T *a[3], *own;  ///< accelerations without factors s; `own`: s of each body, or null if all have `same`
  T same;
  T kicks[8];  ///< v ← v + dt·(s·a)
  std::size_t kick_count;
  bool drifts;
  T dt;  ///< to ← x + dt·v
  T* v[3];
  const T* x[3];
  T* to[3];
  T low[3], high[3];  ///< ±infinity if there is no boundary
};

/// Maximum component and maximum square of velocities, ignoring NaN.
template <class T>
struct Fastest {
  T component = 0, square = 0;
};

/// Loops that do not depend on the law.
template <class T>
struct MotionKernels {
  /// cell[k] ← cell of body begin + k
  void (*place)(const CellGrid<T>& grid, const T* const* x, std::size_t dimensions, std::size_t begin, std::size_t end,
                std::uint32_t* cell);
  /// a ← s·a with s = own[k], or `same` if `own` is null.
  void (*respond)(T* a, T same, const T* own, std::size_t n);
  /// Kicks and a drift; writes the slots that end outside [low, high) to `outside` and returns their number.
  std::size_t (*move)(const Motion<T>& motion, std::size_t dimensions, std::size_t n, Fastest<T>& fastest,
                      std::uint32_t* outside);
  /// to[4k + q] ← x[q][k]
  void (*weave)(T* to, const T* const* x, std::size_t dimensions, std::size_t n);
  /// Lists of all pairs within bodies.cutoff2; for two and three dimensions.
  void (*list[2])(const CellBodies<T>& bodies, PairRoom<T>& room, std::size_t begin, std::size_t end, ListRoom& lists);
};

template <class T>
struct SumKernels {
  /// For bodies [begin, end), at most a block: sums of c·d; in the second one also of u and c·r².
  void (*sum[2])(const CellBodies<T>& bodies, PairRoom<T>& room, std::size_t begin, std::size_t end, T* const* sums);
  /// The same from lists.
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
