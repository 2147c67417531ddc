// SPDX-License-Identifier: MIT
// Minima and maxima of conserved quantities, and the closest approach, between the rows of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "sim/bodies.hpp"
#include "sim/random.hpp"

namespace orrery::sim {

/// Up to this number of bodies every step is sampled, and the closest approach is kept.
inline constexpr std::size_t few_bodies = 64;

/// Two bodies and their squared distance, by nearest images: those of the closest pair of a state, or of the closest
/// of several states. Of equal distances the first pair of the earliest state is kept.
struct Approach {
  double r2 = std::numeric_limits<double>::infinity();  ///< infinite: there is no pair
  std::int64_t body = 0, other = 0;                     ///< body < other

  explicit operator bool() const { return r2 < std::numeric_limits<double>::infinity(); }
  /// Takes that of later states if it is closer.
  void include(const Approach& later) {
    if (later.r2 < r2) *this = later;
  }
  friend bool operator==(const Approach&, const Approach&) = default;
};

/// Minimum and maximum of the total energy and of each component of the angular momentum over a sequence of states. Of
/// equal zeros the earlier one is kept, so that the sign does not depend on how sequences are merged.
struct Extremes {
  std::int64_t states = 0;  ///< number of states; if 0, the other members are meaningless
  double energy_low = 0, energy_high = 0;
  Vec3 momentum_low, momentum_high;  ///< of the angular momentum
  /// None beyond `few_bodies` bodies.
  Approach approach{};

  /// Includes a state; `closest` is its closest pair.
  void include(double energy, const Vec3& momentum, const Approach& closest) {
    include({1, energy, energy, momentum, momentum, closest});
  }
  /// A copy widened by a state that is not counted in `states`.
  [[nodiscard]] Extremes with(double energy, const Vec3& momentum, const Approach& closest) const {
    Extremes wider = *this;
    wider.include(energy, momentum, closest);
    wider.states = states;
    return wider;
  }
  /// Merges the extremes of later states.
  void include(const Extremes& later) {
    if (later.states == 0) return;
    if (states == 0) {
      *this = later;
      return;
    }
    approach.include(later.approach);
    const auto widen = [](double& low, double& high, double later_low, double later_high) {
      low = later_low < low ? later_low : low;
      high = later_high > high ? later_high : high;
    };
    widen(energy_low, energy_high, later.energy_low, later.energy_high);
    widen(momentum_low.x, momentum_high.x, later.momentum_low.x, later.momentum_high.x);
    widen(momentum_low.y, momentum_high.y, later.momentum_low.y, later.momentum_high.y);
    widen(momentum_low.z, momentum_high.z, later.momentum_low.z, later.momentum_high.z);
    states += later.states;
  }
  friend bool operator==(const Extremes&, const Extremes&) = default;
};

/// Selects the steps that are sampled: all, none, or a random one of each `stride`, to avoid aliasing with periodic
/// motion. The choice depends on the step number alone. Step 0 is never sampled.
struct StepSampling {
  std::int64_t stride = 0;  ///< 0: none, 1: all

  /// The sampled one of the steps stride·block + 1 … stride·(block + 1).
  [[nodiscard]] std::int64_t drawn(std::int64_t block) const {
    const auto k = static_cast<std::uint64_t>(block);
    const auto word = philox({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32), 0, 0}, {64, 0})[0];
    return stride * block + 1 + static_cast<std::int64_t>(word % static_cast<std::uint64_t>(stride));
  }
  [[nodiscard]] bool takes(std::int64_t step) const {
    return stride > 0 && step > 0 && (stride == 1 || drawn((step - 1) / stride) == step);
  }
  /// The first sampled step after `step`; stride > 0.
  [[nodiscard]] std::int64_t next(std::int64_t step) const {
    if (stride == 1) return step + 1;
    const std::int64_t block = step / stride, here = drawn(block);
    return here > step ? here : drawn(block + 1);
  }
};

/// The first sampled state whose energy error exceeds `tolerated_energy_error`, and the pair of bodies that changed
/// most in the step to it.
struct EnergyViolation {
  std::int64_t step = -1;  ///< −1: none
  double time = 0;
  std::int64_t body = 0, other = 0;  ///< equal if no two bodies moved relative to each other
  double distance = 0;               ///< the smaller one of those before and after the step

  explicit operator bool() const { return step >= 0; }
  friend bool operator==(const EnergyViolation&, const EnergyViolation&) = default;
};

/// Limit of the relative energy error, above which a run is considered inaccurate.
inline constexpr double tolerated_energy_error = 1e-2;

}  // namespace orrery::sim
