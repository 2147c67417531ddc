// SPDX-License-Identifier: MIT
// What the device can be asked to do; every call returns at once and the work is done in the order of its stream.
#pragma once

#include <cstddef>

#include "sim/backends/cuda/device.hpp"
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

/// Each pair once; or from both sides, with the other bodies in shared or in global memory.
enum class PairKernel { pair_once, tiled, direct };

inline constexpr int most_threads = 512;

/// How the pair kernel is launched; no bit depends on it.
struct Launch {
  PairKernel kernel;
  int block = 128;  ///< threads in a block, but in pair-once: a multiple of 32, at most 512
  int unroll = 4;   ///< steps of the inner loop written out, but in pair-once: 1, 2, 4 or 8
};

/// The order of pairs: R bodies i in a lane, and chunks. What pair_order.hpp says for float64; in floats, larger ones
/// as soon as there are enough of them to go round.
struct Order {
  std::size_t per_lane, chunk;
};
constexpr Order order_of(bool single, std::size_t n) {
  if (!single) return {bodies_per_lane, chunk_size(n)};
  if (n <= 2048) return {1, 32};
  if (n <= 8192) return {2, 64};
  std::size_t chunk = 256;
  while (chunk * most_chunks < n) chunk *= 2;
  return {8, chunk};
}

/// The bodies as a pair loop sees them. `rest` is what a float leaves of a position; mixed precision alone has it.
/// Velocities count for a jerk, which float64 alone has.
template <class Number>
struct Field {
  const Number *x, *y, *z, *source, *rest_x, *rest_y, *rest_z;
  const double *vx, *vy, *vz;
  std::size_t n, stride;
  Order order;
  Number softening2;
  double number;  ///< the law's own

  [[nodiscard]] ORRERY_DEVICE std::size_t row(Wanted wanted) const { return sums_of(wanted) * stride; }
  [[nodiscard]] ORRERY_DEVICE std::size_t chunks() const { return (n + order.chunk - 1) / order.chunk; }
};

/// partial[c][q][i] ← what chunk c does to body i, in the canonical order. [chunks][sums_of(wanted)][stride]. One function for
/// each precision, in a file of its own: pairs_*.cu.
void sum_pairs_float64(const Launch& launch, std::size_t law, Wanted wanted, const Field<double>& field,
                       double* partial, Stream stream);
void sum_pairs_mixed(const Launch& launch, std::size_t law, Wanted wanted, const Field<float>& field, float* partial,
                     Stream stream);
/// `exact`: 1/√ in place of the GPU's approximation.
void sum_pairs_float32(const Launch& launch, std::size_t law, Wanted wanted, const Field<float>& field, float* partial,
                       Stream stream);
void sum_pairs_float32_exact(const Launch& launch, std::size_t law, Wanted wanted, const Field<float>& field,
                             float* partial, Stream stream);
/// By how much accelerations of mixed precision are too small (inverse_cube_unit).
double mixed_unit(std::size_t law);

/// Bodies as forces act on them, and where these go. Columns: [3][stride].
struct Targets {
  const double *position, *velocity;
  std::size_t n, stride;
  Wanted wanted;
  double *acceleration, *potential, *jerk;
};

/// Partial sums that wait to be added in the order of the chunks: a ← s·(unit · Σ), and the potential or the jerk
/// likewise; added to what is there unless `first`.
struct Partials {
  const void* values;  ///< double, or float where `single`; null: none wait
  bool single, first;
  Wanted wanted;
  std::size_t chunks;
  const double* response;
  double unit, potential_unit;
  double *acceleration, *potential, *jerk;
  friend bool operator==(const Partials&, const Partials&) = default;
};

/// A state of which the observables are wanted. Columns: [3][stride].
struct Moment {
  const double *mass, *position, *velocity, *potential;
  std::size_t n, stride;
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// Work on every number of the state, one thread a number: sums over chunks, combinations of columns in the order in
/// which they were asked for, and the positions in float.
struct Round {
  /// A combination is copy or multiply, then some add, then store. To widen the extremes by the state as it is then takes
  /// all bodies in one block: at most `few`.
  struct Act {
    enum class Verb { copy, multiply, add, store, widen } verb;
    double* column;
    double factor;
    friend bool operator==(const Act&, const Act&) = default;
  };
  static constexpr std::size_t most = 80, few = 64;
  std::size_t n, stride;
  Partials partials{};
  const double* position = nullptr;        ///< to be given in float too, times `scale`; null: need not be
  float *high = nullptr, *rest = nullptr;  ///< [3][stride]
  double scale = 1;
  Moment moment{};  ///< whose observables widen the extremes
  double* extremes = nullptr;
  int count = 0;
  Act acts[most] = {};
  friend bool operator==(const Round&, const Round&) = default;
};
void carry_out(const Round& round, Stream stream);

/// a ← a + g of an external field and, as wanted, its share of the potential or dg/dt to the jerk.
void add_field(std::size_t law, const FieldNumbers& numbers, const Targets& to, Stream stream);

/// Mass, two energies, momentum, angular momentum, moments of mass.
inline constexpr std::size_t observable_count = 12;
/// Blocks whose sums a scratch of `observe` holds, observable_count of each.
constexpr std::size_t sum_rows(std::size_t n) {
  return (n + sum_block - 1) / sum_block;
}
/// sums[q] ← Σ of the terms of observable q as a canonical tree. A scratch holds observable_count · sum_rows(n).
void observe(const Moment& moment, double* scratch_a, double* scratch_b, double* sums, Stream stream);

/// Extremes on the device: the number of states; the least of the energy and of the angular momentum, then the greatest. They
/// begin as zeros.
inline constexpr std::size_t kept_extremes = 4, extreme_count = 1 + 2 * kept_extremes;
/// Widens them by the observables that `observe` gave.
void widen_extremes(const double* sums, double* extremes, Stream stream);

}  // namespace orrery::sim::cuda
