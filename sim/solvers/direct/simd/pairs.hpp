// SPDX-License-Identifier: MIT
// The pair loops of the cpu backend, compiled once per SIMD target. In float64 all targets give the same bits.
#pragma once

#include <cstddef>

#include "sim/arithmetic.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/force.hpp"
#include "sim/law_parameters.hpp"
#include "sim/precision.hpp"
#include "sim/solvers/direct/sources.hpp"

namespace orrery::sim::simd {

/// Input of a pair loop: padded arrays of n bodies. Velocities are only for the jerk.
struct ParticleView {
  const double *position[3], *velocity[3], *source;
  std::size_t n;
  double softening2;
  LawParameters parameters;  ///< the law's parameters, in scaled lengths
  double length, weight;     ///< powers of two: floats are x·length and source·weight; ignored in double
  const PairFunction* function = nullptr;  ///< of a law that is not compiled
};

/// Sums over pairs for consecutive bodies: `values` is [outputs_per_body(outputs)][stride].
struct SumsView {
  double* values;
  std::size_t stride;
};

/// Sources in the two orders of a SourceList.
struct SourceFields {
  const SourceList& list;
  ParticleView by_group, by_tile;
  std::size_t chunk;  ///< bodies in one
};

/// The loops of one law for one kind of outputs. Sources of weight 0 do not act.
struct PairKernels {
  /// Bodies [begin, end) among themselves. Overwrites on[0 … end − begin), and padding up to a whole vector.
  void (*within)(const ParticleView& field, std::size_t begin, std::size_t end, SumsView on);
  /// Two chunks I < J, given by their first bodies, each pair once. Overwrites `on_i`, and `on_j` for existing bodies.
  void (*between)(const ParticleView& field, std::size_t I, std::size_t J, std::size_t chunk, SumsView on_i,
                  SumsView on_j);
  /// A few sources on bodies [begin, end), in the order of `within` and `between`. Overwrites whole groups of `on`.
  void (*walk)(const ParticleView& field, const SourceFields& sources, std::size_t begin, std::size_t end, SumsView on);
};

struct LawKernels {
  PairKernels outputs[3];  ///< in the order of Outputs
};

struct PairLoops {
  const LawKernels (*laws)[precision_count];  ///< in the order of sim/forces/list.hpp
  const LawKernels* foreign;                  ///< of a law that is a function of the program, in float64
};

const PairLoops& pair_loops(target::avx512);
const PairLoops& pair_loops(target::avx2);
const PairLoops& pair_loops(target::neon);
const PairLoops& pair_loops(target::generic);

}  // namespace orrery::sim::simd
