// SPDX-License-Identifier: MIT
// A law that is a function of the program: loops over a block of pairs run twice, first with a law that collects r², then
// with one that has the answers. Included only by pairs.cpp.
#pragma once

#include <cstddef>
#include <type_traits>

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/direct/simd/pairs.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {

/// The law as loops over pairs name it.
struct Function {
  const PairFunction& of_pairs;
  const LawParameters& parameters;
};

/// Collects the r² of pairs.
struct Question {
  double* r2;
  mutable std::size_t count = 0;

  template <class Real>
  HWY_INLINE Real force_over_r(Real of) const {
    of.store(r2 + count);
    count += sizeof(Real) / sizeof(double);
    return Real(0);
  }
  template <class Real>
  HWY_INLINE Real u(Real) const {
    return Real(0);
  }
  template <class Real>
  HWY_INLINE Real force_over_r_slope(Real) const {
    return Real(0);
  }
};

/// Has c, and u or the slope, of the same pairs in the same order.
struct Answer {
  const double *c, *other;
  mutable std::size_t at = 0;

  template <class Real>
  HWY_INLINE Real force_over_r(Real) const {
    const Real found = Real::load(c + at);
    at += sizeof(Real) / sizeof(double);
    return found;
  }
  /// After force_over_r of the same pair.
  template <class Real>
  HWY_INLINE Real u(Real) const {
    return Real::load(other + at - sizeof(Real) / sizeof(double));
  }
  template <class Real>
  HWY_INLINE Real force_over_r_slope(Real of) const {
    return u(of);
  }
};

template <class Law>
inline constexpr bool is_function = std::is_same_v<Law, Function>;
/// Whether the loops shall only compute pairs, and add nothing.
template <class Law>
inline constexpr bool asks = std::is_same_v<std::remove_cvref_t<Law>, Question>;

template <class Law>
HWY_INLINE Law law_of(const ParticleView& f) {
  if constexpr (is_function<Law>) {
    return {*f.function, f.parameters};
  } else {
    return Law(f.parameters);
  }
}

/// Calls loop(law), which computes at most `most` pairs, or twice with laws that stand for a function.
template <std::size_t most, Outputs outputs, class Law, class Loop>
HWY_INLINE void over_block(const Law& law, const Loop& loop) {
  if constexpr (is_function<Law>) {
    constexpr bool potential = outputs == Outputs::potential, jerk = outputs == Outputs::jerk;
    HWY_ALIGN double r2[most], c[most], other[potential || jerk ? most : 1];
    const Question question{r2};
    loop(question);
    if (question.count == 0) return;
    law.of_pairs(question.count, r2, c, potential ? other : nullptr, jerk ? other : nullptr, law.parameters);
    loop(Answer{c, other});
  } else {
    loop(law);
  }
}

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
