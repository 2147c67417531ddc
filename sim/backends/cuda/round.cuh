// SPDX-License-Identifier: MIT
// What a round does to one number of the state, for kernels.
#pragma once

#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/parts.cuh"

namespace orrery::sim::cuda {

/// Component q of body i in a round; q = 3 is the potential, which takes part in the sums alone. The columns that a round keeps are
/// loaded once, all at the same time: a combination after the other from memory takes longer than all else that a small step
/// does.
class RoundOfOne {
 public:
  __device__ __forceinline__ RoundOfOne(const Round& round, std::size_t q, std::size_t i)
      : round_(round), q_(q), i_(i), at_(q * round.stride + i) {}

  /// On their way while sums are made.
  __device__ __forceinline__ void load() {
    if (sums()) response_ = round_.partials.response[i_];
    if (q_ == 3) return;
#pragma unroll
    for (unsigned k = 0; k < Round::most_kept; ++k) {
      if (k < round_.kept_count) kept_[k] = round_.kept[k][at_];
    }
  }
  /// Whether there are parts to be added for it.
  [[nodiscard]] __device__ __forceinline__ bool sums() const {
    return round_.partials.values != nullptr && (q_ < 3 || round_.partials.wanted == Wanted::potential);
  }
  template <bool jerk>
  __device__ __forceinline__ void add_parts() {
    const Partials& p = round_.partials;
    const std::size_t step = (jerk ? sums_of(Wanted::jerk) : sums_of(p.wanted)) * p.row;
    const std::size_t piece = i_ >> p.shift, from = piece * p.parts * step + q_ * p.row + (i_ - (piece << p.shift));
    settle(p.single ? sum_of_parts(static_cast<const float*>(p.values) + from, step, p.parts)
                    : sum_of_parts(static_cast<const double*>(p.values) + from, step, p.parts));
    if constexpr (jerk) {  // by the same thread, which goes on with this component of all columns
      const double change = sum_of_parts(static_cast<const double*>(p.values) + 3 * p.row + from, step, p.parts);
      put(p.jerk, p.first ? __dmul_rn(response_, change) : __fma_rn(response_, change, p.jerk[at_]));
    }
  }
  /// What the sum over all parts comes to.
  __device__ __forceinline__ void settle(double sum) {
    const Partials& p = round_.partials;
    const double in_units = __dmul_rn(q_ < 3 ? p.unit : p.potential_unit, sum);
    double* const to = q_ < 3 ? p.acceleration : p.potential - 3 * round_.stride;
    put(to, p.first ? __dmul_rn(response_, in_units) : __fma_rn(response_, in_units, to[at_]));
  }
  __device__ __forceinline__ void act(const Round::Act& one) {
    using Verb = Round::Act::Verb;
    switch (one.verb) {
      case Verb::copy:
        sum_ = at(one);
        break;
      case Verb::multiply:
        sum_ = __dmul_rn(one.factor, at(one));
        break;
      case Verb::add:
        sum_ = __fma_rn(one.factor, at(one), sum_);
        break;
      case Verb::store:
        put(one.column, sum_);
        break;
      case Verb::widen:
        break;  // no matter of one number
    }
  }
  __device__ __forceinline__ void end() const {
    if (round_.position == nullptr) return;
    double x = 0;
    bool is_kept = false;
#pragma unroll
    for (unsigned k = 0; k < Round::most_kept; ++k) {
      if (round_.kept[k] == round_.position) x = kept_[k], is_kept = true;
    }
    if (!is_kept) x = round_.position[at_];
    x *= round_.scale;
    const auto high = static_cast<float>(x);
    round_.high[at_] = high;
    round_.rest[at_] = static_cast<float>(x - static_cast<double>(high));
  }

 private:
  /// Σ over parts in their order.
  template <class Part>
  static __device__ __forceinline__ double sum_of_parts(const Part* partial, std::size_t step, unsigned parts) {
    double sum = 0;
    cuda::add_parts(partial, step, parts, sum);
    return sum;
  }
  [[nodiscard]] __device__ __forceinline__ double at(const Round::Act& one) const {
    double value = 0;
#pragma unroll
    for (unsigned k = 0; k < Round::most_kept; ++k) {
      if (one.kept == k) value = kept_[k];
    }
    return one.kept < Round::most_kept ? value : one.column[at_];
  }
  __device__ __forceinline__ void put(double* column, double value) {
    column[at_] = value;
#pragma unroll
    for (unsigned k = 0; k < Round::most_kept; ++k) {
      if (round_.kept[k] == column) kept_[k] = value;
    }
  }

  const Round& round_;
  std::size_t q_, i_, at_;
  double kept_[Round::most_kept] = {}, response_ = 0, sum_ = 0;
};

}  // namespace orrery::sim::cuda
