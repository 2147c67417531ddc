// SPDX-License-Identifier: MIT
// Kernels for particles that several ranks share: each rank sorts those in its layers of cells.
#pragma once

#include <cstddef>

#include "sim/backends/cuda/exchange.hpp"
#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim::cuda {

/// Sorting the particles of one rank by its cells, from buffers to other ones.
struct SharedSort {
  Places from, to;
};
/// Where other ranks have the same memory, in bytes from that of this rank, `own`.
struct Departure {
  std::ptrdiff_t shift[Signals::max_peers + 1];  ///< of each rank
  int own;
  Signals signals;
};
/// Layers of another rank, whose particles have arrived `shift` places after those in its own buffer: from `begin` on.
struct Halo {
  Layers layers;
  unsigned begin, count, shift;
};

/// Launches of these kernels.
template <class T, class V>
struct SharedSorting {
  /// Counts the particles of each layer, in `count`. Each rank has all of them.
  static void count_layers(const Particles<T, V>& particles, const Places& at, StreamHandle stream);
  /// Counts the particles of this rank in their cells. Those in cells of other ranks are listed in `to` if they are
  /// `leaving`.
  static void count(const Particles<T, V>& particles, const SharedSort& sort, bool leaving, StreamHandle stream);
  /// Copies the first `count` particles that are listed in `to` there.
  static void gather_leaving(const Particles<T, V>& particles, const SharedSort& sort, unsigned count,
                             StreamHandle stream);
  /// Copies the particles that are listed in `to` to all other ranks, after the particles of each in `from`.
  static void send_leaving(const Particles<T, V>& particles, const SharedSort& sort, const Departure& departure,
                           StreamHandle stream);
  /// Counts those that have arrived from other ranks.
  static void count_arrivals(const Particles<T, V>& particles, const SharedSort& sort, StreamHandle stream);
  /// Counts become starts of cells, and the control block is ready for passes, unless less than `search.moves` drifts were
  /// carried out. `halo`: layers at each end that other ranks know.
  static void start_cells(const Particles<T, V>& particles, int halo, unsigned char* scratch, std::size_t bytes,
                          StreamHandle stream);
  /// Moves the particles that were counted to their cells, and resets counts to 0, if the control block is ready.
  static void place(const Particles<T, V>& particles, const SharedSort& sort, StreamHandle stream);
  /// Completes the starts of cells with those of a halo, after its particles have arrived.
  static void append_halo(const Particles<T, V>& particles, const Halo& halo, StreamHandle stream);
};

}  // namespace orrery::sim::cuda
