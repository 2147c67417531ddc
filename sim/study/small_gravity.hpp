// SPDX-License-Identifier: MIT
// Leapfrog for a few bodies with separate precisions for the state, the differences and the forces.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim::study {

/// Gravity with G = 1 and Plummer softening. Positions and velocities are stored in `State`, x_j − x_i is computed in
/// `Difference`, and the rest of a pair in `Force`. One-sided, in ascending order; O(n²) per step.
template <class State, class Difference, class Force>
class SmallGravity {
 public:
  SmallGravity(const Bodies& bodies, double softening) : softening2_(static_cast<Force>(softening * softening)) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      mass_.push_back(static_cast<Force>(bodies.mass[i]));
      for (const auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z})
        x_.push_back(static_cast<State>((*axis)[i]));
      for (const auto* axis : {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z})
        v_.push_back(static_cast<State>((*axis)[i]));
    }
    a_.resize(x_.size());
    accelerate();
  }

  void step(double dt) {
    kick(dt / 2);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += static_cast<State>(dt) * v_[k];
    accelerate();
    kick(dt / 2);
  }

  /// Kinetic and potential energy of the state, summed in `Sum`.
  template <class Sum>
  [[nodiscard]] double energy() const {
    Sum all = 0;
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      Sum v2 = 0;
      for (std::size_t c = 0; c < 3; ++c) v2 += static_cast<Sum>(v_[3 * i + c]) * static_cast<Sum>(v_[3 * i + c]);
      all += static_cast<Sum>(mass_[i]) * v2 / 2;
      for (std::size_t j = 0; j < i; ++j) {
        Sum r2 = static_cast<Sum>(softening2_);
        for (std::size_t c = 0; c < 3; ++c) {
          const Sum d = static_cast<Sum>(x_[3 * j + c]) - static_cast<Sum>(x_[3 * i + c]);
          r2 += d * d;
        }
        all -= static_cast<Sum>(mass_[i]) * static_cast<Sum>(mass_[j]) / std::sqrt(r2);
      }
    }
    return static_cast<double>(all);
  }

  [[nodiscard]] const std::vector<State>& positions() const { return x_; }  ///< [n × 3]

 private:
  void kick(double dt) {
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += static_cast<State>(dt) * static_cast<State>(a_[k]);
  }

  void accelerate() {
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      Force sum[3] = {};
      for (std::size_t j = 0; j < mass_.size(); ++j) {
        Force d[3], r2 = softening2_;
        for (std::size_t c = 0; c < 3; ++c) {
          d[c] = static_cast<Force>(static_cast<Difference>(x_[3 * j + c]) - static_cast<Difference>(x_[3 * i + c]));
          r2 += d[c] * d[c];
        }
        if (r2 == 0) continue;  // j = i, not softened
        const Force s = mass_[j] / (r2 * std::sqrt(r2));
        for (std::size_t c = 0; c < 3; ++c) sum[c] += s * d[c];
      }
      for (std::size_t c = 0; c < 3; ++c) a_[3 * i + c] = sum[c];
    }
  }

  std::vector<State> x_, v_;
  std::vector<Force> mass_, a_;
  Force softening2_;
};

}  // namespace orrery::sim::study
