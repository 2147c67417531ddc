// SPDX-License-Identifier: MIT
// The fused update of one number of the state, for kernels.
#pragma once

#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Returns sum + from[0] + from[step] + …, `parts` terms in this order. The loads of a batch precede its first
/// addition, or the compiler would serialise them.
template <class Number>
__device__ __forceinline__ double sum_of_parts(const Number* from, std::size_t step, unsigned parts, double sum = 0) {
  constexpr unsigned batch = 16;
  unsigned c = 0;
  for (; c + batch <= parts; c += batch, from += batch * step) {
    Number values[batch];
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) values[k] = __ldcg(from + k * step);
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) sum = __dadd_rn(sum, static_cast<double>(values[k]));
  }
#pragma unroll 4
  for (; c < parts; ++c, from += step) sum = __dadd_rn(sum, static_cast<double>(__ldcg(from)));
  return sum;
}

/// Component q of body i; q = 3 is the potential, which only takes part in the sums. The kept columns are loaded once,
/// all together: loading them for each combination would take longer than the rest of a small step.
class FusedUpdateOfOne {
 public:
  __device__ __forceinline__ FusedUpdateOfOne(const FusedUpdate& update, std::size_t q, std::size_t i)
      : update_(update), q_(q), i_(i), at_(q * update.stride + i) {}

  /// Starts loading the kept columns.
  __device__ __forceinline__ void load() {
    if (sums()) target_factor_ = update_.partials.target_factor[i_];
    if (q_ == 3) return;
#pragma unroll
    for (unsigned k = 0; k < FusedUpdate::max_kept; ++k) {
      if (k < update_.kept_count) kept_[k] = update_.kept[k][at_];
    }
  }
  /// Returns whether there are partial sums for this component.
  [[nodiscard]] __device__ __forceinline__ bool sums() const {
    return update_.partials.values != nullptr && (q_ < 3 || update_.partials.outputs == Outputs::potential);
  }
  template <bool jerk>
  __device__ __forceinline__ void add_parts() {
    const Partials& p = update_.partials;
    const std::size_t step = (jerk ? outputs_per_body(Outputs::jerk) : outputs_per_body(p.outputs)) * p.row;
    const std::size_t piece = i_ >> p.shift, from = piece * p.parts * step + q_ * p.row + (i_ - (piece << p.shift));
    settle(p.single ? sum_of_parts(static_cast<const float*>(p.values) + from, step, p.parts)
                    : sum_of_parts(static_cast<const double*>(p.values) + from, step, p.parts));
    if constexpr (jerk) {
      const double change = sum_of_parts(static_cast<const double*>(p.values) + 3 * p.row + from, step, p.parts);
      put(p.jerk, p.first ? __dmul_rn(target_factor_, change) : __fma_rn(target_factor_, change, p.jerk[at_]));
    }
  }
  /// Stores the target_factor times the sum over all parts.
  __device__ __forceinline__ void settle(double sum) {
    const Partials& p = update_.partials;
    const double in_units = __dmul_rn(q_ < 3 ? p.unit : p.potential_unit, sum);
    double* const to = q_ < 3 ? p.acceleration : p.potential - 3 * update_.stride;
    put(to, p.first ? __dmul_rn(target_factor_, in_units) : __fma_rn(target_factor_, in_units, to[at_]));
  }
  __device__ __forceinline__ void act(const FusedUpdate::Op& one) {
    using Verb = FusedUpdate::Op::Verb;
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
        break;  // done by the whole block
    }
  }
  /// Converts the position to floats, if requested.
  __device__ __forceinline__ void end() const {
    if (update_.position == nullptr) return;
    double x = 0;
    bool is_kept = false;
#pragma unroll
    for (unsigned k = 0; k < FusedUpdate::max_kept; ++k) {
      if (update_.kept[k] == update_.position) x = kept_[k], is_kept = true;
    }
    if (!is_kept) x = update_.position[at_];
    x *= update_.scale;
    const auto high = static_cast<float>(x);
    update_.high[at_] = high;
    update_.rest[at_] = static_cast<float>(x - static_cast<double>(high));
  }

 private:
  [[nodiscard]] __device__ __forceinline__ double at(const FusedUpdate::Op& one) const {
    double value = 0;
#pragma unroll
    for (unsigned k = 0; k < FusedUpdate::max_kept; ++k) {
      if (one.kept == k) value = kept_[k];
    }
    return one.kept < FusedUpdate::max_kept ? value : one.column[at_];
  }
  __device__ __forceinline__ void put(double* column, double value) {
    column[at_] = value;
#pragma unroll
    for (unsigned k = 0; k < FusedUpdate::max_kept; ++k) {
      if (update_.kept[k] == column) kept_[k] = value;
    }
  }

  const FusedUpdate& update_;
  std::size_t q_, i_, at_;
  double kept_[FusedUpdate::max_kept] = {}, target_factor_ = 0, sum_ = 0;
};

}  // namespace orrery::sim::cuda
