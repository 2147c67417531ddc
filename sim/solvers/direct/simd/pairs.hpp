// SPDX-License-Identifier: MIT
// The loops over pairs of the cpu backend, compiled once for each SIMD target; in float64 the bits are the same for all.
#pragma once

#include <cstddef>

#include "sim/arithmetic.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/law_numbers.hpp"
#include "sim/precision.hpp"
#include "sim/solvers/direct/sources.hpp"

namespace orrery::sim::simd {

/// The bodies as a pair loop sees them: arrays of `stride` doubles, the first n of which are bodies. Velocities count for
/// the jerk alone.
struct ParticleView {
  const double *position[3], *velocity[3], *source;
  std::size_t n;
  double softening2;
  LawNumbers numbers;     ///< the law's own, in the lengths that it sees
  double length, weight;  ///< powers of two: floats are x·length and source·weight; doubles know nothing of them
};

/// Sums over pairs for bodies in a row: `values` is [sums_of(wanted)][stride].
struct SumsView {
  double* values;
  std::size_t stride;
};

/// Sources in the two orders of a SourceList, as the bodies of a field each.
struct SourceFields {
  const SourceList& list;
  ParticleView by_group, by_tile;
  std::size_t chunk;  ///< bodies in one
};

/// The loops of one law for what is wanted. Sources of weight 0 are left out of all sums.
struct PairKernels {
  /// Bodies begin … end among themselves. Overwrites on[0 … end − begin), and padding up to a whole vector.
  void (*within)(const ParticleView& field, std::size_t begin, std::size_t end, SumsView on);
  /// Two chunks I < J, given by their first bodies, each pair once. Overwrites `on_i` and as many of `on_j` as there are.
  void (*between)(const ParticleView& field, std::size_t I, std::size_t J, std::size_t chunk, SumsView on_i,
                  SumsView on_j);
  /// What all sources do to bodies begin … end, group by group, in the order of the other two: for few sources. Overwrites
  /// whole groups of on[0 …).
  void (*walk)(const ParticleView& field, const SourceFields& sources, std::size_t begin, std::size_t end, SumsView on);
};

struct LawKernels {
  PairKernels outputs[3];  ///< in the order of Outputs
};

struct PairLoops {
  const LawKernels (*laws)[precision_count];  ///< in the order of sim/forces/list.hpp
};

const PairLoops& pair_loops(target::avx512);
const PairLoops& pair_loops(target::avx2);
const PairLoops& pair_loops(target::neon);
const PairLoops& pair_loops(target::generic);

}  // namespace orrery::sim::simd
