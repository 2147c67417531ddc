// SPDX-License-Identifier: MIT
// What the device can be asked to do; every call returns at once and the work is done in the order of its stream.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/backends/cuda/device.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"
#include "sim/pair_order.hpp"

#ifdef __CUDACC__
#define ORRERY_DEVICE __host__ __device__
#else
#define ORRERY_DEVICE
#endif

namespace orrery::sim::cuda {

/// The status, a cudaError_t, of the kernels' code on the current device: whether it was compiled for this one.
int kernels_present();
/// Whether that code is for compute capability 9.0 or newer, so that a kernel waits for the one that it came close behind,
/// and this CUDA keeps such a start when it is recorded.
bool kernels_overlap();

/// Bodies as forces act on them, and where these go. Columns: [3][stride].
struct Targets {
  const double *position, *velocity;
  std::size_t n, stride;
  Outputs outputs;
  double *acceleration, *potential, *jerk;
};

/// Sums over parts of the bodies that wait to be added in the order of the parts: a ← s·(unit · Σ), and the potential or the
/// jerk likewise; added to what is there unless `first`. Bodies come in pieces of 2^shift; of piece K, part c has its sums at
/// values[(K·parts + c)·sums_of(wanted)·row …], [sums_of(wanted)][row].
struct Partials {
  const void* values;  ///< double, or float where `single`; null: none wait
  bool single, first;
  Outputs outputs;
  unsigned parts, shift;
  std::size_t row;
  const double* response;
  double unit, potential_unit;
  double *acceleration, *potential, *jerk;
  friend bool operator==(const Partials&, const Partials&) = default;
};
/// The shift of bodies that are all in one piece.
inline constexpr unsigned one_piece = 63;

/// A state of which the observables are wanted. Columns: [3][stride].
struct ObservedState {
  const double *mass, *position, *velocity, *potential, *virial;  ///< virial: null where no law has a cutoff
  std::size_t n, stride;
  friend bool operator==(const ObservedState&, const ObservedState&) = default;
};

/// Work on every number of the state, one thread a number: sums over chunks, combinations of columns in the order in
/// which they were asked for, and the positions in float.
struct FusedUpdate {
  /// A combination is copy or multiply, then some add, then store. To widen the extremes by the state as it is then takes
  /// all bodies in one block: at most `few`.
  struct Op {
    enum class Verb { copy, multiply, add, store, widen } verb;
    unsigned kept;  ///< which of the kept columns; most_kept: none
    double* column;
    double factor;
    friend bool operator==(const Op&, const Op&) = default;
  };
  static constexpr std::size_t most = 80, few = 64;
  static constexpr unsigned most_kept = 4;
  std::size_t n, stride;
  Partials partials{};
  const double* position = nullptr;        ///< to be given in float too, times `scale`; null: need not be
  float *high = nullptr, *rest = nullptr;  ///< [3][stride]
  double scale = 1;
  ObservedState moment{};  ///< whose observables widen the extremes
  double* extremes = nullptr;
  double* kept[most_kept] = {};  ///< columns that threads load once and hold
  unsigned kept_count = 0;
  int count = 0;
  Op ops[most] = {};
  friend bool operator==(const FusedUpdate&, const FusedUpdate&) = default;
};
void carry_out(const FusedUpdate& update, StreamHandle stream);

/// What the domain does to bodies that have drifted. `image`: the column of images, or null.
void cross(const Domain& domain, double* position, double* velocity, double* image, std::size_t n, std::size_t stride,
           StreamHandle stream);

/// a ← a + g of an external field and, as wanted, its share of the potential or dg/dt to the jerk.
void add_field(std::size_t law, const LawNumbers& numbers, const Targets& to, StreamHandle stream);

/// Mass, two energies, momentum, angular momentum, moments of mass, the virial.
inline constexpr std::size_t observable_count = 13;
/// Blocks whose sums a scratch of `observe` holds, observable_count of each.
constexpr std::size_t sum_rows(std::size_t n) {
  return (n + sum_block - 1) / sum_block;
}
/// sums[q] ← Σ of the terms of observable q as a canonical tree. A scratch holds observable_count · sum_rows(n).
void observe(const ObservedState& moment, double* scratch_a, double* scratch_b, double* sums, StreamHandle stream);

/// Extremes on the device: the number of states; the least of the energy and of the angular momentum, then the greatest. They
/// begin as zeros.
inline constexpr std::size_t kept_extremes = 4, extreme_count = 1 + 2 * kept_extremes;
/// Widens them by the observables that `observe` gave.
void widen_extremes(const double* sums, double* extremes, StreamHandle stream);

}  // namespace orrery::sim::cuda
