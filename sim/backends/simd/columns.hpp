// SPDX-License-Identifier: MIT
// Loops of the cpu backend over all bodies, compiled once per SIMD target; the bits are the same for all.
#pragma once

#include <cstddef>

#include "sim/backends/simd/targets.hpp"

namespace orrery::sim::simd {

/// A state of at most sum_block bodies; arrays can be read up to a whole vector.
struct ObservedState {
  const double *mass, *position[3], *velocity[3], *potential;
  std::size_t n;
};

/// Conserved quantities of a closed system.
struct Conserved {
  double kinetic_energy, potential_energy, angular_momentum[3];
};

/// Independent chains x ← a·x + b, in one number type.
struct FmaChains {
  std::size_t each_round;  ///< fused multiply-adds per round: chains × lanes
  /// Runs `rounds` rounds. The result depends on all of them, so that no compiler can omit any.
  double (*run)(std::size_t rounds);
};

struct ColumnKernels {
  /// target[i] ← Σₖ factors[k] · sources[k][i] as Backend::combine, for `count` doubles.
  void (*combine)(double* target, const double* const* sources, const double* factors, std::size_t terms,
                  std::size_t count);
  /// total[i] ← total[i] (or 0) + parts[i] + parts[step + i] + …, `number` terms in this order, for `count` doubles
  /// rounded up to a multiple of 32.
  void (*add)(double* total, const double* parts, std::size_t step, std::size_t number, bool from_zero,
              std::size_t count);
  /// target[i] ← target_factor[i] · (unit · sums[i]), or target[i] + that in one operation if `added`, for `count` doubles;
  /// 0 beyond, up to a whole vector.
  void (*respond)(double* target, const double* sums, const double* target_factor, double unit, bool added,
                  std::size_t count);
  /// to[k] ← x[k]^(−1/2) or x[k]^(−3/2) as in pair loops, for `count` doubles in arrays without padding.
  void (*inverse_root)(const double* x, double* to, std::size_t count);
  void (*inverse_cube)(const double* x, double* to, std::size_t count);
  /// Sums over all bodies, in the canonical tree of sim/observables.hpp.
  Conserved (*conserved)(const ObservedState& state);
  /// The squared distance of the closest two of at most `few_bodies` bodies, of which closest_of_few gives the numbers;
  /// infinite if there is no pair.
  double (*closest)(const double* const* position, std::size_t n, const double* periods);
  /// Fused multiply-adds in registers only: the peak rate, for comparison with pair loops.
  FmaChains fma_in_double, fma_in_float;
};

const ColumnKernels& column_kernels(Target target);
const ColumnKernels& column_kernels(target::avx512);
const ColumnKernels& column_kernels(target::avx2);
const ColumnKernels& column_kernels(target::neon);
const ColumnKernels& column_kernels(target::generic);

}  // namespace orrery::sim::simd
