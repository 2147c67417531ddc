// SPDX-License-Identifier: MIT
// What the device can be asked to do; every call returns at once and the work is done in order.
#pragma once

#include <cstddef>

#include "sim/external_field.hpp"

namespace orrery::sim::cuda {

/// The status, a cudaError_t, of the kernels' code on the current device: whether it was compiled for this one.
int kernels_present();

/// Where a thread finds the other bodies: in global memory, or in tiles that its block brings to shared memory.
enum class PairKernel { direct, tiled };

/// How the pair kernel is launched. No bit depends on it: a tile has 128 bodies whatever the block.
struct Launch {
  PairKernel kernel = PairKernel::tiled;
  int block = 128;  ///< threads in a block: a multiple of 32, at most 512
  int unroll = 4;   ///< steps of the inner loop written out: 1, 2, 4 or 8
};

/// The bodies as a pair loop sees them.
struct Field {
  const double *x, *y, *z, *source;
  std::size_t n, stride, chunk;
  double softening2, number;
};

/// partial[c][q][i] ← what chunk c does to body i, in the canonical order. [chunks][4][stride]
void sum_pairs(const Launch& launch, std::size_t law, bool with_potential, const Field& field, double* partial);

/// a ← s Σ partials in the order of the chunks, and the potential likewise; added to what is there unless `first`.
void add_partials(const double* partial, std::size_t chunks, std::size_t n, std::size_t stride, bool with_potential,
                  const double* response, bool first, double* acceleration, double* potential);

/// a ← a + g of an external field and, if asked, its share of the potential.
void add_field(std::size_t law, const FieldNumbers& numbers, const double* position, std::size_t n, std::size_t stride,
               bool with_potential, double* acceleration, double* potential);

/// At most so many terms, as Backend::combine has them.
struct Combination {
  static constexpr int most = 32;
  const double* sources[most];
  double factors[most];
  int terms;
};
void combine(double* target, const Combination& combination, std::size_t count);

/// Mass, two energies, momentum, angular momentum, moments of mass.
inline constexpr std::size_t observable_count = 12;
void observable_terms(const double* mass, const double* position, const double* velocity, const double* potential,
                      std::size_t n, std::size_t stride, double* terms);
/// sums[q] ← terms[q][0] + … + terms[q][n − 1] as a canonical tree. A scratch holds observable_count · ⌈n/256⌉ doubles.
void canonical_sums(const double* terms, std::size_t n, std::size_t stride, double* scratch_a, double* scratch_b,
                    double* sums);

}  // namespace orrery::sim::cuda
