// SPDX-License-Identifier: MIT
// Steps: "Steps" of docs/canonical-order.md.
#pragma once

#include "forces.hpp"

namespace orrery::page::ORRERY_ENGINE {

/// In this order, engine.js names them by their numbers.
enum class Method {
  leapfrog,
  leapfrog_dkd,
  symplectic_euler,
  yoshida4,
  yoshida6,
  yoshida8,
  ruth3,
  forest_ruth,
  pefrl,
  rk4,
  hermite4
};

class Stepper {
 public:
  void begin(Method method, double dt) { method_ = method, dt_ = dt, known_ = false, started_ = false; }

  Bodies bodies;
  Forces forces;

  /// The acceleration of every body, unless it is known; with the potential, unless that is known too.
  void accelerate(Asked asked = Asked::nothing) {
    if (known_ && (asked == Asked::nothing || asked == known_as_)) return;
    forces.evaluate(bodies, asked);
    known_ = true, known_as_ = asked;
  }

  void step() {
    constexpr double w1 = 1.3512071919596576340;  // 1/(2 − 2^(1/3))
    switch (method_) {
      case Method::leapfrog:
        return leapfrog(dt_);
      case Method::leapfrog_dkd:
        return alternate(false, {0.5, 1, 0.5});
      case Method::symplectic_euler:
        return alternate(true, {1, 1});
      case Method::yoshida4:
        return leapfrogs({w1, 1 - 2 * w1});
      case Method::yoshida6:
        return leapfrogs(
            {0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695, 1.31518632068391121889});
      case Method::yoshida8: {
        constexpr double w[] = {0.914844246229740, 0.253693336566229, -1.44485223686048, -0.158240635368243,
                                1.93813913762276,  -1.96061023297549, 0.102799849391985};
        constexpr double sum = w[6] + w[5] + w[4] + w[3] + w[2] + w[1] + w[0];
        return leapfrogs({w[0], w[1], w[2], w[3], w[4], w[5], w[6], 1 - 2 * sum});
      }
      case Method::ruth3:
        return alternate(true, {7.0 / 24, 2.0 / 3, 3.0 / 4, -2.0 / 3, -1.0 / 24, 1});
      case Method::forest_ruth:
        return alternate(false, {w1 / 2, w1, (1 - w1) / 2, 1 - 2 * w1, (1 - w1) / 2, w1, w1 / 2});
      case Method::pefrl: {
        constexpr double xi = 0.1786178958448091, lambda = -0.2123418310626054, chi = -0.06626458266981849;
        return alternate(false, {xi, 0.5 - lambda, chi, lambda, 1 - 2 * (chi + xi), lambda, chi, 0.5 - lambda, xi});
      }
      case Method::rk4:
        return runge_kutta();
      case Method::hermite4:
        return hermite();
    }
  }

 private:
  static constexpr Kept x = Kept::position, v = Kept::velocity, a = Kept::acceleration, j = Kept::jerk;

  void kick(double h) {
    accelerate();
    bodies.combine(v, {{1, v}, {h, a}});
  }
  void drift(double h) {
    bodies.combine(x, {{1, x}, {h, v}});
    known_ = false;
  }
  void leapfrog(double h) {
    kick(h / 2);
    drift(h);
    kick(h / 2);
  }
  /// Leapfrogs of these parts of a step, first to last, then back to the first.
  template <int n>
  ORRERY_INLINE void leapfrogs(const double (&parts)[n]) {
    leapfrogs(parts, n);
  }
  [[gnu::noinline]] void leapfrogs(const double* parts, int n) {
    for (int k = 1 - n; k < n; ++k) leapfrog(parts[n - 1 - (k < 0 ? -k : k)] * dt_);
  }
  /// Kicks and drifts by these parts of a step in turn.
  template <int n>
  ORRERY_INLINE void alternate(bool kick_next, const double (&parts)[n]) {
    alternate(kick_next, parts, n);
  }
  [[gnu::noinline]] void alternate(bool kick_next, const double* parts, int n) {
    for (int k = 0; k < n; ++k, kick_next = !kick_next) kick_next ? kick(parts[k] * dt_) : drift(parts[k] * dt_);
  }

  void runge_kutta() {
    constexpr Kept x0 = Kept::first, a1 = Kept::second, a2 = Kept::third, a3 = Kept::fourth, a4 = a;
    const double h = dt_, h2 = h * h;
    const auto slope = [this] {
      known_ = false;
      accelerate();
    };
    accelerate();
    bodies.combine(x0, {{1, x}});
    bodies.combine(a1, {{1, a}});
    bodies.combine(x, {{1, x0}, {h / 2, v}});
    slope();
    bodies.combine(a2, {{1, a}});
    bodies.combine(x, {{1, x0}, {h / 2, v}, {h2 / 4, a1}});
    slope();
    bodies.combine(a3, {{1, a}});
    bodies.combine(x, {{1, x0}, {h, v}, {h2 / 2, a2}});
    slope();
    bodies.combine(x, {{1, x0}, {h, v}, {h2 / 6, a1}, {h2 / 6, a2}, {h2 / 6, a3}});
    bodies.combine(v, {{1, v}, {h / 6, a1}, {h / 3, a2}, {h / 3, a3}, {h / 6, a4}});
    known_ = false;
  }

  void hermite() {
    constexpr Kept x0 = Kept::first, v0 = Kept::second, a0 = Kept::third, j0 = Kept::fourth;
    const double h = dt_;
    if (!started_) {
      forces.evaluate(bodies, Asked::jerk);
      bodies.combine(a0, {{1, a}});
      bodies.combine(j0, {{1, j}});
      started_ = true;
    }
    bodies.combine(x0, {{1, x}});
    bodies.combine(v0, {{1, v}});
    bodies.combine(x, {{h * h * h / 6, j0}, {h * h / 2, a0}, {h, v0}, {1, x0}});
    bodies.combine(v, {{h * h / 2, j0}, {h, a0}, {1, v0}});
    for (int k = 0; k < 2; ++k) {
      forces.evaluate(bodies, Asked::jerk);
      bodies.combine(v, {{-h * h / 12, j}, {h * h / 12, j0}, {h / 2, a}, {h / 2, a0}, {1, v0}});
      bodies.combine(x, {{-h * h / 12, a}, {h * h / 12, a0}, {h / 2, v}, {h / 2, v0}, {1, x0}});
    }
    bodies.combine(a0, {{1, a}});
    bodies.combine(j0, {{1, j}});
    known_ = false;
  }

  Method method_ = Method::leapfrog;
  double dt_ = 0;
  bool known_ = false, started_ = false;
  Asked known_as_ = Asked::nothing;
};

}  // namespace orrery::page::ORRERY_ENGINE
