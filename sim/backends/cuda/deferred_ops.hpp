// SPDX-License-Identifier: MIT
// Verbs that wait for each other: what a step does between two evaluations of the forces becomes one launch.
#pragma once

#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Where positions are kept in floats: [3][stride] of their high and low parts, after `scale`.
struct Floats {
  float *high, *rest;
  double scale;
};

class DeferredOps {
 public:
  DeferredOps(std::size_t n, std::size_t stride) : update_{.n = n, .stride = stride} {}

  /// Whether a combination of so many terms still fits.
  [[nodiscard]] bool has_room(std::size_t terms) const {
    return static_cast<std::size_t>(update_.count) + terms + 1 <= FusedUpdate::most;
  }
  /// One more term of a combination, the first of which may be a copy; and its end.
  void add(double* source, double factor, bool is_first) {
    using Verb = FusedUpdate::Op::Verb;
    update_.ops[update_.count++] = {!is_first       ? Verb::add
                                    : factor == 1.0 ? Verb::copy
                                                    : Verb::multiply,
                                    keep(source), source, factor};
  }
  void store(double* target) { update_.ops[update_.count++] = {FusedUpdate::Op::Verb::store, keep(target), target, 0}; }
  /// Sums over chunks; they come before all combinations, so nothing else may wait.
  void add(const Partials& partials) { update_.partials = partials; }

  /// Widens the extremes by this moment, after all that waits; at most FusedUpdate::few bodies.
  void widen(double* extremes, const ObservedState& moment) {
    update_.extremes = extremes;
    update_.moment = moment;
    update_.ops[update_.count++] = {FusedUpdate::Op::Verb::widen, FusedUpdate::most_kept, nullptr, 0};
  }

  void floats_are_old() { floats_scale_ = 0; }
  /// Positions in floats, if they are old or have another scale; returns whether they are.
  bool make_floats(const double* position, const Floats& floats) {
    if (floats_scale_ == floats.scale) return false;
    floats_scale_ = floats.scale;
    update_.position = position;
    update_.high = floats.high;
    update_.rest = floats.rest;
    update_.scale = floats.scale;
    return true;
  }

  /// What waits, if anything does.
  [[nodiscard]] const FusedUpdate& update() const { return update_; }
  [[nodiscard]] bool empty() const {
    return update_.partials.values == nullptr && update_.count == 0 && update_.position == nullptr;
  }
  /// Somebody else has carried it out.
  void clear() { update_ = {.n = update_.n, .stride = update_.stride}; }
  void carry_out(StreamHandle stream) {
    if (empty()) return;
    cuda::carry_out(update_, stream);
    clear();
  }

  friend bool operator==(const DeferredOps&, const DeferredOps&) = default;

 private:
  /// The first columns that are met, which in most methods are all of them.
  unsigned keep(double* column) {
    unsigned k = 0;
    while (k < update_.kept_count && update_.kept[k] != column) ++k;
    if (k == update_.kept_count && k < FusedUpdate::most_kept) update_.kept[update_.kept_count++] = column;
    return k;
  }

  FusedUpdate update_;
  double floats_scale_ = 0;  ///< of the positions in floats; 0: they are old
};

}  // namespace orrery::sim::cuda
