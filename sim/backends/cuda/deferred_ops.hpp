// SPDX-License-Identifier: MIT
// Deferred operations: everything between two force evaluations of a step becomes one kernel launch.
#pragma once

#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Positions times `scale` as sums of two floats, [3][stride] each.
struct Floats {
  float *high, *rest;
  double scale;
};

class DeferredOps {
 public:
  DeferredOps(std::size_t n, std::size_t stride) : update_{.n = n, .stride = stride} {}

  /// Returns whether a combination of `terms` terms still fits.
  [[nodiscard]] bool has_room(std::size_t terms) const {
    return static_cast<std::size_t>(update_.count) + terms + 1 <= FusedUpdate::most;
  }
  /// Adds a term to the present combination.
  void add(double* source, double factor, bool is_first) {
    const Verb first = factor == 1.0 ? Verb::copy : Verb::multiply;
    update_.ops[update_.count++] = {is_first ? first : Verb::add, keep(source), source, factor};
  }
  /// Ends the present combination.
  void store(double* target) { update_.ops[update_.count++] = {Verb::store, keep(target), target, 0}; }
  /// Sets the sums over chunks. They precede all combinations, so nothing else may be deferred yet.
  void add(const Partials& partials) { update_.partials = partials; }

  /// Widens the extremes by `state` after all deferred operations, for at most FusedUpdate::few bodies.
  void widen(double* extremes, const ObservedState& state) {
    update_.extremes = extremes;
    update_.state = state;
    update_.ops[update_.count++] = {Verb::widen, FusedUpdate::max_kept, nullptr, 0};
  }

  void invalidate_floats() { floats_scale_ = 0; }
  /// Converts positions to floats unless they are up to date at this scale; returns whether it does.
  bool make_floats(const double* position, const Floats& floats) {
    if (floats_scale_ == floats.scale) return false;
    floats_scale_ = floats.scale;
    update_.position = position;
    update_.high = floats.high;
    update_.rest = floats.rest;
    update_.scale = floats.scale;
    return true;
  }

  [[nodiscard]] const FusedUpdate& update() const { return update_; }
  [[nodiscard]] bool empty() const {
    return update_.partials.values == nullptr && update_.count == 0 && update_.position == nullptr;
  }
  /// Discards the operations after another kernel carried them out.
  void clear() { update_ = {.n = update_.n, .stride = update_.stride}; }
  void carry_out(StreamHandle stream) {
    if (empty()) return;
    cuda::carry_out(update_, stream);
    clear();
  }

  friend bool operator==(const DeferredOps&, const DeferredOps&) = default;

 private:
  using Verb = FusedUpdate::Op::Verb;

  /// Returns the index of a kept column: the first few that occur, which are all columns of most integrators.
  unsigned keep(double* column) {
    unsigned k = 0;
    while (k < update_.kept_count && update_.kept[k] != column) ++k;
    if (k == update_.kept_count && k < FusedUpdate::max_kept) update_.kept[update_.kept_count++] = column;
    return k;
  }

  FusedUpdate update_;
  double floats_scale_ = 0;  ///< of the positions in floats; 0: out of date
};

}  // namespace orrery::sim::cuda
