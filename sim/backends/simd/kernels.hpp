// SPDX-License-Identifier: MIT
// The inner loops of the cpu backend, compiled once for each SIMD target; in float64 the bits are the same for all.
//
// kernels.cpp is compiled with the flags of its target, so it may define no function that other files share: a linker
// would keep either copy, and an old processor would meet instructions it does not know (a test looks at the symbols).
#pragma once

#include <cstddef>
#include <span>

#include "sim/arithmetic.hpp"

namespace orrery::sim::simd {

/// The bodies as a pair loop sees them: arrays of `stride` doubles, the first n of which are bodies. Velocities count for
/// the jerk alone.
struct Field {
  const double *position[3], *velocity[3], *source;
  std::size_t n;
  double softening2;
  double number;          ///< the law's own
  double length, weight;  ///< powers of two: floats are x·length and source·weight; doubles know nothing of them
};

/// Sums over pairs for bodies in a row: `values` is [sums_of(wanted)][stride].
struct SumsView {
  double* values;
  std::size_t stride;
};

/// The loops of one law for what is wanted.
struct PairKernels {
  /// Bodies begin … end among themselves. Overwrites on[0 … end − begin), and padding up to a whole vector.
  void (*within)(const Field& field, std::size_t begin, std::size_t end, SumsView on);
  /// Two chunks I < J, given by their first bodies, each pair once. Overwrites `on_i` and as many of `on_j` as there are.
  void (*between)(const Field& field, std::size_t I, std::size_t J, std::size_t chunk, SumsView on_i, SumsView on_j);
};

struct LawKernels {
  PairKernels wanted[3];  ///< in the order of Wanted
};

/// A moment of up to sum_block bodies, in arrays that can be read on to a whole vector.
struct Moment {
  const double *mass, *position[3], *velocity[3], *potential;
  std::size_t n;
};

/// What a system without friction or walls keeps.
struct Conserved {
  double kinetic_energy, potential_energy, angular_momentum[3];
};

/// What the arithmetic of a pair is done in: a column of Kernels::laws.
enum class Numbers { float64, mixed, float32, float32_exact_root };
inline constexpr std::size_t kinds_of_numbers = 4;

struct Kernels {
  const char* name;
  const LawKernels (*laws)[kinds_of_numbers];  ///< in the order of sim/forces/list.hpp
  /// target[i] ← Σₖ factors[k] · sources[k][i] in the manner of Backend::combine, for `count` doubles.
  void (*combine)(double* target, const double* const* sources, const double* factors, std::size_t terms,
                  std::size_t count);
  /// total[i] ← total[i] (or 0) + parts[i] + parts[step + i] + …, so many in this order; for `count` doubles and on to a
  /// multiple of 32.
  void (*add)(double* total, const double* parts, std::size_t step, std::size_t number, bool from_zero,
              std::size_t count);
  /// target[i] ← response[i] · (unit · sums[i]), or that added to target[i] in one operation; for `count` doubles;
  /// 0 from there on to a whole vector.
  void (*respond)(double* target, const double* sums, const double* response, double unit, bool added,
                  std::size_t count);
  /// The sums over all bodies, in the canonical tree of sim/observables.hpp.
  Conserved (*conserved)(const Moment& moment);
};

/// The targets that were compiled and that this processor has, best first. The last one runs everywhere.
std::span<const Kernels* const> available_kernels();

}  // namespace orrery::sim::simd
