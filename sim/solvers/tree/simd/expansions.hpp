// SPDX-License-Identifier: MIT
// The loops over cells of the tree on the processor, compiled once per SIMD target; the bits are the same for all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/arithmetic.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::simd {

/// A cell of the octree and what it is to one force; a cache line, whose first four numbers are read as an array.
struct alignas(64) TreeCell {
  double x, y, z;            ///< centre
  double reach;              ///< radius, later over the opening angle
  std::uint32_t begin, end;  ///< bodies, in the order of the keys
  std::uint32_t first_source, last_source;
  std::uint32_t child, parent;
  std::uint8_t children;
  bool acts;  ///< W is not 0

  [[nodiscard]] bool leaf() const { return children == 0; }
  [[nodiscard]] std::uint32_t bodies() const { return end - begin; }
};
static_assert(sizeof(TreeCell) == 64);

/// Columns in the order of the keys; readable for `lanes` numbers beyond the last.
struct TreeColumns {
  const double *x, *y, *z, *w;
};

/// Distance between the tensors of two cells, in doubles.
constexpr std::size_t tensor_stride(int order) {
  return (static_cast<std::size_t>(tree::size_of(order)) + tree::lanes - 1) / tree::lanes * tree::lanes;
}

/// Input of the far field. Tensors: [cells][tensor_stride].
struct TreeFar {
  const TreeCell* cells;
  const double* moments;
  double softening2;
  int power;  ///< n of c = r^−(n+1)
};

/// Functions of one order.
struct TreeOrder {
  /// Moments of the sources first … last − 1 about (x, y, z).
  void (*leaf_moments)(const TreeColumns& sources, std::size_t first, std::size_t last, const double* centre,
                       double* moments);
  /// Moments of a cell from those of its children, which are beside each other.
  void (*cell_moments)(const TreeCell* cells, const double* moments, std::size_t cell, double* to);
  /// series ← series + the effect of a list of cells: without dipoles the forces, or these and the potential; with dipoles,
  /// which are rarer, both always, since each of these functions takes long to compile.
  void (*m2l[3])(const TreeFar& field, std::size_t target, const std::uint32_t* list, std::size_t count,
                 double* series);
  /// The series of a cell's children from its own: [children][tensor_stride].
  void (*l2l)(const TreeCell* cells, std::size_t cell, const double* series, double* to);
  /// Adds accelerations, and minus the potential if [1]: out[q][i] ← g + out[q][i].
  void (*l2p[2])(const TreeCell& leaf, const double* series, const TreeColumns& bodies, double* const* out);
};

struct TreeLoops {
  TreeOrder orders[tree::greatest_order - tree::min_order + 1];
  /// Σ |w| and Σ |w|·x of sources, canonical sums; with w = null, of 1 in place of |w|.
  void (*weighted_centre)(const TreeColumns& sources, std::size_t first, std::size_t last, double* weight_and_sums);
  /// The greatest square of the distance of bodies from a centre.
  double (*radius2)(const TreeColumns& bodies, std::size_t first, std::size_t last, const double* centre);
  /// reach ← √reach / θ(weight / total), for cells begin … end − 1.
  void (*reaches)(TreeCell* cells, const double* weights, std::size_t begin, std::size_t end, double total, int order,
                  double narrow, double wide);
  /// apart[i]: whether cell `target` and cell list[i] may act by expansions.
  void (*apart)(const TreeCell* cells, std::size_t target, const std::uint32_t* list, std::size_t count,
                std::uint8_t* apart);
};

const TreeLoops& tree_loops(Target target);
const TreeLoops& tree_loops(target::avx512);
const TreeLoops& tree_loops(target::avx2);
const TreeLoops& tree_loops(target::neon);
const TreeLoops& tree_loops(target::generic);

}  // namespace orrery::sim::simd
