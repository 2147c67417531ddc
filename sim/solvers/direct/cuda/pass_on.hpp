// SPDX-License-Identifier: MIT
// The last kernel of an evaluation that several GPUs share.
#pragma once

#include "sim/backends/cuda/exchange.hpp"
#include "sim/solvers/direct/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Where the sums of one rank go. Arrays: [sums][stride].
struct PassedOn {
  std::size_t begin, end;  ///< bodies whose sums are complete now; later ones go to the next rank
  std::size_t stride;
  const double* running;                     ///< of the ranks before, once they have signalled it
  double* next;                              ///< of the next rank
  double* complete[Signals::max_peers + 1];  ///< of all ranks
  Signals signals;
};
/// Queues: adds the sums of a rank's band to the running ones, sends them, and waits for those of other ranks.
template <class Number>
void pass_on(const Slots<Number>& band, std::size_t sums, std::size_t n, const PassedOn& to, StreamHandle stream);

}  // namespace orrery::sim::cuda
