// SPDX-License-Identifier: MIT
// Kernel launches of the cuda backend. Every call is asynchronous.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/backends/cuda/device.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"
#include "sim/extremes.hpp"
#include "sim/pair_order.hpp"

#ifdef __CUDACC__
#define ORRERY_DEVICE __host__ __device__
#else
#define ORRERY_DEVICE
#endif

namespace orrery::sim::cuda {

/// Returns a cudaError_t: success if the kernels were compiled for the current device.
int kernels_present();
/// Returns whether the code is for compute capability 9.0 or newer, so that kernels can wait for their predecessors,
/// and this CUDA keeps the launch attribute in captured graphs.
bool kernels_overlap();

/// Input and output of external fields. Columns: [3][stride].
struct Targets {
  const double *position, *velocity;
  std::size_t n, stride;
  Outputs outputs;
  double *acceleration, *potential, *jerk;
};

/// Partial sums that are still to be added in the order of the parts: a ← s·(unit · Σ), and the potential or the jerk
/// likewise; added to the previous value unless `first`. Bodies come in pieces of 2^shift; part c of piece K has its
/// sums at values[(K·parts + c)·outputs_per_body(outputs)·row …], [outputs_per_body(outputs)][row].
struct Partials {
  const void* values;  ///< double, or float if `single`; null: none
  bool single, first;
  Outputs outputs;
  unsigned parts, shift;
  std::size_t row;
  const double* target_factor;
  double unit, potential_unit;
  double *acceleration, *potential, *jerk;
  friend bool operator==(const Partials&, const Partials&) = default;
};
/// The shift if all bodies are in one piece.
inline constexpr unsigned one_piece = 63;

/// The input of `observe`. Columns: [3][stride].
struct ObservedState {
  const double *mass, *position, *velocity, *potential, *virial;  ///< virial: null if no law has a cutoff
  std::size_t n, stride;
  double periods[3];  ///< Domain::periods
  friend bool operator==(const ObservedState&, const ObservedState&) = default;
};

/// Work on every number of the state, one thread per number: sums over chunks, then combinations of columns in order,
/// then the conversion of positions to float.
struct FusedUpdate {
  /// A combination is copy or multiply, then any number of add, then store. `widen` widens the extremes by the state at
  /// that point; it needs all bodies in one block, so at most `few`.
  struct Op {
    enum class Verb { copy, multiply, add, store, widen } verb;
    unsigned kept;  ///< index of a kept column; max_kept: none
    double* column;
    double factor;
    friend bool operator==(const Op&, const Op&) = default;
  };
  static constexpr std::size_t most = 80, few = few_bodies;
  static constexpr unsigned max_kept = 4;
  std::size_t n, stride;
  Partials partials{};
  const double* position = nullptr;        ///< to be converted to float, times `scale`; null: no conversion
  float *high = nullptr, *rest = nullptr;  ///< [3][stride]
  double scale = 1;
  ObservedState state{};  ///< the input of `widen`
  double* extremes = nullptr;
  double* kept[max_kept] = {};  ///< columns that threads load once and keep in registers
  unsigned kept_count = 0;
  int count = 0;
  Op ops[most] = {};
  friend bool operator==(const FusedUpdate&, const FusedUpdate&) = default;
};
void carry_out(const FusedUpdate& update, StreamHandle stream);

/// Applies the boundary conditions after a drift. `image`: the column of images, or null.
void cross(const Domain& domain, double* position, double* velocity, double* image, std::size_t n, std::size_t stride,
           StreamHandle stream);

/// a ← a + g of an external field; depending on `to.outputs` adds its potential or dg/dt to the jerk.
void add_field(std::size_t law, const LawParameters& parameters, const Targets& to, StreamHandle stream);
/// The same of g, [3][stride], and 2φ, [stride], which were computed on the host.
void add_columns(const double* found, const Targets& to, StreamHandle stream);

/// Mass, kinetic and potential energy, momentum, angular momentum, first moments of mass, virial.
inline constexpr std::size_t observable_count = 13;
/// Returns the number of block sums, observable_count each, that a scratch array of `observe` holds.
constexpr std::size_t sum_rows(std::size_t n) {
  return (n + sum_block - 1) / sum_block;
}
/// sums[q] ← Σ of the terms of observable q as a canonical tree. Scratch arrays: [observable_count][sum_rows(n)].
void observe(const ObservedState& state, double* scratch_a, double* scratch_b, double* sums, StreamHandle stream);

/// Extremes on the device, initially 0: the number of states, the minima of energy and angular momentum, their maxima;
/// then the closest approach: r², body, other; none if `other` is 0.
inline constexpr std::size_t kept_extremes = 4, approach_begin = 1 + 2 * kept_extremes, approach_count = 3,
                             extreme_count = approach_begin + approach_count;
/// Widens the extremes by the observables that `observe` computed.
void widen_extremes(const double* sums, double* extremes, StreamHandle stream);
/// Widens a closest approach, for at most `few_bodies` bodies.
void widen_approach(const ObservedState& state, double* approach, StreamHandle stream);

}  // namespace orrery::sim::cuda
