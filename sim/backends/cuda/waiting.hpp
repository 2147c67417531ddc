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

class Waiting {
 public:
  Waiting(std::size_t n, std::size_t stride) : round_{.n = n, .stride = stride} {}

  /// Whether a combination of so many terms still fits.
  [[nodiscard]] bool has_room(std::size_t terms) const {
    return static_cast<std::size_t>(round_.count) + terms + 1 <= Round::most;
  }
  /// One more term of a combination, the first of which may be a copy; and its end.
  void add(double* source, double factor, bool is_first) {
    using Verb = Round::Act::Verb;
    round_.acts[round_.count++] = {!is_first       ? Verb::add
                                   : factor == 1.0 ? Verb::copy
                                                   : Verb::multiply,
                                   keep(source), source, factor};
  }
  void store(double* target) { round_.acts[round_.count++] = {Round::Act::Verb::store, keep(target), target, 0}; }
  /// Sums over chunks; they come before all combinations, so nothing else may wait.
  void add(const Partials& partials) { round_.partials = partials; }

  /// Widens the extremes by this moment, after all that waits; at most Round::few bodies.
  void widen(double* extremes, const Moment& moment) {
    round_.extremes = extremes;
    round_.moment = moment;
    round_.acts[round_.count++] = {Round::Act::Verb::widen, Round::most_kept, nullptr, 0};
  }

  void floats_are_old() { floats_scale_ = 0; }
  /// Positions in floats, if they are old or have another scale; returns whether they are.
  bool make_floats(const double* position, const Floats& floats) {
    if (floats_scale_ == floats.scale) return false;
    floats_scale_ = floats.scale;
    round_.position = position;
    round_.high = floats.high;
    round_.rest = floats.rest;
    round_.scale = floats.scale;
    return true;
  }

  /// What waits, if anything does.
  [[nodiscard]] const Round& round() const { return round_; }
  [[nodiscard]] bool empty() const {
    return round_.partials.values == nullptr && round_.count == 0 && round_.position == nullptr;
  }
  /// Somebody else has carried it out.
  void clear() { round_ = {.n = round_.n, .stride = round_.stride}; }
  void carry_out(Stream stream) {
    if (empty()) return;
    cuda::carry_out(round_, stream);
    clear();
  }

  friend bool operator==(const Waiting&, const Waiting&) = default;

 private:
  /// The first columns that are met, which in most methods are all of them.
  unsigned keep(double* column) {
    unsigned k = 0;
    while (k < round_.kept_count && round_.kept[k] != column) ++k;
    if (k == round_.kept_count && k < Round::most_kept) round_.kept[round_.kept_count++] = column;
    return k;
  }

  Round round_;
  double floats_scale_ = 0;  ///< of the positions in floats; 0: they are old
};

}  // namespace orrery::sim::cuda
